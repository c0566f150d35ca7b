import { Select } from '@arco-design/web-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useOptions } from '@/api/options'
import { listOptions } from '@/basic_data/api'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { useSettled } from '@/kit/useSettled'

type Kind = 'curriculumType' | 'course' | 'chapter'

/** How options of this room are asked for: switched-off ones are left out. */
export const courseOptions = (type: Kind, parentId?: number) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  parentId,
  enabled: true,
})

/** The same for a filter, which also finds what was switched off, and types that have types below them. */
export const allCourseOptions = (type: Kind) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  enabled: false,
})

interface CourseSelectProps {
  type: Kind
  /** Only what hangs below this: the chapters of a course. */
  parentId?: number
  label?: string
  'aria-label'?: string
  value?: number
  onChange?: (id: number | undefined) => void
  known?: Choice
  disabled?: boolean
}

/** A select over types, courses or chapters, searched by code, name or pinyin initials. */
export const CourseSelect = ({ type, parentId, label, ...rest }: CourseSelectProps) => (
  <OptionSelect
    {...rest}
    label={label ?? rest['aria-label'] ?? ''}
    options={listOptions}
    query={courseOptions(type, parentId)}
  />
)

interface SeveralCoursesProps {
  'aria-label'?: string
  value?: number[]
  onChange?: (ids: number[]) => void
  /** The record's own choices, which may not be among the first. */
  known: readonly Choice[]
  /** The course itself, which is no prerequisite of itself. */
  except?: number
}

/** Several courses, searched on the server. */
export const SeveralCourses = ({ value, onChange, known, except, ...named }: SeveralCoursesProps) => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(known)
  const found = useOptions(listOptions, courseOptions('course')(useSettled(text)))
  const choices = (found.data ?? []).filter(({ code }) => code !== except)
  const all = [...chosen.filter(({ code }) => !choices.some((choice) => choice.code === code)), ...choices]
  return (
    <Select
      {...named}
      mode="multiple"
      placeholder="请选择"
      allowClear
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value ?? []}
      onChange={(ids: number[]) => {
        setChosen(all.filter(({ code }) => ids.includes(code)))
        onChange?.(ids)
      }}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={all.map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}
