import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listSelectionStatistics, listSelections, saveSelections } from './api'

export type Selection = RowOf<typeof listSelections>
export type Statistic = RowOf<typeof listSelectionStatistics>
/** How 补选 or 重修选课 went, or would go. */
export type Outcome = DataOf<typeof saveSelections>
type Note = Outcome['refused'][number]

/** The tones of selections by their state. */
export const statusTones: Partial<Record<Selection['status'], Tone>> = {
  pending: 'busy',
  selected: 'good',
  dropped: 'quiet',
  exempted: 'quiet',
  completed: 'good',
}

type InState = Pick<Selection, 'status'>

const isActive = ({ status }: InState) => status === 'pending' || status === 'selected'

/** Why a step is not to be had now; the server has the last word (03 B4). */
export const can = {
  drop: (selection: InState) => {
    if (isActive(selection)) return undefined
    return selection.status === 'completed' ? '该课程成绩已提交，不能退选' : '只有待审核和已选的可以退选'
  },
  exempt: (selection: InState) => {
    if (isActive(selection)) return undefined
    return selection.status === 'completed' ? '该课程成绩已提交，不能免修' : '只有待审核和已选的可以免修'
  },
}

/** A selection as people know it: 张三《会计学原理》. */
export const nameOf = ({ name, courseName }: Pick<Selection, 'name' | 'courseName'>) => `${name}《${courseName}》`

/** A note with the names of whom and what it is about, as far as they are known. */
export const namedNotes = (
  notes: readonly Note[],
  students: ReadonlyMap<number, string>,
  openings: ReadonlyMap<number, string>,
) =>
  notes.map(({ studentId, openingId, message }) => ({
    key: `${studentId}-${openingId}`,
    student: students.get(studentId) ?? `编号${studentId}`,
    opening: openings.get(openingId) ?? `编号${openingId}`,
    message,
  }))

/** The same refusal of many, told once with how many there are; the most frequent first. */
export const byMessage = (notes: readonly Pick<Note, 'message'>[]) => {
  const counts = new Map<string, number>()
  for (const { message } of notes) counts.set(message, (counts.get(message) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** Whether the last place is taken. */
export const isFull = ({ capacity, selected, pending }: Pick<Statistic, 'capacity' | 'selected' | 'pending'>) =>
  capacity != null && selected + pending >= capacity
