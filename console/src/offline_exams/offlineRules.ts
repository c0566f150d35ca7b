import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { Setup } from '@/exams/examRules'
import type {
  listMakeupCandidates,
  listOfflineClashes,
  makeMakeupSetups,
  placeOfflineSetups,
  saveOfflineSetup,
  viewOfflineSetup,
} from './api'

/** Examinations on paper, as their screens show them (04 §4). Pure; the server repeats every check. */

export type ExamView = DataOf<typeof viewOfflineSetup>
export type ExamBody = BodyOf<typeof saveOfflineSetup>
export type Makeup = RowOf<typeof listMakeupCandidates>
export type Made = DataOf<typeof makeMakeupSetups>
export type Placed = DataOf<typeof placeOfflineSetups>
export type Clash = DataOf<typeof listOfflineClashes>['list'][number]

type InState = Pick<Setup, 'status' | 'sessionId'>

/** Why a step with an examination is not to be had now; the server has the last word (04 §4.2). */
export const can = {
  submit: ({ status, sessionId }: InState) =>
    status !== 'draft' ? '只有草稿可以提交' : sessionId ? undefined : '请先选择考试场次',
  publish: ({ status }: InState) => (status === 'approved' ? undefined : '审核通过后可以发布'),
  withdraw: ({ status }: InState) => (status === 'published' ? undefined : '只有已发布的可以撤回'),
  cancel: ({ status }: InState) =>
    status === 'closed' || status === 'cancelled' ? '已结束和已取消的不能取消' : undefined,
  remove: ({ status }: InState) => (status === 'draft' ? undefined : '只有草稿可以删除'),
  edit: ({ status }: InState) => {
    if (status === 'draft' || status === 'published') return undefined
    return status === 'submitted' || status === 'approved' ? '请先在考试审核中退回' : '已结束和已取消的不能修改'
  },
  decide: ({ status }: InState) => (status === 'submitted' ? undefined : '只有待审核的可以审核'),
  giveBack: ({ status }: InState) =>
    status === 'submitted' || status === 'approved' ? undefined : '只有待审核和已通过的可以退回',
}

/** Drafts that were given back say so. */
export const isReturned = ({ status, reviewOpinion }: Pick<Setup, 'status' | 'reviewOpinion'>) =>
  status === 'draft' && Boolean(reviewOpinion)

interface Chosen {
  selectionId: number
  courseId: number
  semesterId: number
}

/** People who were chosen, by course and semester: each becomes an examination. */
export const linesOf = (rows: readonly Chosen[]) => {
  const lines = new Map<string, { courseId: number; semesterId: number; selectionIds: number[] }>()
  for (const { courseId, semesterId, selectionId } of rows) {
    const key = `${courseId}-${semesterId}`
    const line = lines.get(key) ?? { courseId, semesterId, selectionIds: [] }
    line.selectionIds.push(selectionId)
    lines.set(key, line)
  }
  return [...lines.values()]
}

interface InCalendar {
  sessionId?: number | null
  sessionCode?: string | null
  startsAt?: string | null
}

export interface CalendarDay<Own> {
  day: string
  sessions: { code: string; exams: Own[] }[]
}

const ZONE_MS = 8 * 3600 * 1000

/** The day of a moment in the product's zone. */
export const dayOf = (moment: string) => new Date(new Date(moment).getTime() + ZONE_MS).toISOString().slice(0, 10)

/** Examinations by day and session; those without a session by themselves. */
export const calendarOf = <Own extends InCalendar>(rows: readonly Own[]) => {
  const placed = rows.filter(({ sessionId, startsAt }) => sessionId != null && startsAt != null)
  const days = [...new Set(placed.map(({ startsAt }) => dayOf(startsAt ?? '')))].sort()
  const calendar: CalendarDay<Own>[] = days.map((day) => {
    const own = placed.filter(({ startsAt }) => dayOf(startsAt ?? '') === day)
    const codes = [...new Set(own.map(({ sessionCode }) => sessionCode ?? ''))].sort()
    return { day, sessions: codes.map((code) => ({ code, exams: own.filter((each) => each.sessionCode === code) })) }
  })
  return { calendar, unplaced: rows.filter((row) => !placed.includes(row)) }
}

/** What a new examination begins with. */
export const newExam = (begun: Partial<ExamBody>): Partial<ExamBody> => ({
  maxAbsence: 33,
  requireFee: false,
  includeDeferred: true,
  noSeating: false,
  classIds: [],
  papers: [],
  ...begun,
})
