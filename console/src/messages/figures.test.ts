import { expect, test } from 'vitest'
import { optionOf } from '@/kit/chartOption'
import { evenly, failuresChart, timesChart } from './figures'

test('an hour in which nothing was sent or read stands in the line too', () => {
  const told = [
    { hour: '2026-03-01T23:00:00+08:00', sent: 500, read: 12 },
    { hour: '2026-03-02T01:00:00+08:00', sent: 0, read: 3 },
  ]
  expect(evenly(told)).toEqual({
    byDays: false,
    parts: [
      { name: '2026-03-01 23:00', sent: 500, read: 12 },
      { name: '2026-03-02 00:00', sent: 0, read: 0 },
      { name: '2026-03-02 01:00', sent: 0, read: 3 },
    ],
  })
  expect(evenly([]).parts).toEqual([])
})

test('what lasts longer than a week is told by days', () => {
  const told = [
    { hour: '2026-03-01T08:00:00+08:00', sent: 500, read: 12 },
    { hour: '2026-03-01T09:00:00+08:00', sent: 0, read: 3 },
    { hour: '2026-03-09T00:00:00+08:00', sent: 0, read: 1 },
  ]
  const { byDays, parts } = evenly(told)
  expect(byDays).toBe(true)
  expect(parts).toHaveLength(9)
  expect(parts[0]).toEqual({ name: '2026-03-01', sent: 500, read: 15 })
  expect(parts[1]).toEqual({ name: '2026-03-02', sent: 0, read: 0 })
  expect(parts[8]).toEqual({ name: '2026-03-09', sent: 0, read: 1 })
})

const colours = { palette: ['#1', '#2'], ink: '#3', faint: '#4', line: '#5', ground: '#6' }

test('the reasons of failures are drawn as a pie', () => {
  const points = [
    { name: '没有手机号', value: 10 },
    { name: '超出限额', value: 30 },
  ]
  expect(optionOf(failuresChart(points), colours)).toMatchObject({ series: [{ type: 'pie', data: points }] })
})

test('what was sent and what was read are drawn as two lines over the same hours', () => {
  const { parts } = evenly([
    { hour: '2026-03-01T23:00:00+08:00', sent: 500, read: 12 },
    { hour: '2026-03-02T01:00:00+08:00', sent: 0, read: 3 },
  ])
  expect(optionOf(timesChart(parts), colours)).toMatchObject({
    xAxis: { data: ['03-01 23:00', '03-02 00:00', '03-02 01:00'] },
    series: [
      { type: 'line', name: '发送', data: [500, 0, 0] },
      { type: 'line', name: '阅读', data: [12, 0, 3] },
    ],
  })
})
