// @vitest-environment node
import { expect, it } from 'vitest'
import { byMessage, can, isFull, namedNotes, nameOf } from './selectionRules'

it('says why a selection is neither dropped nor exempted', () => {
  expect(can.drop({ status: 'selected' })).toBeUndefined()
  expect(can.drop({ status: 'completed' })).toBe('该课程成绩已提交，不能退选')
  expect(can.exempt({ status: 'completed' })).toBe('该课程成绩已提交，不能免修')
  expect(can.exempt({ status: 'dropped' })).toBe('只有待审核和已选的可以免修')
  expect(nameOf({ name: '张三', courseName: '会计学原理' })).toBe('张三《会计学原理》')
})

it('names whom a refusal is about', () => {
  const note = { studentId: 1, openingId: 7, message: '已选该课程' }
  const students = new Map([[1, '张三']])
  expect(namedNotes([note, { ...note, studentId: 2 }], students, new Map([[7, '会计学原理']]))).toEqual([
    { key: '1-7', student: '张三', opening: '会计学原理', message: '已选该课程' },
    { key: '2-7', student: '编号2', opening: '会计学原理', message: '已选该课程' },
  ])
})

it('tells the same refusal once, the most frequent first', () => {
  const notes = ['人数已满', '已选该课程', '已选该课程'].map((message) => ({ message }))
  expect(byMessage(notes)).toEqual([
    ['已选该课程', 2],
    ['人数已满', 1],
  ])
})

it('knows when the last place is taken', () => {
  expect(isFull({ capacity: 50, selected: 49, pending: 1 })).toBe(true)
  expect(isFull({ capacity: 50, selected: 49, pending: 0 })).toBe(false)
  expect(isFull({ capacity: null, selected: 500, pending: 0 })).toBe(false)
})
