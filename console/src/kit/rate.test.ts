import { expect, it } from 'vitest'
import { rateOf } from './rate'

it('tells a rate of four places in percent', () => {
  expect([0, 0.006, 0.0038, 0.05].map(rateOf)).toEqual(['0%', '0.6%', '0.38%', '5%'])
  expect([0.07, 0.29, 0.6667, 0.7, 1].map(rateOf)).toEqual(['7%', '29%', '66.67%', '70%', '100%'])
})
