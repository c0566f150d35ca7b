import type { FieldError } from '@/api/errors'
import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type {
  arrangeAutomatically,
  checkArrange,
  listArranges,
  listBlocks,
  listPendingCourses,
  saveArrange,
  showTimetable,
  viewArrange,
  viewArrangeProposal,
} from './api'

export type Arrange = RowOf<typeof listArranges>
export type Meeting = DataOf<typeof viewArrange>['meetings'][number]
export type Pending = RowOf<typeof listPendingCourses>
export type Block = RowOf<typeof listBlocks>
export type Timetable = DataOf<typeof showTimetable>
export type Entry = Timetable['entries'][number]
export type Checked = DataOf<typeof checkArrange>
export type Proposal = DataOf<typeof viewArrangeProposal>
export type ArrangeBody = BodyOf<typeof saveArrange>
export type AutoBody = BodyOf<typeof arrangeAutomatically>

/** Whose timetable is shown. */
export type Whose = Timetable['kind']

export const statusTones: Partial<Record<Arrange['status'], Tone>> = {
  draft: 'quiet',
  published: 'good',
  cancelled: 'bad',
}

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'] as const

/** 1 to 7, Monday first, with their words. */
export const weekdays = WEEKDAYS.map((word, at) => ({ value: at + 1, label: `星期${word}` }))

export const weekdayWord = (weekday: number) => `星期${WEEKDAYS[weekday - 1] ?? weekday}`

/** 第1-4节, and 第3节 of a single one. */
export const periodWords = (from: number, to: number) => (from === to ? `第${from}节` : `第${from}-${to}节`)

type When = Pick<Arrange, 'mode' | 'weekday' | 'weeks' | 'dates' | 'periodFrom' | 'periodTo'>

/** When an arrangement meets: 1-16周 星期六 第1-4节, or its days. */
export const timeWords = ({ mode, weekday, weeks, dates, periodFrom, periodTo }: When) => {
  const periods = periodWords(periodFrom, periodTo)
  return mode === 'weekly' && weekday
    ? `${weeks}周 ${weekdayWord(weekday)} ${periods}`
    : `${dates.join('、')} ${periods}`
}

/** What an arrangement is called where one is meant: 管理学（会计一班、会计二班）. */
export const nameOf = ({ courseName, classes }: Pick<Arrange, 'courseName' | 'classes'>) =>
  `${courseName}（${classes.map(({ className }) => className).join('、')}）`

/** 3月21日第1-4节. */
export const meetingName = ({ date, periodFrom, periodTo }: Pick<Meeting, 'date' | 'periodFrom' | 'periodTo'>) => {
  const [, month, day] = date.split('-').map(Number)
  return `${month}月${day}日${periodWords(periodFrom, periodTo)}`
}

/** How many of a class's lessons are arranged: 24 / 36. */
export const hoursWords = ({ scheduled, required }: { scheduled: number; required: number }) =>
  `${scheduled} / ${required}`

export const hoursTone = ({ scheduled, required }: { scheduled: number; required: number }): Tone => {
  if (scheduled === required) return 'good'
  return scheduled > required ? 'bad' : 'warning'
}

/** Of classes that are taught together the one that lacks most. */
export const leastArranged = <Counted extends { scheduled: number; required: number }>(classes: readonly Counted[]) =>
  [...classes].sort((a, b) => a.scheduled - a.required - (b.scheduled - b.required))[0]

/** Why a step with an arrangement is not to be had now; the server has the last word. */
export const can = {
  edit: ({ status }: Pick<Arrange, 'status'>) => (status === 'draft' ? undefined : '只有草稿可以编辑，已发布的请调课'),
  delete: ({ status }: Pick<Arrange, 'status'>) => (status === 'draft' ? undefined : '只有草稿可以删除'),
  publish: ({ status }: Pick<Arrange, 'status'>) => (status === 'draft' ? undefined : '只有草稿可以发布'),
  cancel: ({ status }: Pick<Arrange, 'status'>) => (status === 'cancelled' ? '该排课已取消' : undefined),
}

/** A lesson of an arrangement as it stands, on the list of it or in a timetable. */
export interface Lesson {
  /** Of the session. */
  id: number
  version: number
  courseName: string
  date: string
  periodFrom: number
  periodTo: number
  teacherId: number
  teacherName: string
  /** Where it is, whose lessons of the day count. */
  siteId: number
  classroomId?: number | null
  classroomName?: string | null
}

interface Standing {
  arrange: Arrange['status']
  session: Meeting['status']
  attended: boolean
}

/** Why a lesson is not moved. */
export const whyFixed = ({ arrange, session, attended }: Standing) => {
  if (session === 'cancelled') return '该次课已取消'
  if (attended) return '该次课已有考勤记录'
  if (arrange === 'draft') return '草稿还未发布，请直接编辑排课'
  return arrange === 'cancelled' ? '该排课已取消' : undefined
}

export const lessonOf = (entry: Entry): Lesson => ({ ...entry, id: entry.sessionId })

/* What is typed. */

