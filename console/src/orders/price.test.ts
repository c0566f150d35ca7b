import { expect, it } from 'vitest'
import { priceLines } from './price'

const order = {
  priceOriginal: 29_900,
  priceSale: 19_900,
  vipDiscount: 2_985,
  couponDiscount: 2_000,
  pricePaid: 14_915,
  couponName: '满150减20',
  orderStatus: 'paid',
}

it('tells how a price came about', () => {
  expect(priceLines(order)).toEqual([
    { label: '原价', fen: 29_900 },
    { label: '优惠', fen: -10_000 },
    { label: '会员优惠', fen: -2_985 },
    { label: '优惠券（满150减20）', fen: -2_000 },
    { label: '实付', fen: 14_915 },
  ])
})

it('tells of a seckill, and of a price that an operator named', () => {
  const plain = { ...order, vipDiscount: 0, couponDiscount: 0, orderStatus: 'pending' }
  const seckill = priceLines({ ...plain, seckillName: '五一秒杀', pricePaid: 990 })
  expect(seckill.map(({ label }) => label)).toEqual(['原价', '优惠', '秒杀（五一秒杀）', '应付'])
  expect(priceLines({ ...plain, pricePaid: 20_000 })[2]).toEqual({ label: '后台定价', fen: 100 })
})

it('adds up', () => {
  for (const paid of [0, 990, 14_915, 20_000]) {
    const lines = priceLines({ ...order, pricePaid: paid })
    const sum = lines.slice(0, -1).reduce((all, { fen }) => all + fen, 0)
    expect(sum).toBe(paid)
  }
})
