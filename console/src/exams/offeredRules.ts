/** Courses of a semester as an examination is set for them. Pure. */

interface OpeningOf {
  id: number
  courseId: number
  courseCode: string
  courseName: string
  status: string
  examForm: string
  assessMode?: string | null
}

interface ClassesOf {
  id: number
  classes: readonly { classId: number; studentCount: number }[]
}

/** A course with all classes of its openings. */
export interface Offering {
  courseId: number
  courseCode: string
  courseName: string
  assessMode?: string | null
  classIds: number[]
  studentCount: number
}

/** The courses that are examined: 考试, not 考查; on paper those that are not answered on the net, or the other way round. */
export const offeredIn = (
  openings: readonly OpeningOf[],
  allocations: readonly ClassesOf[],
  onPaper: boolean,
): Offering[] => {
  const classesOf = new Map(allocations.map(({ id, classes }) => [id, classes]))
  const found = new Map<number, Offering>()
  for (const opening of openings) {
    const { id, courseId, courseCode, courseName, status, examForm, assessMode } = opening
    if (status === 'cancelled' || status === 'draft' || examForm !== 'exam') continue
    if (onPaper && assessMode === 'online') continue
    const classes = classesOf.get(id) ?? []
    const before = found.get(courseId)
    found.set(courseId, {
      courseId,
      courseCode,
      courseName,
      assessMode: before?.assessMode ?? assessMode,
      classIds: [...new Set([...(before?.classIds ?? []), ...classes.map(({ classId }) => classId)])],
      studentCount: (before?.studentCount ?? 0) + classes.reduce((sum, each) => sum + each.studentCount, 0),
    })
  }
  return [...found.values()]
}

/** What a semester's courses were narrowed by. */
interface Narrowing {
  gradeId?: number
  levelId?: number
  majorId?: number
}

/** Why no course is offered: nothing is opened in the semester, or nothing that fits what was chosen (part 04 §0.3). */
export const nothingOffered = ({ gradeId, levelId, majorId }: Narrowing, onPaper: boolean) => {
  if ([gradeId, levelId, majorId].some((id) => id !== undefined)) return '该学期没有符合条件的开课'
  return onPaper ? '本学期未开课，或没有线下考试的课程' : '本学期未开课'
}
