// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { placeOf, viewQuery } from './savedViews'

test('a view is the filters and the order, whatever page or record is open', () => {
  const search = new URLSearchParams('pageCurrent=3&open=7&status=left&sortField=name&view=2')
  expect(viewQuery(search)).toBe('sortField=name&status=left')
})

test('a view leads to its page', () => {
  expect(placeOf({ path: '/a', query: 'b=1', id: 2 })).toBe('/a?b=1&view=2')
  expect(placeOf({ path: '/a', query: '', id: 2 })).toBe('/a?view=2')
})
