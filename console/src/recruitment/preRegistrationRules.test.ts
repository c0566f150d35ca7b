import { expect, it } from 'vitest'
import { nextPending } from './preRegistrationRules'

const rows = (['pending', 'approved', 'pending', 'returned'] as const).map((status, at) => ({ id: at + 1, status }))

it('goes on to the next who waits, and from the top again', () => {
  expect(nextPending(rows, 1)?.id).toBe(3)
  expect(nextPending(rows, 2)?.id).toBe(3)
  expect(nextPending(rows, 3)?.id).toBe(1)
  expect(nextPending(rows, 4)?.id).toBe(1)
})

it('ends where nobody else of the page waits, and begins at the top for one who is on another page', () => {
  expect(nextPending(rows.slice(0, 2), 1)).toBeUndefined()
  expect(nextPending([], 7)).toBeUndefined()
  expect(nextPending(rows, 7)?.id).toBe(1)
})
