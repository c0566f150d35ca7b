import { expect, it } from 'vitest'
import { chartShown, figureShown, unitShown } from './amounts'

it('shows amounts in yuan and people as they are counted', () => {
  expect([figureShown(14_915, '分'), unitShown('分')]).toEqual(['149.15', '元'])
  expect([figureShown(1_790_000, '分'), figureShown(0, '分')]).toEqual(['17,900.00', '0.00'])
  expect([figureShown(1_203, '人'), unitShown('人')]).toEqual(['1,203', '人'])
})

it('draws amounts in yuan and keeps where their points lead', () => {
  const chart = {
    title: '近30天收入',
    unit: '分',
    series: [{ name: '实付', points: [{ name: '2027-05-01', value: 14_915, link: '/user/order/info/list' }] }],
    total: null,
  }
  expect(chartShown(chart)).toEqual({
    ...chart,
    unit: '元',
    series: [{ name: '实付', points: [{ name: '2027-05-01', value: 149.15, link: '/user/order/info/list' }] }],
  })
  const people = { ...chart, unit: '人' }
  expect(chartShown(people)).toBe(people)
})
