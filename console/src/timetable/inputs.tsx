import { Select, Tag } from '@arco-design/web-react'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRequest } from '@/api/schoolContext'
import { DateInput } from '@/kit/DateInput'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listLessonPeriods, listPendingCourses } from './api'
import { type ClassChosen, chosenOf, hoursWords, keyOf, type Pending } from './timetableRules'

/** So many classes of a course are offered. */
const MOST = 500

interface ClassesSelectProps {
  semesterId: number | undefined
  courseId: number | undefined
  /** The names of classes that are chosen already. */
  known: readonly (ClassChosen & { className: string })[]
  value?: ClassChosen[]
  onChange?: (classes: ClassChosen[]) => void
  /** Gets what is known of the classes that were chosen. */
  onFound: (rows: readonly Pending[]) => void
  'aria-label'?: string
}

/** The classes of a course in a semester, each by the opening that it belongs to, with how far its hours are. */
export const ClassesSelect = (props: ClassesSelectProps) => {
  const { semesterId, courseId, known, value = [], onChange, onFound, 'aria-label': label } = props
  const select = useRef<SelectHandle>(null)
  // Arco names the box of the whole; the one inside, in which one types, has no name once something is chosen.
  useEffect(() => select.current?.dom?.querySelector('input')?.setAttribute('aria-label', label ?? ''), [label])
  const request = useRequest()
  const body = { semesterId, courseId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const found = useQuery({
    queryKey: [listPendingCourses.path, 'of', body],
    queryFn: ({ signal }) => request(listPendingCourses, { body }, { signal }),
    enabled: semesterId !== undefined && courseId !== undefined,
  })
  const rows = found.data?.list ?? []
  const offered = rows.map((row) => ({
    value: keyOf(row),
    label: `${row.className}（${row.students}人，${hoursWords(row)}学时）`,
  }))
  const names = new Map(known.map((each) => [keyOf(each), each.className]))
  const missing = value
    .map(keyOf)
    .filter((key) => !offered.some((each) => each.value === key))
    .map((key) => ({ value: key, label: names.get(key) ?? `编号${chosenOf(key).classId}` }))
  return (
    <Select
      ref={select}
      mode="multiple"
      aria-label={label}
      placeholder={courseId ? '多个班级为合班' : '请先选择课程'}
      allowClear
      disabled={semesterId === undefined || courseId === undefined}
      loading={found.isFetching}
      value={value.map(keyOf)}
      onChange={(keys: string[]) => {
        onFound(rows.filter((row) => keys.includes(keyOf(row))))
        onChange?.(keys.map(chosenOf))
      }}
      notFoundContent="该课程没有面授或混合教学的班级"
      options={[...missing, ...offered]}
    />
  )
}

/** The lessons of a day at a site; of none, those of the school. */
export const usePeriods = (siteId: number | undefined) => {
  const request = useRequest()
  return useQuery({
    queryKey: [listLessonPeriods.path, siteId],
    queryFn: ({ signal }) => request(listLessonPeriods, { query: { siteId } }, { signal }),
  })
}

interface PeriodSelectProps {
  siteId: number | undefined
  /** Which side of a lesson is told beside its number. */
  side: 'startsAt' | 'endsAt'
  value?: number
  onChange?: (no: number | undefined) => void
  'aria-label'?: string
}

/** 第1节 08:00, of the lessons that count at a site. */
export const PeriodSelect = ({ siteId, side, value, onChange, 'aria-label': label }: PeriodSelectProps) => {
  const periods = usePeriods(siteId).data?.periods ?? []
  const offered = periods.map((period) => ({ value: period.no, label: `第${period.no}节 ${period[side]}` }))
  const missing = value !== undefined && !periods.some(({ no }) => no === value)
  return (
    <Select
      aria-label={label}
      placeholder="请选择"
      value={value}
      onChange={onChange}
      options={missing ? [{ value, label: `第${value}节` }, ...offered] : offered}
    />
  )
}

interface DatesInputProps {
  value?: string[]
  onChange?: (days: string[]) => void
  'aria-label'?: string
}

/** Several days, picked or typed one after the other. */
export const DatesInput = ({ value = [], onChange, 'aria-label': label }: DatesInputProps) => (
  <div className="dates-input">
    <DateInput
      aria-label={label}
      placeholder="选择后加入"
      onChange={(day) => day && onChange?.([...new Set([...value, day])].sort())}
    />
    {value.length > 0 && (
      <div className="dates-chosen">
        {value.map((day) => (
          <Tag key={day} closable onClose={() => onChange?.(value.filter((each) => each !== day))}>
            {day}
          </Tag>
        ))}
      </div>
    )}
  </div>
)
