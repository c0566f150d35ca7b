import { expect, it } from 'vitest'
import { figuresOf } from './schoolFigures'

it('counts a school by the parts of its list, a problem beside the matches', () => {
  const segments = [
    { value: 'matched', count: 9050 },
    { value: 'unmatched', count: 888 },
    { value: 'conflict', count: 62 },
    { value: 'has_issue', count: 70 },
  ]
  expect(figuresOf({ code: 3, desc: '东湖示范学院' }, { segments })).toEqual({
    schoolId: 3,
    schoolName: '东湖示范学院',
    total: 10_000,
    matched: 9050,
    unmatched: 888,
    conflict: 62,
    withIssue: 70,
  })
  expect(figuresOf({ code: 4, desc: '南岭示范大学' }, {}).total).toBe(0)
})
