import { expect, it } from 'vitest'
import {
  byType,
  can,
  formerOf,
  isOpen,
  type Plan,
  pairsOf,
  problemsOf,
  shownFirst,
  sumOf,
  termBy,
  termsOf,
  withWarnings,
} from './planRules'

const states: readonly Plan['status'][] = ['draft', 'submitted', 'rejected', 'effective', 'superseded', 'withdrawn']

it('offers what a state allows', () => {
  expect(states.filter((status) => isOpen({ status }))).toEqual(['draft', 'rejected'])
  expect(states.filter((status) => can.edit({ status }) === undefined)).toEqual(['draft', 'rejected'])
  expect(states.filter((status) => can.delete({ status }) === undefined)).toEqual(['draft'])
  expect(can.edit({ status: 'effective' })).toContain('修订')
})

const course = (termNo: number, credits: number, [lecture, online, practice, self]: readonly number[]) => ({
  termNo,
  credits,
  hours: (lecture ?? 0) + (online ?? 0) + (practice ?? 0) + (self ?? 0),
  lectureHours: lecture ?? 0,
  onlineHours: online ?? 0,
  practiceHours: practice ?? 0,
  selfStudyHours: self ?? 0,
})

// Four electives of 2 credits and 36 hours, 8 of them offline (03 B1).
it('adds up credits by term, and hours by how they are held', () => {
  const electives = [3, 3, 4, 5].map((term) => course(term, 2, [8, 24, 0, 4]))
  const sum = sumOf([...electives, course(3, 0.5, [0, 9, 0, 0])])
  expect(sum).toMatchObject({ credits: 8.5, hours: 153, lectureHours: 32, onlineHours: 105, selfStudyHours: 16 })
  expect([...sum.ofTerm]).toEqual([
    [3, 4.5],
    [4, 2],
    [5, 2],
  ])
  expect(sumOf([])).toMatchObject({ credits: 0, hours: 0 })
  expect(sumOf(Array.from({ length: 3 }, () => course(1, 0.1, []))).credits).toBe(0.3)
})

it('keeps the order of types and of their courses', () => {
  const of = (id: number, typeId: number) => ({ id, typeId, typeName: `类型${typeId}` })
  const types = byType([of(1, 7), of(2, 5), of(3, 7)])
  expect(types.map(({ typeName, courses }) => [typeName, courses.map(({ id }) => id)])).toEqual([
    ['类型7', [1, 3]],
    ['类型5', [2]],
  ])
})

it('says of a course what a check found, the errors first', () => {
  const check = {
    errors: [{ message: '已停用', courseId: 4 }, { message: '没有课程' }],
    warnings: [{ message: '线下比例不足' }, { message: '学时过多', courseId: 4 }],
  }
  expect(problemsOf(check, 4)).toEqual(['已停用', '学时过多'])
  expect(problemsOf(check, 5)).toEqual([])
})

it('moves a course by the keys, never out of the plan', () => {
  expect(termsOf(5)).toEqual([1, 2, 3, 4, 5])
  expect(termBy('ArrowRight', 2, 5)).toBe(3)
  expect(termBy('ArrowLeft', 2, 5)).toBe(1)
  expect(termBy('ArrowLeft', 1, 5)).toBeUndefined()
  expect(termBy('ArrowRight', 5, 5)).toBeUndefined()
  expect(termBy('Home', 4, 5)).toBe(1)
  expect(termBy('End', 4, 5)).toBe(5)
  expect(termBy('Enter', 4, 5)).toBeUndefined()
})

it('copies to each major of each grade', () => {
  expect(pairsOf([1, 2], [8, 9])).toEqual([
    { gradeId: 1, majorId: 8 },
    { gradeId: 1, majorId: 9 },
    { gradeId: 2, majorId: 8 },
    { gradeId: 2, majorId: 9 },
  ])
})

it('begins with the version in effect, and compares with the one before', () => {
  const plan = (id: number, versionNo: number, status: Plan['status']) => ({ id, versionNo, status })
  expect(shownFirst([plan(3, 3, 'draft'), plan(2, 2, 'effective'), plan(1, 1, 'superseded')])).toBe(2)
  expect(shownFirst([plan(1, 1, 'withdrawn'), plan(2, 2, 'draft')])).toBe(2)
  expect(shownFirst([])).toBeUndefined()
  const versions = [
    { id: 1, versionNo: 1 },
    { id: 5, versionNo: 2 },
    { id: 9, versionNo: 3 },
  ]
  expect(formerOf(9, versions)).toBe(5)
  expect(formerOf(1, versions)).toBe(9)
  expect(formerOf(1, versions.slice(0, 1))).toBeUndefined()
})

it('tells what to look at again behind what was done', () => {
  expect(withWarnings('已提交', [])).toBe('已提交')
  expect(withWarnings('已提交', ['甲', '乙'])).toBe('已提交，请核对：甲；乙')
})
