import { LessonChip } from './LessonChip'
import { weekdays } from './timetableRules'
import { type GridProps, useDragged } from './WeekGrid'

interface MonthGridProps extends GridProps {
  weeks: readonly (readonly string[])[]
  /** A day of the month. */
  month: string
}

const MONTH_LENGTH = 'YYYY-MM'.length

/** A month: a row a week; a lesson that goes to another day keeps its time. */
export const MonthGrid = ({ timetable, weeks, month, canMove, mayLand, onLook, onMove }: MonthGridProps) => {
  const { entries, holidays, kind, name } = timetable
  const { onDrag, isOver, landing, dragged } = useDragged(onMove, mayLand)
  const isOfMonth = (day: string) => day.slice(0, MONTH_LENGTH) === month.slice(0, MONTH_LENGTH)
  return (
    <table className="timetable timetable-month">
      <caption>{name}</caption>
      <thead>
        <tr>
          {weekdays.map(({ value, label }) => (
            <th key={value} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const place = { date: day, periodFrom: dragged?.periodFrom ?? 1 }
              return (
                <td
                  key={day}
                  className={isOver(place) ? 'timetable-over' : isOfMonth(day) ? undefined : 'timetable-beyond'}
                  data-place={day}
                  {...landing(place)}
                >
                  <small className={holidays.includes(day) ? 'timetable-holiday' : undefined}>
                    {Number(day.slice(-2))}
                    {holidays.includes(day) && ' 停课'}
                  </small>
                  <ul className="lessons">
                    {entries
                      .filter(({ date }) => date === day)
                      .map((entry) => (
                        <LessonChip
                          key={entry.sessionId}
                          entry={entry}
                          whose={kind}
                          short
                          movable={canMove(entry)}
                          onLook={onLook}
                          onDrag={onDrag}
                        />
                      ))}
                  </ul>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
