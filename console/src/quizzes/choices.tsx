import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { nothingFound } from '@/kit/nothingFound'
import { useSettled } from '@/kit/useSettled'
import { listQuizzes } from './api'

/** So many exams are offered; others are found by their names. */
const OFFERED = 50

interface QuizSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  /** The chosen one's name, who may not be among the first. */
  known?: { id: number; name: string }
  /** Only those that were approved once. */
  published?: boolean
  disabled?: boolean
  'aria-label'?: string
}

/** An exam, by a part of its name. */
export const QuizSelect = ({ value, onChange, known, published = false, ...named }: QuizSelectProps) => {
  const request = useRequest()
  const mayList = useAllowed()(listQuizzes)
  const [text, setText] = useState('')
  const examName = useSettled(text) || undefined
  const auditStatus = published ? 'approved' : undefined
  const found = useQuery({
    queryKey: [listQuizzes.path, 'choices', examName, auditStatus],
    queryFn: ({ signal }) => request(listQuizzes, { body: { examName, auditStatus, pageSize: OFFERED } }, { signal }),
    enabled: mayList,
  })
  const exams = (found.data?.list ?? []).map(({ id, examName: label }) => ({ value: id, label }))
  const all =
    known && !exams.some((each) => each.value === known.id) ? [{ value: known.id, label: known.name }, ...exams] : exams
  return (
    <Select
      {...named}
      placeholder="请选择试卷"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={nothingFound(listQuizzes, mayList, found.error, '没有找到，请换一个词')}
      options={all}
    />
  )
}
