import { Select } from '@arco-design/web-react'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Choice } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { useSettled } from '@/kit/useSettled'
import { listStudents } from '@/student_status/api'

type Student = RowOf<typeof listStudents>

/** So many are offered for a word. */
const OFFERED = 20

/** 张三 · 2600000001 · 一班. */
export const studentWords = ({ name, studentNo, examineeNo, className }: Student) =>
  [name, studentNo ?? examineeNo, className].filter(Boolean).join(' · ')

interface StudentsSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
  /** Those who are chosen already. */
  known: readonly Choice[]
  /** Gets the names of who is chosen. */
  onFound: (choices: readonly Choice[]) => void
}

/** Several students of the register, by name, number or ID number. */
export const StudentsSelect = ({ value = [], onChange, known, onFound, 'aria-label': label }: StudentsSelectProps) => {
  const select = useRef<SelectHandle>(null)
  // Arco names the box of the whole; the one inside, in which one types, has no name once something is chosen.
  useEffect(() => select.current?.dom?.querySelector('input')?.setAttribute('aria-label', label ?? ''), [label])
  const request = useRequest()
  const [text, setText] = useState('')
  const [met, setMet] = useState(known)
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
  const offered = (found.data?.list ?? []).map((student): Choice => ({ code: student.id, desc: studentWords(student) }))
  const names = new Map([...met, ...offered].map(({ code, desc }) => [code, desc]))
  const choiceOf = (code: number): Choice => ({ code, desc: names.get(code) ?? `编号${code}` })
  const missing = value.filter((id) => !offered.some(({ code }) => code === id)).map(choiceOf)
  return (
    <Select
      ref={select}
      mode="multiple"
      aria-label={label}
      placeholder="姓名、学号或证件号"
      allowClear
      showSearch
      filterOption={false}
      maxTagCount={6}
      loading={found.isFetching}
      value={value}
      onChange={(ids: number[]) => {
        const chosen = ids.map(choiceOf)
        setMet(chosen)
        onFound(chosen)
        onChange?.(ids)
      }}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={[...missing, ...offered].map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}

interface StudentSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
  known?: Choice
  disabled?: boolean
}

/** One student of the register, whoever left too, by name, number or ID number. */
export const StudentSelect = ({
  value,
  onChange,
  known,
  disabled,
  'aria-label': label = '学生',
}: StudentSelectProps) => {
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