/** A class by the opening of the course that it takes part in. */
export type ClassChosen = ArrangeBody['classes'][number]

/** The form of an arrangement as it stands while somebody types. */
export type Typed = Partial<{ [Name in keyof ArrangeBody]: ArrangeBody[Name] | undefined }>

/** An arrangement as its form wants it. */
export const typedOf = (arrange: Arrange): Typed => ({
  semesterId: arrange.semesterId,
  courseId: arrange.courseId,
  classes: arrange.classes.map(({ classId, openingId }) => ({ classId, openingId })),
  teacherId: arrange.teacherId,
  assistantTeacherIds: arrange.assistants.map(({ id }) => id),
  siteId: arrange.siteId,
  classroomId: arrange.classroomId,
  kind: arrange.kind,
  mode: arrange.mode,
  weekday: arrange.weekday,
  weeks: arrange.weeks || undefined,
  dates: arrange.dates,
  periodFrom: arrange.periodFrom,
  periodTo: arrange.periodTo,
  allowOverCapacity: arrange.allowOverCapacity,
  remark: arrange.remark,
})

/** What is sent of a form that is filled in as far as it can be judged; of a way of repeating only its own fields. */
export const bodyOf = (typed: Typed): ArrangeBody | undefined => {
  const { semesterId, courseId, classes = [], teacherId, siteId, kind, mode, periodFrom, periodTo } = typed
  if (!semesterId || !courseId || !teacherId || !siteId || !kind || !mode || !periodFrom || !periodTo) return undefined
  const weeks = typed.weeks?.trim()
  const dates = typed.dates ?? []
  const isWeekly = mode === 'weekly'
  const hasDays = isWeekly ? Boolean(typed.weekday && weeks) : dates.length > 0
  if (classes.length === 0 || !hasDays) return undefined
  return {
    semesterId,
    courseId,
    classes,
    teacherId,
    assistantTeacherIds: typed.assistantTeacherIds ?? [],
    siteId,
    classroomId: typed.classroomId ?? null,
    kind,
    mode,
    weekday: isWeekly ? typed.weekday : null,
    weeks: isWeekly ? weeks : null,
    dates: isWeekly ? [] : dates,
    periodFrom,
    periodTo,
    allowOverCapacity: typed.allowOverCapacity ?? false,
    remark: typed.remark?.trim() || null,
  }
}

/** What waits to be arranged, as a form begins with it. */
export const typedFrom = (pending: Pending, semesterId: number | undefined): Typed => ({
  semesterId,
  courseId: pending.courseId,
  classes: [{ classId: pending.classId, openingId: pending.openingId }],
  teacherId: pending.teacherId ?? undefined,
  siteId: pending.siteId,
})

/** A class of an opening as one value of a selector. */
export const keyOf = ({ classId, openingId }: ClassChosen) => `${openingId}-${classId}`

export const chosenOf = (key: string): ClassChosen => {
  const [openingId = 0, classId = 0] = key.split('-').map(Number)
  return { classId, openingId }
}

type Conflict = Checked['conflicts'][number]

/** 教师“张三”2026-03-21 第1-4节已安排《管理学》(301教室). */
export const conflictWords = (conflict: Conflict, kindWord: (kind: Conflict['kind']) => string) =>
  `${kindWord(conflict.kind)}“${conflict.name}”${conflict.date} ${conflict.periods}已安排${conflict.with}`

const isConflict = (value: unknown): value is Conflict =>
  typeof value === 'object' && value !== null && 'kind' in value && 'with' in value && 'date' in value

/** All that is in the way, in the answer of a refused call. */
export const conflictsIn = (data: unknown): Conflict[] =>
  typeof data === 'object' && data !== null && 'conflicts' in data && Array.isArray(data.conflicts)
    ? data.conflicts.filter(isConflict)
    : []

/** 停课 on which days, where several are left out for one reason. */
export const skippedWords = (skipped: Checked['skipped']) => {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))]
  return reasons.map(
    (reason) =>
      `${reason}：${skipped
        .filter((each) => each.reason === reason)
        .map(({ date }) => date)
        .join('、')}`,
  )
}

/* Days, as `YYYY-MM-DD`; they have no zone. */

const DAY_MS = 24 * 3600 * 1000
const DAYS_OF_WEEK = 7
const textOf = (at: number) => new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const addDays = (day: string, count: number) => textOf(instantOf(day) + count * DAY_MS)

