import { yuanOf } from '@/catalogue/courseContent'

interface Terms {
  couponType: 'full_reduction' | 'discount' | 'direct'
  threshold: number
  amount?: number | null
  rate?: number | null
  maxDiscount?: number | null
}

/** What a coupon takes off, in words: `满150.00元减20.00元`, `按90%付款，最多减15.00元`. */
export const termsOf = ({ couponType, threshold, amount, rate, maxDiscount }: Terms) => {
  if (couponType === 'full_reduction') return `满${yuanOf(threshold)}元减${yuanOf(amount ?? 0)}元`
  if (couponType === 'direct') return `立减${yuanOf(amount ?? 0)}元`
  const most = maxDiscount ? `，最多减${yuanOf(maxDiscount)}元` : ''
  return `按${Math.round((rate ?? 1) * 100)}%付款${most}`
}
