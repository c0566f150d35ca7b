import { Select } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useRequest } from '@/api/schoolContext'
import { studentWords } from '@/course_selection/choices'
import type { Choice } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { useSettled } from '@/kit/useSettled'
import { listStudents } from '@/student_status/api'

/** So many are offered for a word. */
const OFFERED = 20

interface StudentSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
  known?: Choice
  disabled?: boolean
}

/** One student of the register, whoever left too, by name, number or ID number. */
export const StudentSelect = ({ value, onChange, known, disabled, 'aria-label': label = '学生' }: StudentSelectProps) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const found = useQuery({
    queryKey: [listStudents.path, 'choices', keyword],
    queryFn: ({ signal }) =>
      request(
        listStudents,
        { body: { scope: 'all', pageCurrent: FIRST_PAGE, pageSize: OFFERED, keyword: keyword || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  const offered = (found.data?.list ?? []).map((student) => ({ value: student.id, label: studentWords(student) }))
  const missing = known && !offered.some((choice) => choice.value === known.code)
  return (
    <Select
      aria-label={label}
      placeholder="学号或姓名"
      allowClear
      showSearch
      filterOption={false}
      disabled={disabled}
      loading={found.isFetching}
      value={value}
      onChange={(id: number | undefined) => onChange?.(id)}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={[...(missing ? [{ value: known.code, label: known.desc }] : []), ...offered]}
    />
  )
}
