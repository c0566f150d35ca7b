import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { countExamDay, listDuties, listInvigilators, listRoomRecords } from './api'

/** The day of an examination on paper as its screens show it (04 §4). Pure; the server repeats every check. */

export type RoomRecord = RowOf<typeof listRoomRecords>
export type Figure = DataOf<typeof countExamDay>[number]
export type Duty = RowOf<typeof listDuties>
export type Invigilator = RowOf<typeof listInvigilators>

export type Role = Duty['people'][number]['role']

/** What each does in a room. */
export const roles: readonly { value: Role; label: string }[] = [
  { value: 'chief', label: '主监考' },
  { value: 'assistant', label: '副监考' },
  { value: 'patrol', label: '巡考' },
]

type Watcher = Pick<Duty['people'][number], 'name' | 'role'> & { signedIn?: boolean }

/** 主监考 李老师, 已到 once the room's record says so. */
export const watcherWords = ({ name, role, signedIn = false }: Watcher) =>
  `${roles.find(({ value }) => value === role)?.label ?? role} ${name}${signedIn ? '（已到）' : ''}`

export const recordTones: Partial<Record<RoomRecord['status'], Tone>> = {
  none: 'quiet',
  recorded: 'warning',
  confirmed: 'good',
}

/** Why a room's record cannot be changed now. */
export const canRecord = {
  record: ({ status, startsAt }: Pick<RoomRecord, 'status' | 'startsAt'>, now: number) =>
    status === 'confirmed'
      ? '考场情况已确认，请先取消确认'
      : new Date(startsAt).getTime() > now
        ? '考试未开始，不能登记考场情况'
        : undefined,
  confirm: ({ status }: Pick<RoomRecord, 'status'>) =>
    status === 'recorded' ? undefined : status === 'none' ? '还没有登记考场情况' : '考场情况已确认',
  reopen: ({ status }: Pick<RoomRecord, 'status'>) => (status === 'confirmed' ? undefined : '考场情况还没有确认'),
}

/** How many a room lacks of those who should watch. */
export const lacking = ({ needed, people }: { needed: number; people: readonly { role: string }[] }) =>
  Math.max(0, needed - people.filter(({ role }) => role !== 'patrol').length)

/** A site's or a session's figures put together. */
export const totalsOf = (rows: readonly Pick<Figure, 'planned' | 'present' | 'absent' | 'violations'>[]) =>
  rows.reduce(
    (sum, { planned, present, absent, violations }) => ({
      planned: sum.planned + planned,
      present: sum.present + present,
      absent: sum.absent + absent,
      violations: sum.violations + violations,
    }),
    { planned: 0, present: 0, absent: 0, violations: 0 },
  )

/** Seats with one more, or one fewer. */
export const toggled = (seats: readonly number[], seat: number) =>
  seats.includes(seat) ? seats.filter((each) => each !== seat) : [...seats, seat].sort((a, b) => a - b)
