// @vitest-environment node
import { expect, it } from 'vitest'
import { askedOrders } from './asked'

it('finds orders by a whole phone, or by a number from its day on', () => {
  expect(askedOrders('13900007601')).toEqual({ phone: '13900007601' })
  expect(askedOrders('202601050000000001')).toEqual({ orderNo: '202601050000000001' })
  expect(askedOrders('20260105')).toEqual({ orderNo: '20260105' })
  for (const text of ['', '139', '1390000760', '2026', '2026010500000000011', '订单', '许清和'])
    expect(askedOrders(text), text).toBeUndefined()
})
