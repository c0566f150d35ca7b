import { expect, it } from 'vitest'
import { nextOf, placeIn } from './auditQueue'

const rows = [true, false, true, true].map((waits, at) => ({ id: at + 1, waits }))
const nextAfter = (id: number, of = rows) => nextOf(of, id, ({ waits }) => waits)?.id

it('goes on to the next that waits, and from the top again', () => {
  expect(nextAfter(1)).toBe(3)
  expect(nextAfter(3)).toBe(4)
  expect(nextAfter(4)).toBe(1)
})

it('ends where nothing else of the page waits, and begins at the top for a row of another page', () => {
  expect(nextAfter(1, rows.slice(0, 2))).toBeUndefined()
  expect(nextAfter(9)).toBe(1)
  expect(nextAfter(9, [])).toBeUndefined()
})

it('tells the how many-th it is of those that waited', () => {
  expect(placeIn([], 1, 12)).toBe('第 1 / 12 条')
  expect(placeIn([1, 3], 4, 12)).toBe('第 3 / 12 条')
  // Skipped before, and come back to.
  expect(placeIn([1, 3, 4], 1, 12)).toBe('第 3 / 12 条')
  expect(placeIn([1, 3], 4, 2)).toBe('第 3 / 3 条')
})
