// @vitest-environment node
import { expect, it } from 'vitest'
import { can, countsOf, filling, leftOutFirst, nameOf, reasonsOf, syncedWords } from './openingRules'

const plan = (
  gradeName: string,
  skips: { reason: 'no_student' | 'no_effective_plan'; count: number; courses: string[] }[],
) => ({
  planId: 1,
  planName: '计划',
  gradeId: 1,
  gradeName,
  majorId: 2,
  majorName: '会计学',
  termNo: 1,
  students: 30,
  created: 5,
  existing: 0,
  skipped: 0,
  skips,
})

it('calls an opening by its course and whose it is', () => {
  expect(nameOf({ courseName: '大学英语(一)', gradeName: '2026级', majorName: '会计学' })).toBe(
    '大学英语(一)（2026级会计学）',
  )
  expect(nameOf({ courseName: '大学英语(一)' })).toBe('大学英语(一)')
})

it('says how full an opening is', () => {
  expect(filling({ selectedCount: 49, capacity: 50 })).toBe('49 / 50')
  expect(filling({ selectedCount: 120 })).toBe('120 / 不限')
})

it('says why a step is not to be had', () => {
  expect(can.edit({ status: 'opened' })).toBeUndefined()
  expect(can.edit({ status: 'closed' })).toBe('已结课和已取消的开课不能修改')
})

it('tells what a generation did, and what it left out first', () => {
  expect(countsOf({ created: 10, existing: 0, skipped: 5 })).toBe('新增10个，已有0个，未生成5个')
  const wordOf = (reason: string) => ({ no_student: '无在籍学生', no_effective_plan: '无生效计划' })[reason] ?? reason
  const without = plan('2026级', [{ reason: 'no_student', count: 2, courses: ['政治', '英语'] }])
  expect(reasonsOf(without, wordOf)).toEqual(['无在籍学生（2门）：政治、英语'])
  expect(reasonsOf(plan('2025级', [{ reason: 'no_effective_plan', count: 0, courses: [] }]), wordOf)).toEqual([
    '无生效计划',
  ])
  expect(leftOutFirst([plan('2024级', []), without]).map(({ gradeName }) => gradeName)).toEqual(['2026级', '2024级'])
})

it('tells what became of the rosters', () => {
  expect(syncedWords({ added: 1, dropped: 2, moved: 0 })).toBe('名单已同步：新增1人，退选2人，转入0人')
  expect(syncedWords({ added: 0, dropped: 0, moved: 0 })).toBe('名单没有变动')
})
