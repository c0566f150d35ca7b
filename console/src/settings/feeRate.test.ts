import { expect, it } from 'vitest'
import { rateOf } from './feeRate'

it('tells a rate of four places in percent', () => {
  expect([0, 0.006, 0.0038, 0.05].map(rateOf)).toEqual(['0%', '0.6%', '0.38%', '5%'])
})
