import type { RowAction } from '@/kit/actions'
import { cancelArrangeSession, moveArrangeSession } from './api'
import { type Lesson, whyFixed } from './timetableRules'

/** 调课 and 停课 of a single lesson, with the reason where it stays as it is. */
export const lessonActions = (
  lesson: Lesson,
  standing: Parameters<typeof whyFixed>[0],
  move: (lesson: Lesson) => void,
  drop: (lesson: Lesson) => void,
): RowAction[] => {
  const disabled = whyFixed(standing)
  return [
    { label: '调课', do: moveArrangeSession, disabled, onClick: () => move(lesson) },
    { label: '停课', do: cancelArrangeSession, disabled, danger: true, onClick: () => drop(lesson) },
  ]
}
