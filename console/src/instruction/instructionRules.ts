import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listAttendance, listAttendanceSessions, listInstructionScores } from './api'

export type Score = RowOf<typeof listInstructionScores>
export type Session = RowOf<typeof listAttendanceSessions>
export type Roster = DataOf<typeof listAttendance>
export type Attendance = Roster['rows'][number]
export type Result = NonNullable<Attendance['result']>

export const statusTones: Partial<Record<Score['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'warning',
  confirmed: 'good',
}

/** What a score is called where one is meant: 张三《管理学》. */
export const nameOf = ({ name, courseName }: Pick<Score, 'name' | 'courseName'>) => `${name}《${courseName}》`

/** What a session is called: 管理学 2026-03-21 第1-4节. */
export const sessionName = ({ courseName, date, periodFrom, periodTo }: Session) =>
  `${courseName} ${date} 第${periodFrom === periodTo ? periodFrom : `${periodFrom}-${periodTo}`}节`

/** Scores as people write them: 83.3; nothing as a dash. */
export const points = (score: number | null | undefined) =>
  score === null || score === undefined ? '—' : score.toFixed(1)

type InState = Pick<Score, 'status'>

/** Why a step with a score is not to be had now; the server has the last word (03 B8). */
export const can = {
  edit: ({ status }: InState) => {
    if (status === 'confirmed') return '已确认的成绩不能修改'
    return status === 'submitted' ? '已提交的成绩不能修改，请先退回' : undefined
  },
  submit: ({ status, performanceScore }: Pick<Score, 'status' | 'performanceScore'>) => {
    if (status !== 'draft') return '只有录入中的可以提交'
    return performanceScore === null || performanceScore === undefined ? '还未录入表现成绩' : undefined
  },
  confirm: ({ status }: InState) => (status === 'submitted' ? undefined : '只有已提交的可以确认'),
  return: ({ status }: InState) => (status === 'submitted' ? undefined : '只有已提交的可以退回'),
  revoke: ({ status }: InState) => (status === 'confirmed' ? undefined : '只有已确认的可以撤销'),
}

/** What was typed and not saved, by row; an emptied score is null. */
export type Draft = ReadonlyMap<number, { row: Score; performanceScore: number | null }>

/** A score that was typed; one that is as it was saved is no change. */
export const withTyped = (before: Draft, row: Score, performanceScore: number | null): Draft => {
  const after = new Map(before)
  if (performanceScore === (row.performanceScore ?? null)) after.delete(row.id)
  else after.set(row.id, { row, performanceScore })
  return after
}

export const itemsOf = (draft: Draft) =>
  [...draft.values()].map(({ row, performanceScore }) => ({
    selectionId: row.selectionId,
    performanceScore,
    version: row.version,
  }))

/** What was typed, under the versions that the rows have now. */
export const renewed = (draft: Draft, rows: readonly Score[]): Draft =>
  new Map(
    [...draft].map(([id, typed]) => [id, { ...typed, row: rows.find((row) => row.id === id) ?? typed.row }] as const),
  )

/* 考勤登记. */

/** What was chosen of a roster and not saved, by selection. */
export type Chosen = ReadonlyMap<number, Result>

export const withChosen = (before: Chosen, row: Attendance, result: Result): Chosen => {
  const after = new Map(before)
  if (result === row.result) after.delete(row.selectionId)
  else after.set(row.selectionId, result)
  return after
}

/** Everybody who was not registered came. */
export const allPresent = (before: Chosen, rows: readonly Attendance[]): Chosen => {
  const free = rows.filter((row) => !row.result && !before.has(row.selectionId) && isOpen(row))
  return new Map([...before, ...free.map((row) => [row.selectionId, 'present'] as const)])
}

/** Attendance stays as it is once the score was submitted. */
export const isOpen = ({ status }: Pick<Attendance, 'status'>) => status === 'draft'

/** What is sent: the versions that were read, so that of two who register the second hears of the first. */
export const attendanceOf = (chosen: Chosen, rows: readonly Attendance[]) =>
  rows.flatMap(({ selectionId, version }) => {
    const result = chosen.get(selectionId)
    return result ? [{ selectionId, result, version }] : []
  })

/** How many of a roster there are of each result, with what was chosen since. */
export const countsOf = (chosen: Chosen, rows: readonly Attendance[]) => {
  const counts = new Map<Result | undefined, number>()
  for (const { selectionId, result } of rows) {
    const now = chosen.get(selectionId) ?? result ?? undefined
    counts.set(now, (counts.get(now) ?? 0) + 1)
  }
  return counts
}

/** Why the attendance of a session cannot be registered. */
export const whyNotYet = ({ startsAt }: Pick<Session, 'startsAt'>, now: Date) =>
  new Date(startsAt) > now ? '该次课还未开始，不能登记考勤' : undefined
