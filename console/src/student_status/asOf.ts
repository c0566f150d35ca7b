import type { BodyOf } from '@/api/operation'
import { bodyOf, FIRST_PAGE, PAGE_SIZE } from '@/kit/useQueryTable'
import { listStudentsAsOf } from './api'

/** What is asked of the register of a day (某日学籍). */
export type Asked = BodyOf<typeof listStudentsAsOf>

export type Filters = Readonly<Record<string, string>>

/** Which part of a list is shown. */
export interface Span {
  pageCurrent: number
  pageSize: number
}

export const firstSpan: Span = { pageCurrent: FIRST_PAGE, pageSize: PAGE_SIZE }

/** The last day of the month before: the one on which students are counted for reports. Both are `YYYY-MM-DD`. */
export const lastMonthEnd = (today: string) => {
  const end = new Date(`${today.slice(0, 'YYYY-MM'.length)}-01T00:00:00Z`)
  end.setUTCDate(0)
  return end.toISOString().slice(0, today.length)
}

/** Why the register of a day cannot be told; nothing where it can. */
export const dayRefused = (on: string | undefined, today: string) => {
  if (!on) return '请选择日期'
  return on > today ? '日期不能晚于今天' : undefined
}

/** Filters with some of them changed; one without a value is taken off. */
export const filtersWith = (before: Filters, values: Readonly<Record<string, string | undefined>>): Filters =>
  Object.fromEntries(
    Object.entries({ ...before, ...values }).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  )

/** The body of the call; the document says what kind each filter is. */
export const askedOf = (on: string, filters: Filters, span: Span): Asked => {
  const typed: object = bodyOf(listStudentsAsOf, new URLSearchParams(filters))
  return { ...Object.fromEntries(Object.entries(typed)), ...span, on }
}
