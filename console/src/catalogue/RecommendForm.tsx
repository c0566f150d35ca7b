import { Form, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { Operation, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import {
  editRecommend,
  type listRecommends,
  listLiveCategories,
  listLiveCourses,
  listRecordCategories,
  listRecordCourses,
  listResourceCategories,
  listResourceCourses,
  saveRecommend,
  viewRecommend,
} from './api'
import { CategorySelect } from './choices'

type Recommend = RowOf<typeof viewRecommend>
type Row = RowOf<typeof listRecommends>
type Kind = Row['courseType']

/** A recommendation that is edited, or a new one, of a course that is known already or is to be chosen. */
export interface RecommendDraft {
  recommend?: Row
  course?: { id: number; name: string; kind: Kind }
}

interface CourseNames {
  list: { id: number; courseName: string }[]
}

type FoundByName = Operation<undefined, { courseName?: string | null; pageSize?: number | null }, CourseNames>

const listsOf: Record<Kind, FoundByName> = {
  record: listRecordCourses,
  live: listLiveCourses,
  resource: listResourceCourses,
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

/** So many are offered; others are found by their names. */
const OFFERED = 50

interface CourseSelectProps {
  kind: Kind
  value?: number
  onChange?: (id: number | undefined) => void
  known?: { id: number; name: string }
  'aria-label'?: string
}

/** A course of one kind. */
const CourseSelect = ({ kind, value, onChange, known, ...named }: CourseSelectProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const courseName = useSettled(text) || undefined
  const list = listsOf[kind]
  const found = useQuery({
    queryKey: [list.path, 'choices', courseName],
    queryFn: ({ signal }) => request(list, { body: { courseName, pageSize: OFFERED } }, { signal }),
    enabled: allowed(list),
  })
  const courses = (found.data?.list ?? []).map(({ id, courseName: label }) => ({ value: id, label }))
  const all =
    known && !courses.some((each) => each.value === known.id)
      ? [{ value: known.id, label: known.name }, ...courses]
      : courses
  return (
    <Select
      {...named}
      placeholder="请选择课程"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={all}
    />
  )
}

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
      <Field name="endsAt" help="留空为长期展示" />
      <Field name="sort" help="同一位置中从小到大排列" />
      <Field name="enabled" />
    </FormDrawer>
  )
}
