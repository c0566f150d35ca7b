import { expect, it } from 'vitest'
import {
  clausesOf,
  daysWords,
  isOverdue,
  isPunished,
  progressWords,
  punishedFor,
  slotsOf,
  timeWords,
  whyKept,
} from './examRules'

it('tells a time with its day once, unless it ends on another', () => {
  expect(timeWords('2026-06-20T09:00:00+08:00', '2026-06-20T11:00:00+08:00')).toBe('2026-06-20 09:00至11:00')
  expect(timeWords('2026-06-20T09:00:00+08:00', '2026-06-21T11:00:00+08:00')).toBe('2026-06-20 09:00至2026-06-21 11:00')
  expect(timeWords(undefined, null)).toBe('—')
  expect(daysWords('2026-06-20', '2026-06-30')).toBe('2026-06-20至2026-06-30')
  expect(daysWords('2026-06-20', null)).toBe('—')
})

it('offers the clauses of a level', () => {
  const clauses = [
    ['W1', '携带规定以外物品'],
    ['Z1', '携带相关材料'],
    ['W10', '切屏超限'],
  ] as const
  expect(clausesOf('violation', clauses).map(([code]) => code)).toEqual(['W1', 'W10'])
  expect(clausesOf('cheating', clauses).map(([code]) => code)).toEqual(['Z1'])
})

it('knows who is late with marking, and who marked already', () => {
  const marker = { assigned: 30, done: 12, deadlineAt: '2026-06-25T00:00:00+08:00', status: 'working' as const }
  const after = new Date('2026-06-26T00:00:00+08:00').getTime()
  expect(isOverdue(marker, after)).toBe(true)
  expect(isOverdue({ ...marker, status: 'finished' }, after)).toBe(false)
  expect(isOverdue({ ...marker, deadlineAt: null }, after)).toBe(false)
  expect(progressWords(marker)).toBe('12 / 30')
  expect(whyKept(marker)).toBe('该教师已阅 12 份，不能移除')
  expect(whyKept({ done: 0 })).toBeUndefined()
})

it('gives papers the slots in their order, six at most', () => {
  expect(slotsOf([7, 3])).toEqual([
    { slot: 'A', paperId: 7 },
    { slot: 'B', paperId: 3 },
  ])
  expect(slotsOf([1, 2, 3, 4, 5, 6, 7])).toHaveLength(6)
  expect(slotsOf([])).toEqual([])
})

it('punishes who cheated, and whom the decision says', () => {
  const decided = { status: 'confirmed', level: 'violation', penalty: 'score_void' } as const
  expect(isPunished(decided)).toBe(false)
  expect(isPunished({ ...decided, penalty: 'discipline' })).toBe(true)
  expect(isPunished({ ...decided, level: 'cheating' })).toBe(true)
  expect(isPunished({ ...decided, level: 'cheating', status: 'reported' })).toBe(false)
  const row = { id: 7, studentId: 3, name: '张三', courseName: '会计学', description: '夹带' }
  expect(punishedFor(row, 'Z1 携带相关材料')).toEqual({
    violationId: 7,
    studentId: 3,
    name: '张三',
    reason: '在《会计学》考试中Z1 携带相关材料：夹带',
  })
  expect(punishedFor({ ...row, description: '长'.repeat(600) }, 'Z1').reason).toHaveLength(500)
})
