// @vitest-environment node
import { expect, it } from 'vitest'
import { addressOf, type HelpCategory, isAt, nameAt, numberOf, placeOf } from './helpPlace'

const category = (name: string, more: Partial<HelpCategory> = {}): HelpCategory => ({
  name,
  icon: null,
  platformId: null,
  ownId: null,
  count: 0,
  children: [],
  ...more,
})

it('reads from the address what it wrote there', () => {
  const place = {
    audience: 'student' as const,
    words: '准考证 打印',
    category: { source: 'platform' as const, id: 3 },
    article: { source: 'school' as const, id: 8 },
    page: 2,
    question: 9,
  }
  expect(placeOf(new URLSearchParams(addressOf(place)))).toEqual(place)
  expect(addressOf({})).toBe('?')
  expect(addressOf({ page: 1 })).toBe('?')
})

it('takes nothing from an address that makes no sense', () => {
  const nonsense = new URLSearchParams('audience=all&q=&category=3&article=else-3&page=-1&question=x')
  expect(Object.values(placeOf(nonsense)).filter((value) => value !== undefined)).toEqual([])
})

it('knows a category of both sides by either number', () => {
  const both = category('报名', { platformId: 3, ownId: 5 })
  expect(numberOf(both)).toEqual({ source: 'platform', id: 3 })
  expect(numberOf(category('本校', { ownId: 5 }))).toEqual({ source: 'school', id: 5 })
  expect(isAt(both, { source: 'school', id: 5 })).toBe(true)
  expect(isAt(both, { source: 'platform', id: 5 })).toBe(false)
  expect(isAt(both, undefined)).toBe(false)
  const above = [category('考试', { platformId: 1, children: [category('准考证', { ownId: 7 })] }), both]
  expect(nameAt(above, { source: 'school', id: 7 })).toBe('考试 / 准考证')
  expect(nameAt(above, { source: 'school', id: 9 })).toBeUndefined()
})
