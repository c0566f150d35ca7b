// @vitest-environment node
import { expect, it } from 'vitest'
import {
  allOwnOf,
  assignmentsOf,
  changesOf,
  type Grid,
  hoursOf,
  isForAny,
  linesOf,
  noticeOf,
  ownOf,
  type Teacher,
  teachersOf,
} from './allocationRules'

const teacher = (id: number, name: string, ofAllClasses = false): Teacher => ({
  id,
  teacherId: 100 + id,
  name,
  hours: 36,
  ofAllClasses,
  version: 1,
})

const ofAll = (id: number, name: string, role: 'lecturer' | 'marker') => ({
  id,
  openingId: 1,
  semesterName: '2026年春季学期',
  courseCode: 'A1',
  courseName: '会计学原理',
  teacherId: 100 + id,
  teacherWorkNo: `T${id}`,
  teacherName: name,
  role,
  hours: 36,
  version: 1,
})

/** A lectures to all classes, B to the first of two. */
const grid: Grid = {
  id: 1,
  semesterName: '2026年春季学期',
  courseCode: 'A1',
  courseName: '会计学原理',
  gradeName: '2026级',
  majorName: '会计学',
  nature: 'compulsory',
  hours: 54,
  status: 'opened',
  createdAt: '2026-02-01T00:00:00+08:00',
  ofAllClasses: [ofAll(1, '甲', 'lecturer'), ofAll(3, '丙', 'marker')],
  classes: [
    {
      classId: 11,
      className: '一班',
      siteId: 1,
      siteName: '城东',
      studentCount: 30,
      lecturer: teacher(2, '乙'),
      tutors: [],
      markers: [teacher(3, '丙', true)],
    },
    {
      classId: 12,
      className: '二班',
      siteId: 2,
      siteName: '城西',
      studentCount: 20,
      lecturer: teacher(1, '甲', true),
      tutors: [],
      markers: [teacher(3, '丙', true)],
    },
  ],
}

const [all, first, second] = linesOf([grid])

it('has a line for all classes and one for each', () => {
  expect(linesOf([grid]).map(({ key }) => key)).toEqual(['1-0', '1-11', '1-12'])
})

it('tells lines of two schools apart, whose openings have the same numbers', () => {
  const lines = linesOf([
    { ...grid, schoolId: 7, classes: [] },
    { ...grid, schoolId: 8, classes: [] },
  ])
  expect(lines.map(({ key, schoolId }) => [key, schoolId])).toEqual([
    ['7-1-0', 7],
    ['8-1-0', 8],
  ])
})

it('tells who is named for a class from who is of all', () => {
  if (!all || !first || !second) throw new Error('three lines')
  const names = (found: readonly Teacher[]) => found.map(({ name }) => name)
  expect(names(teachersOf(first, 'lecturer'))).toEqual(['乙'])
  expect(names(teachersOf(second, 'lecturer'))).toEqual(['甲'])
  expect(names(ownOf(first, 'lecturer'))).toEqual(['乙'])
  expect(names(ownOf(second, 'lecturer'))).toEqual([])
  expect(names(ownOf(all, 'marker'))).toEqual(['丙'])
  expect(allOwnOf(all).map(({ role, teacher: { id } }) => [role, id])).toEqual([
    ['lecturer', 1],
    ['marker', 3],
  ])
})

it('tells the hours of a line, which are those of the course unless the lecturer has others', () => {
  expect(linesOf([grid]).map(hoursOf)).toEqual([36, 36, 36])
  const classes = grid.classes.map((group) => ({ ...group, lecturer: null }))
  expect(linesOf([{ ...grid, ofAllClasses: [], classes }]).map(hoursOf)).toEqual([54, 54, 54])
})

it('gives one teacher to many lines, and leaves those that have their own lecturer', () => {
  const { items, left } = assignmentsOf(linesOf([grid]), { teacherId: 109, role: 'lecturer', hours: 18 })
  expect(items).toEqual([{ openingId: 1, classId: 12, teacherId: 109, role: 'lecturer', hours: 18 }])
  expect(left).toEqual([
    { name: '会计学原理 2026级会计学全部班级', msg: '已有主讲教师“甲”' },
    { name: '会计学原理 一班', msg: '已有主讲教师“乙”' },
  ])
  expect(assignmentsOf(linesOf([grid]), { teacherId: 109, role: 'tutor' }).items).toHaveLength(3)
  const closed = linesOf([{ ...grid, status: 'closed' }])
  expect(assignmentsOf(closed, { teacherId: 109, role: 'tutor' }).items).toEqual([])
})

it('takes any class into a course for every grade or major', () => {
  expect(isForAny(grid)).toBe(false)
  expect(isForAny({ ...grid, gradeName: undefined })).toBe(true)
  expect(isForAny({ ...grid, majorName: null })).toBe(true)
})

it('tells who comes and what goes', () => {
  expect(changesOf([teacher(4, '丁'), teacher(5, '戊')], [105, 106])).toEqual({ added: [106], removed: [4] })
})

it('lists what a teacher has: of all classes those for whom nobody else is named', () => {
  expect(noticeOf([grid], 101).map(({ group, students, role }) => [group, students, role])).toEqual([
    ['二班', 20, 'lecturer'],
  ])
  expect(noticeOf([grid], 103).map(({ group, hours }) => [group, hours])).toEqual([
    ['一班', 36],
    ['二班', 36],
  ])
  expect(noticeOf([{ ...grid, classes: [] }], 101).map(({ group }) => group)).toEqual(['全部班级'])
})
