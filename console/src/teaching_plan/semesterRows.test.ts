import { expect, it } from 'vitest'
import { byCourse } from './semesterRows'

const row = (courseId: number, studentCount: number, opened: boolean) => ({
  courseId,
  courseCode: `C${courseId}`,
  courseName: `课程${courseId}`,
  studentCount,
  opened,
})

it('adds up the plans of each course, and how many of them are opened', () => {
  expect(byCourse([row(1, 30, true), row(2, 5, false), row(1, 12, false)])).toEqual([
    { courseId: 1, courseCode: 'C1', courseName: '课程1', plans: 2, students: 42, opened: 1 },
    { courseId: 2, courseCode: 'C2', courseName: '课程2', plans: 1, students: 5, opened: 0 },
  ])
  expect(byCourse([])).toEqual([])
})
