import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { Operation, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { useSettled } from '@/kit/useSettled'
import { listLiveCourses, type listRecommends, listRecordCourses, listResourceCourses } from './api'

export type CourseKind = RowOf<typeof listRecommends>['courseType']

interface CourseNames {
  list: { id: number; courseName: string }[]
}

type FoundByName = Operation<undefined, { courseName?: string | null; pageSize?: number | null }, CourseNames>

/** Where the courses of a kind are found by parts of their names. */
export const coursesOf: Record<CourseKind, FoundByName> = {
  record: listRecordCourses,
  live: listLiveCourses,
  resource: listResourceCourses,
}

/** So many are offered; others are found by their names. */
const OFFERED = 50

interface CourseSelectProps {
  kind: CourseKind
  value?: number
  onChange?: (id: number | undefined) => void
  known?: { id: number; name: string }
  'aria-label'?: string
}

/** A course of one kind. */
export const CourseSelect = ({ kind, value, onChange, known, ...named }: CourseSelectProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const courseName = useSettled(text) || undefined
  const list = coursesOf[kind]
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
