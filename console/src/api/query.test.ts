// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { clientOf, queryClient, refetchAll } from './query'
import { store, stored } from './session'

it('keeps each school apart, and has everything asked for again after a change', async () => {
  const [first, second] = [clientOf(1), clientOf(2)]
  expect(clientOf(1)).toBe(first)
  expect(clientOf(undefined)).toBe(queryClient)
  const all = [queryClient, first, second]
  expect(new Set(all).size).toBe(3)
  for (const [at, client] of all.entries()) client.setQueryData(['/x/list'], at)
  expect(all.map((client) => client.getQueryData(['/x/list']))).toEqual([0, 1, 2])
  store('options', { a: 1 })
  await refetchAll()
  expect(all.map((client) => client.getQueryState(['/x/list'])?.isInvalidated)).toEqual([true, true, true])
  expect(stored('options')).toBeUndefined()
})
