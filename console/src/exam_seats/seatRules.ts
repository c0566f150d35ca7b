import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listExamRooms, listExamSeats, listExamSessions, seatCandidates, viewExamSeatGrid } from './api'

/** Rooms, sessions and seats as their screens show them (04 §4). Pure; the server repeats every check. */

export type Room = RowOf<typeof listExamRooms>
export type Session = RowOf<typeof listExamSessions>
export type Seat = RowOf<typeof listExamSeats>
export type Grids = DataOf<typeof viewExamSeatGrid>
export type Grid = NonNullable<Grids['grid']>
export type Seated = DataOf<typeof seatCandidates>

export const sessionTones: Partial<Record<Session['status'], Tone>> = {
  draft: 'quiet',
  seated: 'busy',
  confirmed: 'good',
  finished: 'quiet',
}

/** 01 上午第一场 06-20 09:00-11:00. */
export const sessionWords = (row: Pick<Session, 'code' | 'name' | 'examDate' | 'startTime' | 'endTime'>) =>
  `${row.code} ${row.name} ${row.examDate.slice('YYYY-'.length)} ${row.startTime}-${row.endTime}`

type InState = Pick<Session, 'status'>

/** Why a step with a session's seats is not to be had now. */
export const canSeat = {
  seat: ({ status }: InState) =>
    status === 'confirmed' ? '座位已确认，请先取消确认' : status === 'finished' ? '场次已结束' : undefined,
  confirm: ({ status }: InState) =>
    status === 'seated' ? undefined : status === 'draft' ? '还没有编排座位' : '座位已确认',
  reopen: ({ status }: InState) => (status === 'confirmed' ? undefined : '座位还没有确认'),
  edit: ({ status }: InState) => (status === 'finished' ? '已结束的场次不能修改' : undefined),
}

/** 已编排/考位. */
export const fillWords = ({ plannedCount, capacity }: { plannedCount: number; capacity: number }) =>
  `${plannedCount}/${capacity}`

/** Rooms below the sites in which they are. */
export const roomsBySite = <Own extends { siteId: number; siteName: string }>(rooms: readonly Own[]) => {
  const sites = new Map<number, { siteId: number; siteName: string; rooms: Own[] }>()
  for (const room of rooms) {
    const site = sites.get(room.siteId) ?? { siteId: room.siteId, siteName: room.siteName, rooms: [] }
    site.rooms.push(room)
    sites.set(room.siteId, site)
  }
  return [...sites.values()]
}

/** 已编排198人，15人未编排；随机种子 42. */
export const seatedWords = ({ placed, unplacedCount, seed }: Pick<Seated, 'placed' | 'unplacedCount' | 'seed'>) =>
  [`已编排${placed}人`, unplacedCount > 0 && `${unplacedCount}人未编排`, `随机种子 ${seed}`].filter(Boolean).join('，')
