import type { BodyOf, RowOf } from '@/api/operation'
import type { listAllocations, saveAllocations } from './api'

/** An opening with its classes and their teachers. */
export type Grid = RowOf<typeof listAllocations>
export type Group = Grid['classes'][number]
export type Teacher = Group['tutors'][number]
type Item = BodyOf<typeof saveAllocations>['items'][number]
export type Role = Item['role']
/** Who teaches a class: one lectures, several may tutor and mark. */
export const roles: readonly Role[] = ['lecturer', 'tutor', 'marker']

/** A line of the grid: a class of an opening, or all of its classes together. */
export interface Line {
  key: string
  /** Over many schools whose it is: the number of an opening is one within its school alone. */
  schoolId: number | undefined
  opening: Grid
  /** None: all classes. */
  group: Group | undefined
}

/** The lines of openings: of each first all its classes together, then each of them. */
export const linesOf = (grid: readonly Grid[]): Line[] =>
  grid.flatMap((opening) => {
    const schoolId = opening.schoolId ?? undefined
    const keyOf = (classId: number) => [schoolId, opening.id, classId].filter((part) => part !== undefined).join('-')
    return [
      { key: keyOf(0), schoolId, opening, group: undefined },
      ...opening.classes.map((group) => ({ key: keyOf(group.classId), schoolId, opening, group })),
    ]
  })

type OfAll = Grid['ofAllClasses'][number]
const asTeacher = ({ id, teacherId, teacherName, hours, version }: OfAll): Teacher => ({
  id,
  teacherId,
  name: teacherName,
  hours,
  version,
  ofAllClasses: true,
})

/** Who teaches a class in a role, be it by its own name or as one of all classes. */
export const teachersOf = ({ opening, group }: Pick<Line, 'opening' | 'group'>, role: Role): readonly Teacher[] => {
  if (!group) return opening.ofAllClasses.filter((each) => each.role === role).map(asTeacher)
  if (role === 'lecturer') return group.lecturer ? [group.lecturer] : []
  return role === 'tutor' ? group.tutors : group.markers
}

/** Those who are named for this line itself. */
export const ownOf = (line: Pick<Line, 'opening' | 'group'>, role: Role) =>
  teachersOf(line, role).filter(({ ofAllClasses }) => !line.group || !ofAllClasses)

/** All that is allocated to this line itself. */
export const allOwnOf = (line: Pick<Line, 'opening' | 'group'>) =>
  roles.flatMap((role) => ownOf(line, role).map((teacher) => ({ role, teacher })))

/** Hours of a line: those of its lecturer, else those of the course. */
export const hoursOf = (line: Pick<Line, 'opening' | 'group'>) =>
  teachersOf(line, 'lecturer')[0]?.hours ?? line.opening.hours

/** 全部班级, or the class. */
export const groupName = ({ group }: Pick<Line, 'group'>) => group?.className ?? '全部班级'

/** By what people know a line. */
export const lineName = ({ opening, group }: Pick<Line, 'opening' | 'group'>) => {
  // The names of classes tell grade and major.
  const whose = group ? '' : [opening.gradeName, opening.majorName].filter(Boolean).join('')
  return `${opening.courseName} ${whose}${groupName({ group })}`
}

/** Outside the plans a course may be for every grade or major: those who take it come from any class. */
export const isForAny = ({ gradeName, majorName }: Pick<Grid, 'gradeName' | 'majorName'>) => !gradeName || !majorName

/** Teachers are changed until an opening is over. */
export const isOpen = ({ status }: Pick<Grid, 'status'>) => status === 'draft' || status === 'opened'

type Wish = Pick<Item, 'teacherId' | 'role' | 'hours' | 'remark'>

const whyNot = (line: Line, { teacherId, role }: Pick<Wish, 'teacherId' | 'role'>) => {
  if (!isOpen(line.opening)) return '开课已结束，不能修改任课安排'
  const own = ownOf(line, role)
  if (own.some((teacher) => teacher.teacherId === teacherId)) return '该教师已有相同的任课安排'
  const [lecturer] = role === 'lecturer' ? own : []
  return lecturer && `已有主讲教师“${lecturer.name}”`
}

/** One teacher for many lines: what is saved, and which lines stay as they are, and why. */
export const assignmentsOf = (lines: readonly Line[], wish: Wish) => {
  const judged = lines.map((line) => ({ line, why: whyNot(line, wish) }))
  return {
    items: judged
      .filter(({ why }) => !why)
      .map(({ line }): Item => ({ ...wish, openingId: line.opening.id, classId: line.group?.classId })),
    left: judged.flatMap(({ line, why }) => (why ? [{ name: lineName(line), msg: why }] : [])),
  }
}

/** What several roles of a line become: those who come, and the allocations that go. */
export const changesOf = (own: readonly Teacher[], chosen: readonly number[]) => ({
  added: chosen.filter((id) => !own.some(({ teacherId }) => teacherId === id)),
  removed: own.filter(({ teacherId }) => !chosen.includes(teacherId)).map(({ id }) => id),
})

/** A line of a teacher's notice. */
export interface NoticeLine {
  id: number
  openingId: number
  course: string
  group: string
  students: number
  role: Role
  hours: number | undefined
}

/** What a teacher has in a semester: each class with each of their roles, of all classes those for whom nobody else is named. */
export const noticeOf = (grid: readonly Grid[], teacherId: number): NoticeLine[] => {
  const lines = grid.flatMap((opening) =>
    roles.flatMap((role) => {
      const classes = opening.classes.flatMap((group) =>
        teachersOf({ opening, group }, role)
          .filter((teacher) => teacher.teacherId === teacherId)
          .map((teacher) => ({ group: group.className, students: group.studentCount, teacher })),
      )
      const all = teachersOf({ opening, group: undefined }, role)
        .filter((teacher) => teacher.teacherId === teacherId && opening.classes.length === 0)
        .map((teacher) => ({ group: '全部班级', students: 0, teacher }))
      return [...classes, ...all].map(({ group, students, teacher }) => ({
        openingId: opening.id,
        course: opening.courseName,
        group,
        students,
        role,
        hours: teacher.hours ?? (role === 'lecturer' ? opening.hours : undefined),
      }))
    }),
  )
  return lines.map((line, id) => ({ id, ...line }))
}
