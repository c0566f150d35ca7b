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
