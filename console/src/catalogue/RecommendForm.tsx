import { Form, Select } from '@arco-design/web-react'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  editRecommend,
  listLiveCategories,
  type listRecommends,
  listRecordCategories,
  listResourceCategories,
  saveRecommend,
  viewRecommend,
} from './api'
import { type CourseKind, CourseSelect } from './CourseSelect'
import { CategorySelect } from './choices'

type Recommend = RowOf<typeof viewRecommend>
type Row = RowOf<typeof listRecommends>
type Kind = CourseKind

/** A recommendation that is edited, or a new one, of a course that is known already or is to be chosen. */
export interface RecommendDraft {
  recommend?: Row
  course?: { id: number; name: string; kind: Kind }
}

const categoriesOf: Record<Kind, typeof listRecordCategories> = {
  record: listRecordCategories,
  live: listLiveCategories,
  resource: listResourceCategories,
}

const KINDS: readonly { value: Kind; label: string }[] = [
  { value: 'record', label: '录播课程' },
  { value: 'live', label: '直播课程' },
  { value: 'resource', label: '文库资源' },
]

const Field = fieldsOf(saveRecommend)

/** 推荐: a course before others, at one place of the site. */
export const RecommendForm = ({ record: draft, ...drawer }: DrawerProps<RecommendDraft>) => {
  const row = draft?.recommend
  const known = draft?.course ?? (row && { id: row.courseId, name: row.courseName, kind: row.courseType })
  const [kind, setKind] = useState<Kind>(known?.kind ?? 'record')
  return (
    <FormDrawer<Recommend | Row, { id: number }>
      {...drawer}
      record={row}
      title={row ? `编辑推荐 ${row.courseName}` : '新增推荐'}
      initial={{ courseId: known?.id, position: 'home', sort: 1, enabled: true }}
      action={(edited) =>
        edited ? formAction(editRecommend, '已保存推荐', edited) : formAction(saveRecommend, '已新增推荐')
      }
      reload={(edited, call) => call(viewRecommend, { query: { id: edited.id } })}
    >
      {!known && (
        <Form.Item label="课程类型">
          <Select aria-label="课程类型" value={kind} onChange={setKind} options={[...KINDS]} />
        </Form.Item>
      )}
      <Field name="courseId">
        <CourseSelect kind={kind} known={known} />
      </Field>
      <Field name="position" />
      <Form.Item noStyle shouldUpdate>
        {({ position }: Partial<Row>) =>
          position === 'category' ? (
            <Field name="categoryId" required>
              <CategorySelect of={categoriesOf[kind]} />
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
