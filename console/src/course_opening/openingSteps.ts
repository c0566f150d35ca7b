import { type RowAction, step, withSchool } from '@/kit/actions'
import { closeOpenings, openOpenings } from './api'
import { nameOf, type Opening } from './openingRules'

/** An opening as it was read, with the school whose it is. */
export const itemOf = (row: Opening) => withSchool(row, { id: row.id, version: row.version })

const isCompulsory = ({ kind, nature, gradeId, majorId }: Opening) =>
  kind !== 'retake' && nature === 'compulsory' && Boolean(gradeId) && Boolean(majorId)

/** What the state of an opening leads to by a single press. */
export const stepsOf = (opening: Opening): RowAction[] => {
  const body = { items: [itemOf(opening)] }
  const name = nameOf(opening)
  if (opening.status === 'draft')
    return [
      step(openOpenings, {
        label: '开课',
        with: { body },
        confirm: {
          title: `开课“${name}”？`,
          content: isCompulsory(opening)
            ? '该年级专业的在籍学生同时进入名单；开课后不再随教学计划变化。'
            : '学生在选课时间内选课，也可以补选；开课后不再随教学计划变化。',
        },
        done: `已开课“${name}”`,
      }),
    ]
  if (opening.status === 'opened')
    return [
      step(closeOpenings, {
        label: '结课',
        with: { body },
        confirm: { title: `结课“${name}”？`, content: '结课后名单和任课安排不能再修改，不能恢复为已开课。' },
        done: `已结课“${name}”`,
      }),
    ]
  return []
}
