import { expect, it } from 'vitest'
import { canSeat, roomsBySite, seatedWords, sessionWords } from './seatRules'

it('says why seats are not changed now', () => {
  expect(canSeat.seat({ status: 'confirmed' })).toBe('座位已确认，请先取消确认')
  expect(canSeat.seat({ status: 'seated' })).toBeUndefined()
  expect(canSeat.confirm({ status: 'draft' })).toBe('还没有编排座位')
  expect(canSeat.confirm({ status: 'seated' })).toBeUndefined()
  expect(canSeat.reopen({ status: 'confirmed' })).toBeUndefined()
})

it('puts rooms below their sites', () => {
  const room = (id: number, siteId: number) => ({ id, siteId, siteName: `站点${siteId}` })
  const found = roomsBySite([room(1, 5), room(2, 6), room(3, 5)])
  expect(found.map(({ siteName, rooms }) => [siteName, rooms.map(({ id }) => id)])).toEqual([
    ['站点5', [1, 3]],
    ['站点6', [2]],
  ])
})

it('tells a session and what became of seating', () => {
  const session = { code: '01', name: '第01场', examDate: '2026-06-20', startTime: '09:00', endTime: '11:00' }
  expect(sessionWords(session)).toBe('01 第01场 06-20 09:00-11:00')
  expect(seatedWords({ placed: 200, unplacedCount: 15, seed: 42 })).toBe('已编排200人，15人未编排，随机种子 42')
  expect(seatedWords({ placed: 200, unplacedCount: 0, seed: 42 })).toBe('已编排200人，随机种子 42')
})
