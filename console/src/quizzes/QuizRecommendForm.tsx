import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { CategorySelect } from '@/catalogue/choices'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  editQuizRecommend,
  listQuizCategories,
  type listQuizRecommends,
  saveQuizRecommend,
  viewQuizRecommend,
} from './api'
import { QuizSelect } from './choices'

type Recommend = RowOf<typeof viewQuizRecommend>
type Row = RowOf<typeof listQuizRecommends>

/** A recommendation that is edited, or a new one, of an exam that is known already or is to be chosen. */
export interface QuizRecommendDraft {
  recommend?: Row
  quiz?: { id: number; name: string }
}

const Field = fieldsOf(saveQuizRecommend)

/** 推荐: an exam before others, at one place of the site. */
export const QuizRecommendForm = ({ record: draft, ...drawer }: DrawerProps<QuizRecommendDraft>) => {
  const row = draft?.recommend
  const known = draft?.quiz ?? (row && { id: row.examId, name: row.examName })
  return (
    <FormDrawer<Recommend | Row, { id: number }>
      {...drawer}
      record={row}
      title={row ? `编辑推荐 ${row.examName}` : '新增推荐'}
      initial={{ examId: known?.id, position: 'home', sort: 1, enabled: true }}
      action={(edited) =>
        edited ? formAction(editQuizRecommend, '已保存推荐', edited) : formAction(saveQuizRecommend, '已新增推荐')
      }
      reload={(edited, call) => call(viewQuizRecommend, { query: { id: edited.id } })}
    >
      <Field name="examId">
        <QuizSelect known={known} />
      </Field>
      <Field name="position" />
      <Form.Item noStyle shouldUpdate>
        {({ position }: Partial<Row>) =>
          position === 'category' ? (
            <Field name="categoryId" required>
              <CategorySelect of={listQuizCategories} />
            </Field>
          ) : null
        }
      </Form.Item>
      <Field name="beginsAt" help="留空为立即展示" />
      <Field name="endsAt" help="留空为长期展示">
        <DateTimeInput dayEnd />
      </Field>
      <Field name="sort" help="同一位置中从小到大排列" />
      <Field name="enabled" />
    </FormDrawer>
  )
}
