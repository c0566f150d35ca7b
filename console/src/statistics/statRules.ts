import type { StatCard, StatCell, StatChart, StatColumn, StatRow, StatTable } from '@/api/types/statistics'
import type { ChartData } from '@/kit/chartOption'
import { formatNumber, formatPercent, formatTenths } from '@/kit/format'

/** The row of the sums among the others: no row of the server has such a number. */
export const TOTAL_ID = -1
/** Where there is nothing to divide by. */
const NOTHING = '–'

export const isTotal = ({ id }: { id: number }) => id === TOTAL_ID

/** The rows as they stand in the table: 合计 first, and over schools each under the name of its school. */
export const rowsOf = (table: StatTable | undefined, overAll: boolean): StatRow[] => {
  if (!table) return []
  const total = table.total ? [{ ...table.total, id: TOTAL_ID }] : []
  const rows = [...total, ...table.list]
  return overAll ? rows.map((row) => ({ ...row, schoolName: row.schoolName ?? row.name })) : rows
}

/** A figure as people write it; its column says of which kind it is. */
export const cellWords = ({ kind }: Pick<StatColumn, 'kind'>, cell: StatCell | undefined) => {
  if (cell?.text) return cell.text
  if (cell?.number == null) return kind === 'text' ? '' : NOTHING
  if (kind === 'percent') return formatPercent(cell.number)
  return kind === 'decimal' ? formatTenths(cell.number) : formatNumber(cell.number)
}

/** A register whose end does not follow from its beginning: it must be looked into (05 A6). */
export const isWrong = ({ key }: Pick<StatColumn, 'key'>, cell: StatCell | undefined) =>
  key === 'difference' && Boolean(cell?.number)

/** A card's figure with its unit. */
export const cardWords = ({ value, unit }: Pick<StatCard, 'value' | 'unit'>) => {
  if (value == null) return NOTHING
  return unit === '%' ? formatPercent(value) : `${formatNumber(value)}${unit}`
}

/** How a card differs from the same of the time before: +3, -2.5; nothing where there was none. */
export const changeOf = ({ value, compare }: Pick<StatCard, 'value' | 'compare'>) => {
  if (value == null || compare == null) return undefined
  const change = Math.round((value - compare) * 10) / 10
  return change > 0 ? `+${formatNumber(change)}` : formatNumber(change)
}

/** A chart as the kit draws it. Shares of several groups are stacked bars, of one group a bar of shares. */
export const chartOf = ({ title, kind, unit, series }: StatChart): ChartData => {
  if (kind !== 'share') return { title, kind, unit, series }
  const groups = Math.max(0, ...series.map(({ points }) => points.length))
  if (groups > 1) return { title, kind: 'bar', stacked: true, unit, series }
  const points = series.map(({ name, points: [only] }) => ({ name, value: only?.value ?? 0 }))
  return { title, kind, unit, series: [{ name: title, points }] }
}

export const isEmptyChart = ({ series }: Pick<StatChart, 'series'>) => series.every(({ points }) => points.length === 0)

/** The charts whose figures say more in a form of their own. */
export const formOf = ({ key, series }: Pick<StatChart, 'key' | 'series'>): 'heat' | 'boxes' | 'chart' => {
  if (key === 'hours' && series.length === WEEKDAYS) return 'heat'
  return key === 'classes' && series.length === BOX ? 'boxes' : 'chart'
}

const WEEKDAYS = 7
const BOX = 5

/** How strong the colour of a figure is, beside the largest: 0 to 1. */
export const strength = (value: number, most: number) => (most > 0 ? Math.round((value * 100) / most) / 100 : 0)

export type Five = readonly [least: number, lower: number, median: number, upper: number, most: number]

/** The boxes of a chart of five lines, by the name of their group. */
export const boxesOf = ({ series }: Pick<StatChart, 'series'>) => {
  const names = series[0]?.points.map(({ name }) => name) ?? []
  return names.flatMap((name) => {
    const [least, lower, median, upper, most] = series.map(
      ({ points }) => points.find((point) => point.name === name)?.value,
    )
    if (least == null || lower == null || median == null || upper == null || most == null) return []
    const five: Five = [least, lower, median, upper, most]
    return [{ name, five }]
  })
}

export type Level = 'site' | 'class' | 'course' | 'task' | 'exam' | 'teacher' | 'student'

/** What a row of a level narrows the next one to. */
export type Below = (row: StatRow) => Record<string, string | undefined> | undefined

/** The field by which a level is asked for. */
const fields: Record<Exclude<Level, 'student'>, string> = {
  site: 'siteId',
  class: 'classId',
  course: 'courseId',
  task: 'homeworkId',
  exam: 'setupId',
  teacher: 'teacherId',
}

/** From a row to the level below it: what belongs to no unit leads nowhere, and neither do the people. */
export const below =
  (level: Level, next: Level | undefined): Below =>
  ({ id }) =>
    next && level !== 'student' && id > 0 ? { level: next, [fields[level]]: String(id) } : undefined

export const reports = ['overview', 'recruit', 'status', 'teaching', 'score', 'graduate', 'yearly'] as const
export type Report = (typeof reports)[number]

/** Which filters a report has (05 A6). */
const asked: Readonly<Record<Report, readonly string[]>> = {
  overview: ['date', 'siteId'],
  recruit: ['gradeId', 'preRegistrationBatchId', 'dimension', 'siteId'],
  status: ['date', 'dimension', 'siteId'],
  teaching: ['semesterId', 'dimension', 'siteId'],
  score: ['semesterId', 'courseId', 'dimension', 'siteId'],
  graduate: ['graduationBatchId', 'gradeId', 'dimension', 'siteId'],
  yearly: ['year', 'siteId'],
}

export const asks = (report: Report, field: string) => asked[report].includes(field)
