import { expect, it } from 'vitest'
import { nothingOffered, offeredIn } from './offeredRules'

const opening = (id: number, courseId: number, more: object = {}) => ({
  id,
  courseId,
  courseCode: `C${courseId}`,
  courseName: `课程${courseId}`,
  status: 'opened',
  examForm: 'exam',
  assessMode: 'closed_book',
  ...more,
})

const classes = (id: number, ...ids: number[]) => ({
  id,
  classes: ids.map((classId) => ({ classId, studentCount: 30 })),
})

it('puts the openings of a course together', () => {
  const openings = [opening(1, 5), opening(2, 5), opening(3, 6)]
  const found = offeredIn(openings, [classes(1, 11, 12), classes(2, 12, 13), classes(3)], true)
  expect(found.map(({ courseId, classIds, studentCount }) => [courseId, classIds, studentCount])).toEqual([
    [5, [11, 12, 13], 120],
    [6, [], 0],
  ])
})

it('leaves out what is not examined, or in another way', () => {
  const openings = [
    opening(1, 5, { examForm: 'check' }),
    opening(2, 6, { status: 'cancelled' }),
    opening(3, 7, { assessMode: 'online' }),
  ]
  expect(offeredIn(openings, [], true)).toEqual([])
  expect(offeredIn(openings, [], false).map(({ courseId }) => courseId)).toEqual([7])
})

it('tells why nothing is offered', () => {
  expect(nothingOffered({}, false)).toBe('本学期未开课')
  expect(nothingOffered({}, true)).toBe('本学期未开课，或没有线下考试的课程')
  expect(nothingOffered({ majorId: 3 }, true)).toBe('该学期没有符合条件的开课')
})
