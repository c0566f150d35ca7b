import type { DragEvent } from 'react'
import { clockOf, type Entry, periodWords, type Whose } from './timetableRules'

interface LessonChipProps {
  entry: Entry
  /** Whose timetable it is, which the lesson need not tell. */
  whose: Whose
  /** In a month there is less room. */
  short?: boolean
  movable: boolean
  onLook: (entry: Entry) => void
  onDrag: (entry: Entry | undefined) => void
}

const classOf = ({ sessionStatus, status }: Entry) => {
  if (sessionStatus === 'cancelled') return 'lesson lesson-off'
  return status === 'draft' ? 'lesson lesson-draft' : 'lesson'
}

/** A lesson in a timetable: pressed, it tells more; dragged, it goes to another time. */
export const LessonChip = ({ entry, whose, short = false, movable, onLook, onDrag }: LessonChipProps) => {
  const { courseName, teacherName, classroomName, classNames, sessionStatus, status } = entry
  const { periodFrom, periodTo, startsAt, endsAt } = entry
  const state = sessionStatus === 'cancelled' ? '已取消' : status === 'draft' ? '草稿' : undefined
  const facts = [
    whose !== 'teacher' && teacherName,
    whose !== 'classroom' && classroomName,
    whose !== 'class' && classNames.join('、'),
  ].filter(Boolean)
  return (
    <li
      className={classOf(entry)}
      draggable={movable}
      title={movable ? '拖到其他时间可以调课' : undefined}
      onDragStart={(event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', courseName)
        onDrag(entry)
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <button type="button" className="lesson-name" onClick={() => onLook(entry)}>
        {courseName}
      </button>
      <span>
        {periodWords(periodFrom, periodTo)}
        {!short && ` ${clockOf(startsAt)}-${clockOf(endsAt)}`}
      </span>
      {state && <span className="lesson-state">{state}</span>}
      {!short && facts.map((fact) => <span key={String(fact)}>{fact}</span>)}
    </li>
  )
}
