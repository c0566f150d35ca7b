import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { Grid } from './seatRules'
import { alikeIn, cellsOf, type Dragged, neighbour, type Turn, turnOf } from './seatGrid'
import './examSeats.css'

interface GridProps {
  grid: Grid
  /** Whether seats may be changed here and now. */
  movable: boolean
  /** Who is dragged, or was picked by the keyboard or by a click, from this grid or from the list of those without a seat. */
  picked: Dragged | undefined
  onPick: (dragged: Dragged | undefined) => void
  onTurn: (turn: Turn) => void
}

type OneSeat = Grid['seats'][number]

const seatWords = (seat: OneSeat) =>
  seat.candidateId == null
    ? `${seat.seatNo}号 空座`
    : `${seat.seatNo}号 ${seat.name ?? ''} ${seat.studentNo ?? ''} ${seat.courseName ?? ''}`

/** A room as it stands: dragged onto a free seat one moves, onto another's the two change places; with the keyboard, Enter picks and puts down. */
export const SeatGrid = ({ grid, movable, picked, onPick, onTurn }: GridProps) => {
  const { seats, sessionRoomId, rowsCount, columnsCount } = grid
  const cells = cellsOf(rowsCount, columnsCount, seats)
  const alike = alikeIn(seats)
  const table = useRef<HTMLTableElement>(null)
  const [over, setOver] = useState<number>()
  const put = (dragged: Dragged | undefined, seat: OneSeat) => {
    const turn = dragged && turnOf(dragged, sessionRoomId, seat)
    onPick(undefined)
    setOver(undefined)
    if (turn) onTurn(turn)
  }
  const press = (seat: OneSeat) => {
    if (!movable) return
    if (picked) put(picked, seat)
    else if (seat.candidateId != null) onPick({ candidateId: seat.candidateId, sessionRoomId })
  }
  const onKeyDown = (event: KeyboardEvent, seat: OneSeat) => {
    if (event.key === 'Escape') return onPick(undefined)
    const next = neighbour(cells, seat, event.key)
    if (!next) return
    event.preventDefault()
    table.current?.querySelector<HTMLElement>(`[data-seat="${next.seatNo}"]`)?.focus()
  }
  const landing = (seat: OneSeat) =>
    movable
      ? {
          onDragOver: (event: DragEvent) => {
            if (!picked || !turnOf(picked, sessionRoomId, seat)) return
            event.preventDefault()
            if (over !== seat.seatNo) setOver(seat.seatNo)
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            put(picked, seat)
          },
        }
      : {}
  const classOf = (seat: OneSeat) =>
    [
      'seat',
      seat.candidateId == null && 'seat-free',
      alike.has(seat.seatNo) && 'seat-alike',
      seat.manual && 'seat-manual',
      over === seat.seatNo && 'seat-over',
      picked && picked.candidateId === seat.candidateId && 'seat-picked',
    ]
      .filter(Boolean)
      .join(' ')
  return (
    <table ref={table} className="seat-grid">
      <caption>
        {grid.examRoomNo}考场 {grid.roomName}（{grid.siteName}）
      </caption>
      <tbody>
        {cells.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of a room is known by its place
          <tr key={at}>
            {row.map((seat, column) =>
              seat ? (
                <td key={seat.seatNo} {...landing(seat)}>
                  <button
                    type="button"
                    className={classOf(seat)}
                    data-seat={seat.seatNo}
                    aria-label={seatWords(seat)}
                    aria-pressed={picked?.candidateId === seat.candidateId && seat.candidateId != null}
                    title={alike.has(seat.seatNo) ? '与相邻座位的课程相同' : undefined}
                    draggable={movable && seat.candidateId != null}
                    onDragStart={() =>
                      seat.candidateId != null && onPick({ candidateId: seat.candidateId, sessionRoomId })
                    }
                    onDragEnd={() => {
                      onPick(undefined)
                      setOver(undefined)
                    }}
                    onClick={() => press(seat)}
                    onKeyDown={(event) => onKeyDown(event, seat)}
                  >
                    <small>{seat.seatNo}</small>
                    {seat.candidateId == null ? <span className="nothing">空座</span> : <span>{seat.name}</span>}
                    {seat.candidateId != null && <small>{seat.courseName}</small>}
                  </button>
                </td>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place of a room is known by its column
                <td key={`none-${column}`} className="seat-none" />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
