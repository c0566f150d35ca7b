import { expect, it } from 'vitest'
import { percentOf } from './proportion'

it('writes a part as per cent', () => {
  expect([0, 0.07, 0.29, 0.6667, 0.7, 1].map(percentOf)).toEqual(['0%', '7%', '29%', '66.67%', '70%', '100%'])
})