/** The Monday of the week in which a day lies. */
export const mondayOf = (day: string) => {
  const at = (new Date(instantOf(day)).getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK
  return addDays(day, -at)
}

export const daysFrom = (day: string, count: number) => Array.from({ length: count }, (_, at) => addDays(day, at))

/** The days of a week. */
export const weekOf = (day: string) => daysFrom(mondayOf(day), DAYS_OF_WEEK)

/** The weeks that a month touches, each from Monday on. */
export const monthOf = (day: string): string[][] => {
  const first = `${day.slice(0, 'YYYY-MM'.length)}-01`
  const next = addMonths(first, 1)
  const weeks: string[][] = []
  for (let monday = mondayOf(first); monday < next; monday = addDays(monday, DAYS_OF_WEEK)) weeks.push(weekOf(monday))
  return weeks
}

/** The first day of the month that is so many months away. */
export const addMonths = (day: string, count: number) => {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return textOf(Date.UTC(year, month - 1 + count, 1))
}

/** 3月21日. */
export const dayWords = (day: string) => {
  const [, month, date] = day.split('-').map(Number)
  return `${month}月${date}日`
}

/** 08:00 of 2026-03-21T08:00:00+08:00: times come in the zone of the schools. */
export const clockOf = (at: string) => at.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:mm'.length)

/** A row of the grid of a week: a lesson of the day, or a time of another site that lies beside all of them. */
export interface GridRow {
  no?: number
  from: string
  to: string
}

type Timed = Pick<Entry, 'startsAt' | 'endsAt'>

const isIn = (row: GridRow, { startsAt, endsAt }: Timed) => row.from < clockOf(endsAt) && clockOf(startsAt) < row.to

/** The rows of a week by the time of the day: what is the fifth lesson at one site may be in the evening at another. */
export const rowsOf = ({ periods, entries }: Pick<Timetable, 'periods' | 'entries'>): GridRow[] => {
  const rows: GridRow[] = periods.map(({ no, startsAt, endsAt }) => ({ no, from: startsAt, to: endsAt }))
  for (const entry of entries) {
    if (!rows.some((row) => isIn(row, entry))) rows.push({ from: clockOf(entry.startsAt), to: clockOf(entry.endsAt) })
  }
  return rows.sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** Lessons of a day that stand together in the grid: those of one begin before those of another end. */
export interface Cell {
  /** By its place among the rows. */
  from: number
  span: number
  entries: Entry[]
}

/** The lessons of a day in the rows of their times, beneath each other where they overlap. */
export const cellsOf = (entries: readonly Entry[], rows: readonly GridRow[]): Cell[] => {
  const cells: Cell[] = []
  const placed = entries.flatMap((entry) => {
    const places = rows.flatMap((row, at) => (isIn(row, entry) ? [at] : []))
    const [first] = places
    return first === undefined ? [] : [{ entry, first, behind: first + places.length }]
  })
  for (const { entry, first, behind } of placed.sort((a, b) => a.first - b.first || a.behind - b.behind)) {
    const last = cells.at(-1)
    const end = last ? last.from + last.span : 0
    if (last && first < end) {
      last.entries.push(entry)
      last.span = Math.max(end, behind) - last.from
    } else {
      cells.push({ from: first, span: behind - first, entries: [entry] })
    }
  }
  return cells
}

/** Whether a lesson that lies ahead would go into the past. */
export const isBack = ({ startsAt }: Pick<Entry, 'startsAt'>, to: string, now: Date, today: string) =>
  new Date(startsAt) > now && to < today

/** What is wrong with the lessons of a day, by the first of them: 第2节：不能早于上一节的结束时间. */
export const periodRefusal = (errors: readonly FieldError[]) => {
  const [first] = errors
  const place = /^periods\[(\d+)\]/.exec(first?.field ?? '')?.[1]
  return first && (place ? `第${Number(place) + 1}节：${first.message}` : first.message)
}

/* 自动排课. */

/** A block of lessons as it stands while somebody types. */
export interface TypedBlock {
  key: number
  periodFrom?: number
  periodTo?: number
}

export type PeriodBlock = AutoBody['blocks'][number]

/** The blocks that are whole. */
export const blocksOf = (typed: readonly TypedBlock[]): PeriodBlock[] =>
  typed.flatMap(({ periodFrom, periodTo }) =>
    periodFrom && periodTo && periodFrom <= periodTo ? [{ periodFrom, periodTo }] : [],
  )

interface Wish {
  weekdays: readonly number[]
  dates: readonly string[]
  blocks: readonly TypedBlock[]
}

/** What lacks before a proposal can be asked for. */
export const whyNotReady = ({ weekdays, dates, blocks }: Wish) => {
  if (weekdays.length === 0 && dates.length === 0) return '请选择可用的星期或日期'
  const whole = blocksOf(blocks)
  if (whole.length === 0) return '请填写节次段'
  return whole.length < blocks.length ? '节次段的结束节次不能早于开始节次' : undefined
}

/** Numbers of classes of openings, as the step over pending courses names them. */
export const itemsOf = (rows: readonly Pick<Pending, 'classId' | 'openingId'>[]): ClassChosen[] =>
  rows.map(({ classId, openingId }) => ({ classId, openingId }))

/** Whether the same classes of courses are meant, in whatever order they were ticked. */
export const areSame = (one: readonly ClassChosen[], other: readonly ClassChosen[]) => {
  const keys = new Set(other.map(keyOf))
  return one.length === other.length && one.every((item) => keys.has(keyOf(item)))
}

/** Where a calendar program reads: the server tells what comes behind its own calls. */
export const calendarAddress = (address: string, base = document.baseURI) =>
  new URL(`./admin/apis${address}`, base).href
