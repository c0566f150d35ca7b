import { expect, it } from 'vitest'
import { can, canMark, canSheet, examBody, markedPercent, newExam, papersRefusal, sheetsOf } from './onlineRules'

const draft = { status: 'draft', markingStatus: 'none' } as const
const published = { status: 'published', markingStatus: 'none' } as const
const closed = { status: 'closed', markingStatus: 'marking' } as const

it('says why a step is not to be had now', () => {
  expect(can.publish(draft)).toBeUndefined()
  expect(can.publish(published)).toBe('只有草稿可以发布')
  expect(can.withdraw(published)).toBeUndefined()
  expect(can.reopen(closed)).toBeUndefined()
  expect(can.reopen({ ...closed, markingStatus: 'transferred' })).toBe('成绩已转入，不能重新开放')
  expect(can.cancel(closed)).toBe('只有草稿和已发布的可以取消')
})

it('finishes marking when everything has its mark', () => {
  const row = {
    status: 'closed',
    markingStatus: 'marking',
    sheetCount: 30,
    markedCount: 28,
    arbitrationCount: 0,
  } as const
  expect(canMark.begin(row)).toBeUndefined()
  expect(canMark.begin({ ...row, status: 'published' })).toBe('考试结束后开始阅卷')
  expect(canMark.finish(row)).toBe('还有 2 份答卷未阅')
  expect(canMark.finish({ ...row, markedCount: 30, arbitrationCount: 1 })).toBe('还有 1 题待仲裁')
  expect(canMark.finish({ ...row, markedCount: 30 })).toBeUndefined()
  expect(canMark.transfer(row)).toBe('请先完成阅卷')
  expect(markedPercent(row)).toBe(93)
  expect(markedPercent({ sheetCount: 0, markedCount: 0 })).toBe(100)
})

it('watches who is answering only', () => {
  expect(canSheet.watch({ sheetId: null, markState: null })).toBe('考生还没有进入考试')
  expect(canSheet.watch({ sheetId: 3, markState: 'submitted' })).toBe('只能对作答中的考生操作')
  expect(canSheet.watch({ sheetId: 3, markState: 'in_progress' })).toBeUndefined()
  expect(canSheet.discard({ sheetId: 3, markState: 'void' })).toBe('答卷已作废')
  expect(sheetsOf([{ sheetId: 3 }, { sheetId: null }, {}])).toEqual([3])
})

it('asks for the papers that go with how they are given out', () => {
  const paper = { slot: 'A', paperId: 7 } as const
  expect(papersRefusal('fixed', [])).toBe('请选择试卷')
  expect(papersRefusal('random_pool', [paper])).toBe('多套随机至少选择2份试卷')
  expect(papersRefusal('random_rule', [])).toBeUndefined()
  const typed = { ...newExam({ courseId: 5 }), papers: [paper], ruleId: 9 }
  expect(examBody(typed)).toMatchObject({ papers: [paper], ruleId: null })
  expect(examBody({ ...typed, paperMode: 'random_rule' })).toMatchObject({ papers: [], ruleId: 9 })
})
