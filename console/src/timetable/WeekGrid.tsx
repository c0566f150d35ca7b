import { type DragEvent, useState } from 'react'
import { LessonChip } from './LessonChip'
import type { Move } from './SessionForms'
import {
  type Cell,
  cellsOf,
  dayWords,
  type Entry,
  type GridRow,
  rowsOf,
  type Timetable,
  weekdayWord,
} from './timetableRules'

/** What a grid of lessons does with them. */
export interface GridProps {
  timetable: Timetable
  canMove: (entry: Entry) => boolean
  /** Whether a lesson may be let go on a day. */
  mayLand: (entry: Entry, day: string) => boolean
  onLook: (entry: Entry) => void
  onMove: (entry: Entry, to: Move['to']) => void
}

interface Place {
  date: string
  periodFrom: number
}

const isSame = (one: Place | undefined, other: Place) => one?.date === other.date && one.periodFrom === other.periodFrom

/** A lesson that is dragged, and over which place it is. */
export const useDragged = (onMove: GridProps['onMove'], mayLand: GridProps['mayLand']) => {
  const [dragged, setDragged] = useState<Entry>()
  const [over, setOver] = useState<Place>()
  const stop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const landing = (place: Place) =>
    dragged && mayLand(dragged, place.date)
      ? {
          onDragOver: (event: DragEvent) => {
            event.preventDefault()
            if (!isSame(over, place)) setOver(place)
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            stop()
            if (dragged.date !== place.date || dragged.periodFrom !== place.periodFrom) onMove(dragged, place)
          },
        }
      : {}
  return {
    onDrag: (entry: Entry | undefined) => (entry ? setDragged(entry) : stop()),
    isOver: (place: Place) => isSame(over, place),
    landing,
    dragged,
  }
}

/** A week: a row a lesson of the day, a column a day. */
export const WeekGrid = (props: GridProps & { days: readonly string[] }) => {
  const { timetable, days, canMove, mayLand, onLook, onMove } = props
  const { entries, holidays, kind } = timetable
  const { onDrag, isOver, landing } = useDragged(onMove, mayLand)
  const rows = rowsOf(timetable)
  const of = (day: string) => entries.filter(({ date }) => date === day)
  const ofDay = new Map(days.map((day) => [day, cellsOf(of(day), rows)]))
  const weekNo = entries.find((entry) => entry.weekNo)?.weekNo
  const cell = (day: string, at: number, { no, from: begin }: GridRow) => {
    const found = ofDay.get(day) ?? []
    const begins: Cell | undefined = found.find(({ from }) => from === at)
    if (!begins && found.some(({ from, span }) => from < at && at < from + span)) return null
    const place = no === undefined ? undefined : { date: day, periodFrom: no }
    return (
      <td
        key={day}
        rowSpan={begins?.span}
        className={place && isOver(place) ? 'timetable-over' : undefined}
        data-place={`${day} ${no ?? begin}`}
        {...(place && landing(place))}
      >
        {begins && (
          <ul className="lessons">
            {begins.entries.map((entry) => (
              <LessonChip
                key={entry.sessionId}
                entry={entry}
                whose={kind}
                movable={canMove(entry)}
                onLook={onLook}
                onDrag={onDrag}
              />
            ))}
          </ul>
        )}
      </td>
    )
  }
  return (
    <table className="timetable">
      <caption>
        {timetable.name}
        {weekNo && ` 第${weekNo}周`}
      </caption>
      <thead>
        <tr>
          <th scope="col">节次</th>
          {days.map((day, at) => (
            <th key={day} scope="col" className={holidays.includes(day) ? 'timetable-holiday' : undefined}>
              {weekdayWord(at + 1)}
              <small>
                {dayWords(day)}
                {holidays.includes(day) && ' 停课'}
              </small>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={row.from}>
            <th scope="row">
              {row.no === undefined ? '其他时间' : `第${row.no}节`}
              <small>
                {row.from}-{row.to}
              </small>
            </th>
            {days.map((day) => cell(day, at, row))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
