import { expect, it } from 'vitest'
import { daysBetween, together } from './holidays'

it('a break is all of its days', () => {
  expect(daysBetween('2026-04-30', '2026-05-02')).toEqual(['2026-04-30', '2026-05-01', '2026-05-02'])
  expect(daysBetween('2026-06-19', '2026-06-19')).toEqual(['2026-06-19'])
  expect(daysBetween(undefined, '2026-06-19')).toEqual([])
})

it('two breaks of a semester stand beside each other, each day once', () => {
  const labour = daysBetween('2026-05-01', '2026-05-02')
  const both = together(together([], ['2026-06-19']), labour)
  expect(both).toEqual(['2026-05-01', '2026-05-02', '2026-06-19'])
  expect(together(both, ['2026-05-02'])).toEqual(both)
})
