/** The plan of a room: rows and columns, who sits where, and what a drag means. Pure. */

export interface SeatOf {
  seatNo: number
  row: number
  column: number
  candidateId?: number | null
  courseId?: number | null
}

/** Seats as they stand in the room; a place without a seat is none: it is not used. */
export const cellsOf = <Own extends SeatOf>(
  rowsCount: number,
  columnsCount: number,
  seats: readonly Own[],
): (Own | undefined)[][] => {
  const at = new Map(seats.map((seat) => [`${seat.row}-${seat.column}`, seat]))
  return Array.from({ length: rowsCount }, (_, row) =>
    Array.from({ length: columnsCount }, (__, column) => at.get(`${row + 1}-${column + 1}`)),
  )
}

/** Who is dragged: with the room from which, where they have a seat. */
export interface Dragged {
  candidateId: number
  sessionRoomId?: number
}

export type Turn =
  | { kind: 'move'; candidateId: number; sessionRoomId: number; seatNo: number }
  | { kind: 'swap'; a: number; b: number }

/** What letting somebody go over a seat does: onto a free one they move, onto another's the two change places. */
export const turnOf = (dragged: Dragged, sessionRoomId: number, seat: SeatOf): Turn | undefined => {
  const { candidateId } = dragged
  if (seat.candidateId == null) return { kind: 'move', candidateId, sessionRoomId, seatNo: seat.seatNo }
  if (seat.candidateId === candidateId) return undefined
  // Who has no seat takes nobody's.
  return dragged.sessionRoomId === undefined ? undefined : { kind: 'swap', a: candidateId, b: seat.candidateId }
}

/** Free seats between taken ones: where somebody was excused, nobody moves up. */
export const gapsIn = (seats: readonly SeatOf[]) => {
  const last = Math.max(0, ...seats.filter(({ candidateId }) => candidateId != null).map(({ seatNo }) => seatNo))
  return seats.filter(({ seatNo, candidateId }) => candidateId == null && seatNo < last).map(({ seatNo }) => seatNo)
}

/** The same for people, behind another sentence; nothing where there is none. */
export const gapWords = (seats: readonly SeatOf[]) => {
  const gaps = gapsIn(seats)
  return gaps.length > 0 ? ` 空座：${gaps.join('、')}号，其余座位不变。` : ''
}

const isBeside = (one: SeatOf, other: SeatOf) =>
  Math.abs(one.row - other.row) + Math.abs(one.column - other.column) === 1

/** Seats that have a neighbour of the same course, where the room has several courses. */
export const alikeIn = (seats: readonly SeatOf[]): ReadonlySet<number> => {
  const taken = seats.filter(({ candidateId }) => candidateId != null)
  if (new Set(taken.map(({ courseId }) => courseId)).size < 2) return new Set()
  return new Set(
    taken
      .filter((one) => taken.some((other) => isBeside(one, other) && one.courseId === other.courseId))
      .map(({ seatNo }) => seatNo),
  )
}

/** Where the arrow keys lead in the plan; past places without a seat. */
export const neighbour = (
  cells: readonly (readonly (SeatOf | undefined)[])[],
  from: SeatOf,
  key: string,
): SeatOf | undefined => {
  const steps: Record<string, readonly [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }
  const [down = 0, right = 0] = steps[key] ?? []
  if (down === 0 && right === 0) return undefined
  let [row, column] = [from.row - 1 + down, from.column - 1 + right]
  while (cells[row] && column >= 0 && column < (cells[row]?.length ?? 0)) {
    const seat = cells[row]?.[column]
    if (seat) return seat
    row += down
    column += right
  }
  return undefined
}
