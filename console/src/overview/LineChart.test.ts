import { expect, it } from 'vitest'
import { ceilingOf } from './LineChart'

it('the axis ends at a round number', () => {
  expect([0, 3, 7, 42, 120, 999].map(ceilingOf)).toEqual([5, 5, 7, 50, 200, 1000])
})
