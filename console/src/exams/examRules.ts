import type { DataOf, RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type { listOnlineCandidates, listOnlineSetups } from '@/online_exams/api'
import type { listDeferrals, listExamMarkers, listTestBatches, listViolations, viewExamMarkers } from './api'

/** Batches, examinations and what happens in them (04 §1–§3). Pure; the server repeats every check. */

export type Batch = RowOf<typeof listTestBatches>
export type Setup = RowOf<typeof listOnlineSetups>
export type Candidate = RowOf<typeof listOnlineCandidates>
export type Deferral = RowOf<typeof listDeferrals>
export type Violation = RowOf<typeof listViolations>
export type Marker = RowOf<typeof listExamMarkers>
export type MarkedSetup = DataOf<typeof viewExamMarkers>

export const batchTones: Partial<Record<Batch['status'], Tone>> = {
  draft: 'quiet',
  active: 'good',
  closed: 'warning',
  archived: 'quiet',
}

export const setupTones: Partial<Record<Setup['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'warning',
  approved: 'busy',
  published: 'good',
  closed: 'quiet',
  cancelled: 'bad',
}

export const phaseTones: Partial<Record<Setup['phase'], Tone>> = {
  not_started: 'quiet',
  running: 'busy',
  ended: 'quiet',
}

export const markingTones: Partial<Record<Setup['markingStatus'], Tone>> = {
  none: 'quiet',
  marking: 'warning',
  done: 'busy',
  transferred: 'good',
}

export const eligibilityTones: Partial<Record<Candidate['eligibility'], Tone>> = {
  eligible: 'good',
  disqualified: 'bad',
  deferred: 'warning',
  exempt: 'quiet',
}

export const attendanceTones: Partial<Record<Candidate['attendance'], Tone>> = {
  unknown: 'quiet',
  present: 'good',
  absent: 'bad',
}

export const levelTones: Partial<Record<Candidate['violationLevel'], Tone>> = {
  none: 'quiet',
  violation: 'warning',
  cheating: 'bad',
}

export const deferralTones: Partial<Record<Deferral['status'], Tone>> = {
  applied: 'warning',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
  used: 'quiet',
}

export const violationTones: Partial<Record<Violation['status'], Tone>> = {
  reported: 'warning',
  confirmed: 'bad',
  dismissed: 'quiet',
  revoked: 'quiet',
}

export const markerTones: Partial<Record<Marker['status'], Tone>> = {
  assigned: 'quiet',
  working: 'busy',
  finished: 'good',
}

const MINUTES = 'YYYY-MM-DD HH:mm'

/** 2026-06-20 09:00至11:00; the day of the end is told where it is another. */
export const timeWords = (startsAt: string | null | undefined, endsAt: string | null | undefined) => {
  if (!startsAt || !endsAt) return '—'
  const sameDay = formatTime(startsAt, 'YYYY-MM-DD') === formatTime(endsAt, 'YYYY-MM-DD')
  return `${formatTime(startsAt, MINUTES)}至${formatTime(endsAt, sameDay ? 'HH:mm' : MINUTES)}`
}

/** 2026-06-20至2026-06-30. */
export const daysWords = (from: string | null | undefined, to: string | null | undefined) =>
  from && to ? `${from}至${to}` : '—'

/** Why a step with a batch is not to be had now; the server has the last word (04 §1). */
export const canBatch = {
  edit: ({ status }: Pick<Batch, 'status'>) =>
    status === 'draft' || status === 'active' ? undefined : '已结束和已归档的批次不能修改',
  remove: ({ status }: Pick<Batch, 'status'>) => (status === 'draft' ? undefined : '只有草稿可以删除'),
}

/** What may be changed of a batch: all of a draft; of an active one the name, wider dates, the entry of scores, notice and remark. */
export const isFixed = ({ status }: Pick<Batch, 'status'>) => status !== 'draft'

/** Clauses begin with Z where somebody cheated. */
export const clausesOf = (level: string | undefined, clauses: readonly (readonly [string, string])[]) =>
  clauses.filter(([code]) => (level === 'cheating' ? code.startsWith('Z') : code.startsWith('W')))

type OfMarker = Pick<Marker, 'assigned' | 'done' | 'deadlineAt' | 'status'>

/** 已阅/应阅. */
export const progressWords = ({ assigned, done }: Pick<OfMarker, 'assigned' | 'done'>) => `${done} / ${assigned}`

/** Whether a marker should have been done before now. */
export const isOverdue = ({ deadlineAt, status }: OfMarker, now: number) =>
  status !== 'finished' && deadlineAt != null && new Date(deadlineAt).getTime() < now

/** Why a marker cannot be taken away. */
export const whyKept = ({ done }: Pick<Marker, 'done'>) => (done > 0 ? `该教师已阅 ${done} 份，不能移除` : undefined)

export const SLOTS = ['A', 'B', 'C', 'D', 'E', 'F'] as const
type Slot = (typeof SLOTS)[number]

export interface SlotPaper {
  slot: Slot
  paperId: number
}

/** Papers in the order of their slots: who is chosen first is A; one that stays keeps its place. */
export const slotsOf = (ids: readonly number[]): SlotPaper[] =>
  ids.slice(0, SLOTS.length).flatMap((paperId, at) => {
    const slot = SLOTS[at]
    return slot ? [{ slot, paperId }] : []
  })
