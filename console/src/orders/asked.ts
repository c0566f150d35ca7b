import { isPhone } from '@/kit/isPhone'

/** An order's number as far as its day at least: 20260105 and ten digits more. */
const NUMBER = /^20\d{6,16}$/

/** Which orders are meant by what was typed anywhere in the console: those of a phone, or of a number; else none. */
export const askedOrders = (wanted: string) => {
  if (isPhone(wanted)) return { phone: wanted }
  return NUMBER.test(wanted) ? { orderNo: wanted } : undefined
}
