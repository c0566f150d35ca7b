import { listOptions } from '@/api/infra'
import { allCourseOptions } from '@/courses/CourseSelect'
import { labelOf } from '@/kit/labels'
import type { Role } from './allocationRules'
import { editAllocation, listOpenings } from './api'

/** How filters ask for a course: those that were switched off are looked up too. */
export const courses = { options: listOptions, query: allCourseOptions('course') }

/** Openings of a semester that are not over, or all of them. */
export const openingsOf = (semesterId: number | undefined, enabled = true) => ({
  options: listOptions,
  query: (keyword: string) => ({
    type: 'opening',
    keyword: keyword || undefined,
    parentId: semesterId,
    enabled,
  }),
})

export const modeWord = (mode: string) => labelOf(listOpenings, 'teachingMode', mode)
export const roleWord = (role: Role) => labelOf(editAllocation, 'role', role)
