// @vitest-environment node
import { expect, it } from 'vitest'
import { codeOn, semesterOn } from './semesterRules'

it('knows the semester of a day', () => {
  expect(codeOn('2026-03-01')).toBe('2026-1')
  expect(codeOn('2026-08-31')).toBe('2026-1')
  expect(codeOn('2026-09-01')).toBe('2026-2')
  expect(codeOn('2027-01-20')).toBe('2026-2')
})

it('chooses the open semester that has begun last', () => {
  const semester = (number: string, enabled = true) => ({ number, enabled })
  const offered = [semester('2027-1'), semester('2026-2'), semester('2026-1', false)]
  expect(semesterOn('2026-11-26', offered)?.number).toBe('2026-2')
  expect(semesterOn('2026-05-01', offered)?.number).toBe('2026-2')
  expect(semesterOn('2027-04-01', offered)?.number).toBe('2027-1')
  expect(semesterOn('2026-11-26', [])).toBeUndefined()
})
