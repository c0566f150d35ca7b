import { expect, test } from 'vitest'
import { type ChartData, isOfDays, namesOf, optionOf, pointAt, shareOf, sharesOf, valueAt } from './chartOption'

const points = [
  { name: '会计学', value: 159, link: '/list?majorId=1' },
  { name: '护理学', value: 41 },
]
const data: ChartData = { title: '专业', kind: 'share', unit: '人', series: [{ name: '学生', points }], whole: 1954 }
const colours = { palette: ['#1', '#2'], ink: '#3', faint: '#4', line: '#5', ground: '#6' }

test('shares are of the whole, and what is not listed is the rest', () => {
  expect(shareOf(159, 1954)).toBe('8.1%')
  expect(sharesOf(data).at(-1)).toEqual({ name: '其他', value: 1754 })
  expect(sharesOf({ ...data, whole: 200 })).toHaveLength(2)
})

test('an axis of people has no halves', () => {
  expect(optionOf({ ...data, kind: 'line' }, colours)).toMatchObject({ yAxis: { minInterval: 1 } })
})

test('a line of one day shows its point', () => {
  const [series] = data.series
  const only = {
    ...data,
    kind: 'line' as const,
    series: [{ name: '报名', points: [{ name: '2026-03-01', value: 3 }] }],
  }
  expect(optionOf(only, colours)).toMatchObject({ series: [{ showSymbol: true }] })
  const more = { ...data, kind: 'line' as const, series: series ? [series] : [] }
  expect(optionOf(more, colours)).toMatchObject({ series: [{ showSymbol: false }] })
})

test('a pie has a part for each share, told apart by colour', () => {
  const pie = optionOf({ ...data, kind: 'pie' }, colours)
  expect(pie).toMatchObject({
    series: [
      {
        type: 'pie',
        data: [
          { name: '会计学', value: 159, itemStyle: { color: '#1' } },
          { name: '护理学', value: 41, itemStyle: { color: '#2' } },
          { name: '其他', value: 1754, itemStyle: { color: colours.line } },
        ],
      },
    ],
  })
  expect(pie).not.toHaveProperty('xAxis')
})

test('what is pressed leads to its list', () => {
  expect(pointAt({ ...data, kind: 'pie' }, { seriesIndex: 0, dataIndex: 1 })?.name).toBe('护理学')
  expect(pointAt(data, { seriesIndex: 0, dataIndex: 0 })?.link).toBe('/list?majorId=1')
  expect(pointAt({ ...data, kind: 'bar' }, { dataIndex: 1 })?.name).toBe('护理学')
})

test('several series share their names, and one that lacks a point has a gap', () => {
  const rates = {
    ...data,
    kind: 'bar' as const,
    series: [
      { name: '达标率', points: [{ name: '城东', value: 80 }] },
      {
        name: '提交率',
        points: [
          { name: '城东', value: 60 },
          { name: '城西', value: 40 },
        ],
      },
    ],
  }
  expect(namesOf(rates)).toEqual(['城东', '城西'])
  const [, handed] = rates.series
  expect(handed && valueAt(handed, '城西', 0)).toBe(40)
  expect(optionOf(rates, colours)).toMatchObject({ series: [{ data: [80, null] }, { data: [60, 40] }] })
  expect(optionOf({ ...rates, stacked: true }, colours)).toMatchObject({
    series: [{ stack: 'whole' }, { stack: 'whole' }],
  })
})

test('a line over hours keeps their names, one over days leaves out the year', () => {
  const over = (name: string) => ({
    ...data,
    kind: 'line' as const,
    series: [{ name: '登录', points: [{ name, value: 3 }] }],
  })
  expect(optionOf(over('2026-03-01'), colours)).toMatchObject({ xAxis: { data: ['03-01'] } })
  expect(optionOf(over('20时'), colours)).toMatchObject({ xAxis: { data: ['20时'] } })
  expect([isOfDays(over('2026-03-01')), isOfDays(over('20时'))]).toEqual([true, false])
})
