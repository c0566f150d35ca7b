import type { RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import type { listRegistrations, summarizeRegistrations, viewRegistration } from './api'

export type Row = RowOf<typeof listRegistrations>
export type View = RowOf<typeof viewRegistration>
export type Figures = RowOf<typeof summarizeRegistrations>['rows'][number]

export type StepName =
  | 'report'
  | 'fee'
  | 'edit'
  | 'reserve'
  | 'resume'
  | 'abandon'
  | 'reinstate'
  | 'undo'
  | 'print'
  | 'revoke'
  | 'delete'

/** What a state can come to, what is needed most first; the server has the last word (02 §7). */
const steps: Record<Row['status'], readonly StepName[]> = {
  pending: ['report', 'fee', 'edit', 'reserve', 'abandon', 'print', 'revoke', 'delete'],
  reported: ['print', 'edit', 'fee', 'undo'],
  reserved: ['resume', 'fee', 'edit', 'print', 'revoke'],
  no_show: ['reinstate', 'abandon', 'fee', 'edit', 'delete'],
  abandoned: ['delete'],
  revoked: [],
}

/** What may be done with somebody; who went on in a later batch is looked at here only. */
export const stepsOf = ({ status, carriedOn }: Pick<Row, 'status' | 'carriedOn'>): readonly StepName[] =>
  carriedOn ? [] : steps[status]

type Arriving = Pick<
  View,
  'canReportNow' | 'reportStartsAt' | 'reportEndsAt' | 'feePaid' | 'photoUrl' | 'admissionPhotoUrl'
>

const MINUTE = 'YYYY-MM-DD HH:mm'

/** When the batch has people report, in words. */
export const windowOf = ({ reportStartsAt, reportEndsAt }: Pick<View, 'reportStartsAt' | 'reportEndsAt'>) => {
  const [from, to] = [formatTime(reportStartsAt, MINUTE), formatTime(reportEndsAt, MINUTE)]
  if (from && to) return `${from} 至 ${to}`
  if (from) return `${from}起`
  return to ? `${to}止` : ''
}

/** What speaks against a report, before anybody presses; `late`: whoever asks may report people outside of the time. */
export const reportWarnings = (person: Arriving, late: boolean): string[] => {
  const told: string[] = []
  if (!person.canReportNow) {
    const time = windowOf(person)
    const now = time ? `不在报到时间内（${time}）` : '招生批次不在报到时间内'
    told.push(late ? `${now}，将按补办登记` : `${now}，您没有补办的权限`)
  }
  if (!person.feePaid) told.push('还没有缴费：学校要求缴费后报到时不能报到，请先标记缴费')
  if (!person.photoUrl && !person.admissionPhotoUrl)
    told.push('没有报到照片，也没有录取照片，请上传照片，或在“录取数据”中导入')
  return told
}

/** A major of a batch, as it is offered. */
interface Offered {
  majorId?: number | null
  levelId?: number | null
  desc: string
}

/** The majors of a batch with which somebody of a level may begin. */
export const majorsOfLevel = (offered: readonly Offered[], levelId: number) =>
  offered.flatMap(({ majorId, levelId: level, desc }) =>
    majorId != null && level === levelId ? [{ value: majorId, label: desc }] : [],
  )

/** What a fee is marked with, as it is typed. */
export interface TypedFee {
  feePaid?: boolean
  /** 分 */
  paidAmount?: number
  paidAt?: string
  tradeNo?: string | null
}

/** Who has not paid has neither amount nor day. */
export const feeOf = ({ feePaid = false, paidAmount, paidAt, tradeNo }: TypedFee) =>
  feePaid ? { feePaid, paidAmount, paidAt, tradeNo: tradeNo?.trim() || undefined } : { feePaid }

/** How long a bar is beside the longest, in percent. */
export const lengthOf = (part: number, longest: number) => (longest > 0 ? (part * 100) / longest : 0)

/** The lists that are printed and signed, by which people stand in each. */
export const sheetStates: Record<NonNullable<Sheet>, readonly Row['status'][]> = {
  roll: ['reported'],
  missing: ['pending', 'no_show'],
  reserved: ['reserved'],
  abandoned: ['abandoned'],
}
export type Sheet = 'roll' | 'missing' | 'reserved' | 'abandoned'

/** How many stand in a list, by the counts of the states. */
export const countOf = (sheet: Sheet, segments: readonly { value: string; count: number }[]) =>
  segments
    .filter(({ value }) => sheetStates[sheet].some((status) => status === value))
    .reduce((sum, { count }) => sum + count, 0)
