import { expect, it } from 'vitest'
import { movedTo } from './listOrder'

it('moves one of a list and leaves the others in their order', () => {
  expect(movedTo([1, 2, 3, 4], 4, 1)).toEqual([1, 4, 2, 3])
  expect(movedTo([1, 2, 3, 4], 1, 3)).toEqual([2, 3, 4, 1])
  expect(movedTo([1, 2, 3], 2, 1)).toEqual([1, 2, 3])
})

it('knows no place of a number that is not in the list', () => {
  expect(movedTo([1, 2], 3, 0)).toEqual([1, 2])
})
