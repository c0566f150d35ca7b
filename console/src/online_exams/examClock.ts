import { formatSpan } from '@/kit/format'

/** The time of an examination as it is watched (04 §2.3). Pure: the server's deadline decides, the clock only shows. */

/** A student whose client said nothing for so long may have lost the network. */
const SILENT_MS = 90_000
const SECOND_MS = 1000

/** Whole seconds that are left; none when it is over. */
export const secondsLeft = (deadlineAt: string | null | undefined, now: number) =>
  deadlineAt ? Math.max(0, Math.ceil((new Date(deadlineAt).getTime() - now) / SECOND_MS)) : undefined

interface Answering {
  markState?: string | null
  deadlineAt?: string | null
  lastBeatAt?: string | null
}

/** What is left of who is answering: 剩余1小时2分, 时间已到; nothing for all others. */
export const leftWords = ({ markState, deadlineAt }: Answering, now: number) => {
  if (markState !== 'in_progress') return undefined
  const left = secondsLeft(deadlineAt, now)
  if (left === undefined) return undefined
  return left === 0 ? '时间已到' : `剩余${formatSpan(left)}`
}

/** Whether the client of who is answering is not heard of. */
export const isSilent = ({ markState, lastBeatAt }: Answering, now: number) =>
  markState === 'in_progress' && lastBeatAt != null && now - new Date(lastBeatAt).getTime() > SILENT_MS

/** How often an examination is looked at anew: while somebody is answering. */
export const WATCH_MS = 15_000
export const watchEvery = (rows: readonly Answering[]): number | false =>
  rows.some(({ markState }) => markState === 'in_progress') ? WATCH_MS : false
