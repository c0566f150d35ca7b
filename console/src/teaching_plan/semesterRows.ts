import type { DataOf } from '@/api/operation'
import type { listTeachingPlansOfSemester } from './api'

export type SemesterPlan = DataOf<typeof listTeachingPlansOfSemester>
export type SemesterCourse = SemesterPlan['list'][number]

type Counted = Pick<SemesterCourse, 'courseId' | 'courseCode' | 'courseName' | 'studentCount' | 'opened'>

export interface CourseOfSemester {
  courseId: number
  courseCode: string
  courseName: string
  plans: number
  students: number
  opened: number
}

/** 按课程汇总: each course with the plans that have it, their students, and how many of them are opened. */
export const byCourse = (rows: readonly Counted[]): CourseOfSemester[] => {
  const courses = new Map<number, CourseOfSemester>()
  for (const { courseId, courseCode, courseName, studentCount, opened } of rows) {
    const of = courses.get(courseId) ?? { courseId, courseCode, courseName, plans: 0, students: 0, opened: 0 }
    courses.set(courseId, {
      ...of,
      plans: of.plans + 1,
      students: of.students + studentCount,
      opened: of.opened + Number(opened),
    })
  }
  return [...courses.values()]
}
