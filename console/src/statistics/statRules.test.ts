import { expect, test } from 'vitest'
import type { StatTable } from '@/api/types/statistics'
import {
  asks,
  below,
  boxesOf,
  cardWords,
  cellWords,
  changeOf,
  chartOf,
  formOf,
  isWrong,
  rowsOf,
  strength,
  TOTAL_ID,
} from './statRules'

const row = (id: number, name: string) => ({ id, name, cells: [] })
const table: StatTable = {
  computedAt: '2026-04-01T08:00:00+08:00',
  dataUntil: '2026-04-01T08:00:00+08:00',
  totalCount: 1,
  totalPage: 1,
  pageCurrent: 1,
  pageSize: 20,
  nameTitle: '班级',
  columns: [],
  list: [row(3, 'K1')],
  total: row(0, '合计'),
}

test('合计 stands first, and over schools a row is named by its school', () => {
  expect(rowsOf(table, false).map(({ id }) => id)).toEqual([TOTAL_ID, 3])
  expect(rowsOf({ ...table, total: undefined }, true)).toEqual([{ ...row(3, 'K1'), schoolName: 'K1' }])
  expect(rowsOf(undefined, false)).toEqual([])
})

test('a figure is written by the kind of its column, and none is a dash', () => {
  expect(cellWords({ kind: 'count' }, { number: 1234 })).toBe('1,234')
  expect(cellWords({ kind: 'decimal' }, { number: 3 })).toBe('3.0')
  expect(cellWords({ kind: 'percent' }, { number: 60.3 })).toBe('60.3%')
  expect(cellWords({ kind: 'percent' }, {})).toBe('–')
  expect(cellWords({ kind: 'percent' }, { text: '<5' })).toBe('<5')
  expect(cellWords({ kind: 'text' }, {})).toBe('')
})

test('a register that does not come out is wrong', () => {
  expect(isWrong({ key: 'difference' }, { number: 1 })).toBe(true)
  expect(isWrong({ key: 'difference' }, { number: 0 })).toBe(false)
  expect(isWrong({ key: 'closing' }, { number: 1 })).toBe(false)
})

test('cards tell their unit and how they changed', () => {
  expect(cardWords({ value: 60.3, unit: '%' })).toBe('60.3%')
  expect(cardWords({ value: 195, unit: '小时' })).toBe('195小时')
  expect(cardWords({ value: undefined, unit: '%' })).toBe('–')
  expect(changeOf({ value: 60.3, compare: 58 })).toBe('+2.3')
  expect(changeOf({ value: 58, compare: 60.3 })).toBe('-2.3')
  expect(changeOf({ value: 58 })).toBeUndefined()
})

test('shares of one group are a bar of shares, of several stacked bars', () => {
  const share = (points: { name: string; value: number }[]) => ({
    key: 'statuses',
    title: '学籍状态',
    kind: 'share' as const,
    unit: '人',
    series: [{ name: '在籍', points }],
  })
  const one = chartOf(share([{ name: '全校', value: 20 }]))
  expect([one.kind, one.series[0]?.points]).toEqual(['share', [{ name: '在籍', value: 20 }]])
  const several = chartOf(
    share([
      { name: '城东', value: 20 },
      { name: '城西', value: 40 },
    ]),
  )
  expect([several.kind, several.stacked]).toEqual(['bar', true])
})

test('weekdays by hours are a heat map, five quantiles of classes boxes', () => {
  const series = (count: number) => Array.from({ length: count }, (_, at) => ({ name: String(at), points: [] }))
  expect(formOf({ key: 'hours', series: series(7) })).toBe('heat')
  expect(formOf({ key: 'hours', series: series(1) })).toBe('chart')
  expect(formOf({ key: 'classes', series: series(5) })).toBe('boxes')
  const boxes = [40, 60, 70, 80, 95].map((value, at) => ({ name: String(at), points: [{ name: 'K1', value }] }))
  expect(boxesOf({ series: boxes })).toEqual([{ name: 'K1', five: [40, 60, 70, 80, 95] }])
  expect(boxesOf({ series: boxes.slice(0, 4) })).toEqual([])
  expect([strength(5, 10), strength(0, 0)]).toEqual([0.5, 0])
})

test('a row leads to the level below it', () => {
  expect(below('course', 'class')(row(7, '课程A1'))).toEqual({ level: 'class', courseId: '7' })
  expect(below('class', 'student')(row(0, '未分班'))).toBeUndefined()
  expect(below('student', undefined)(row(7, '学生1'))).toBeUndefined()
})

test('a report is asked for by its own filters', () => {
  expect([asks('status', 'date'), asks('status', 'dimension'), asks('yearly', 'dimension')]).toEqual([
    true,
    true,
    false,
  ])
})
