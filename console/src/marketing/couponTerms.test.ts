import { expect, it } from 'vitest'
import { termsOf } from './couponTerms'

it('says what a coupon takes off', () => {
  expect(termsOf({ couponType: 'full_reduction', threshold: 15_000, amount: 2_000 })).toBe('满150.00元减20.00元')
  expect(termsOf({ couponType: 'direct', threshold: 0, amount: 500 })).toBe('立减5.00元')
  expect(termsOf({ couponType: 'discount', threshold: 0, rate: 0.9, maxDiscount: 1_500 })).toBe(
    '按90%付款，最多减15.00元',
  )
  expect(termsOf({ couponType: 'discount', threshold: 0, rate: 0.29 })).toBe('按29%付款')
})
