import { expect, it } from 'vitest'
import { rateOf } from './rate'

it('tells what a member pays in percent', () => {
  expect([0.85, 0.29, 1].map(rateOf)).toEqual(['85%', '29%', '100%'])
})
