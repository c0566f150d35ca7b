import { expect, it } from 'vitest'
import { alikeIn, cellsOf, gapsIn, gapWords, neighbour, type SeatOf, turnOf } from './seatGrid'

/** A room of two rows and three columns, whose place in the middle of the first row is not used. */
const seats: SeatOf[] = [
  { seatNo: 1, row: 1, column: 1, candidateId: 11, courseId: 5 },
  { seatNo: 2, row: 1, column: 3 },
  { seatNo: 3, row: 2, column: 1, candidateId: 12, courseId: 6 },
  { seatNo: 4, row: 2, column: 2, candidateId: 13, courseId: 6 },
  { seatNo: 5, row: 2, column: 3 },
]
const seat = (no: number) => seats[no - 1] as SeatOf

it('puts seats where they stand', () => {
  const numbers = cellsOf(2, 3, seats).map((row) => row.map((each) => each?.seatNo))
  expect(numbers).toEqual([
    [1, undefined, 2],
    [3, 4, 5],
  ])
})

it('moves onto a free seat and swaps with who sits there', () => {
  const dragged = { candidateId: 11, sessionRoomId: 7 }
  expect(turnOf(dragged, 7, seat(2))).toEqual({ kind: 'move', candidateId: 11, sessionRoomId: 7, seatNo: 2 })
  expect(turnOf(dragged, 8, seat(3))).toEqual({ kind: 'swap', a: 11, b: 12 })
  expect(turnOf(dragged, 7, seat(1))).toBeUndefined()
  expect(turnOf({ candidateId: 14 }, 7, seat(2))).toEqual({
    kind: 'move',
    candidateId: 14,
    sessionRoomId: 7,
    seatNo: 2,
  })
  expect(turnOf({ candidateId: 14 }, 7, seat(3))).toBeUndefined()
})

it('keeps the gap of who was excused', () => {
  expect(gapsIn(seats)).toEqual([2])
  expect(gapsIn([seat(2), seat(5)])).toEqual([])
  expect(gapWords(seats)).toBe(' 空座：2号，其余座位不变。')
  expect(gapWords([seat(2), seat(5)])).toBe('')
})

it('marks neighbours of one course where there are two', () => {
  expect([...alikeIn(seats)]).toEqual([3, 4])
  expect(alikeIn([seat(3), seat(4)]).size).toBe(0)
})

it('walks by the arrow keys, past what is no seat', () => {
  const cells = cellsOf(2, 3, seats)
  expect(neighbour(cells, seat(1), 'ArrowRight')?.seatNo).toBe(2)
  expect(neighbour(cells, seat(1), 'ArrowDown')?.seatNo).toBe(3)
  expect(neighbour(cells, seat(4), 'ArrowUp')).toBeUndefined()
  expect(neighbour(cells, seat(2), 'ArrowRight')).toBeUndefined()
  expect(neighbour(cells, seat(1), 'Enter')).toBeUndefined()
})
