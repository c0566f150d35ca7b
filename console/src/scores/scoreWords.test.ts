import { expect, it } from 'vitest'
import {
  can,
  correctable,
  detailWords,
  enteredShare,
  initialParams,
  initialRule,
  isComponent,
  mayNameCourse,
  publishedRounds,
  rate,
  sheetFilterOf,
  tried,
  weightRefusal,
} from './scoreWords'

it('shows rates with one place at the most', () => {
  expect([rate(76.9), rate(50), rate(null)]).toEqual(['76.9%', '50%', '—'])
})

it('wants weights of a hundred', () => {
  expect(weightRefusal([20, 20, 60])).toBeUndefined()
  expect(weightRefusal([20, 20, 50, null])).toBe('权重之和必须为100，当前为90')
  for (const kind of ['thesis', 'review', 'defense'] as const) {
    const params: { items?: { weight: number }[] } = initialParams[kind]
    expect(weightRefusal((params.items ?? []).map(({ weight }) => weight))).toBeUndefined()
  }
})

it('names the parts of a total as the server does', () => {
  const { weights, missing }: { weights?: object; missing?: object } = initialParams.total
  const parts = ['study', 'homework', 'attendance', 'questions', 'final_exam']
  expect(Object.keys(weights ?? {})).toEqual(parts)
  expect(Object.keys(missing ?? {})).toEqual(parts)
})

it('tries typed figures, else what a student has', () => {
  expect(tried('total', {}, [], {})).toBeUndefined()
  expect(tried('total', { exam: 52 }, [], {})).toEqual({ exam: 52, tasks: [], items: [] })
  expect(tried('homework', {}, [undefined, undefined], {})).toBeUndefined()
  expect(tried('homework', {}, [80, undefined], {})?.tasks).toEqual([
    { weight: 1, score: 80 },
    { weight: 1, score: undefined },
  ])
  expect(tried('thesis', {}, [], { topic: 80, content: undefined })?.items).toEqual([{ code: 'topic', score: 80 }])
})

it('says of what a component was computed', () => {
  expect(detailWords({ progress: 92.5, minutes: 450, ruleId: 3 })).toBe('进度 92.5，分钟 450')
  expect(detailWords({})).toBe('—')
  expect(detailWords(null)).toBe('—')
})

it('offers the rounds that are out for a correction', () => {
  const round = (id: number, of: 'first' | 'makeup', roundNo: number, published = true) => ({
    id,
    round: of,
    roundNo,
    value: 50 + id,
    mark: 'normal' as const,
    source: 'offline_entry' as const,
    published,
    text: `${50 + id}`,
    steps: [],
    enteredByName: '教务员',
    enteredAt: '2026-07-01T09:00:00+08:00',
  })
  const rounds = [round(1, 'first', 1), round(2, 'makeup', 1), round(3, 'makeup', 2), round(4, 'makeup', 3, false)]
  expect(publishedRounds(rounds).map(({ id, number }) => [id, number])).toEqual([
    [1, undefined],
    [2, 1],
    [3, 2],
  ])
})

it('knows what may be done with a sheet', () => {
  expect(can.enter({ status: 'returned' })).toBeUndefined()
  expect(can.enter({ status: 'submitted' })).toBe('成绩已提交，请先退回登记表')
  expect(can.submit({ status: 'entering', enteredCount: 0 })).toBe('还没有录入成绩')
  expect(can.remove({ status: 'pending', enteredCount: 0 })).toBeUndefined()
  expect(can.reject({ status: 'reviewed' })).toBeUndefined()
  expect(can.reject({ status: 'published' })).toBe('提交后、发布前的可以退回')
  expect(can.unpublish({ status: 'locked' })).toBe('只有已发布的可以撤回')
})

it('tells kinds apart', () => {
  expect(isComponent('study')).toBe(true)
  expect(isComponent('total')).toBe(false)
  expect(mayNameCourse('graduation_total')).toBe(false)
})

it('corrects of a score what it is made of', () => {
  const of = (origin: Parameters<typeof correctable>[0]) => correctable(origin).targets.map(({ value }) => value)
  expect(of('examined')).toEqual(['exam', 'component', 'mark'])
  expect(of('history')).toEqual(['exam', 'mark'])
  expect(of('thesis')).toEqual(['component', 'mark'])
  expect(correctable('internship').parts).toEqual(['unit', 'teacher'])
  expect(correctable('thesis').typed).toBeUndefined()
})

it('tells how much is entered of what the list names', () => {
  expect(enteredShare({ totalCount: 45, enteredCount: 41 })).toBe(91.1)
  expect(enteredShare({ totalCount: 0, enteredCount: 0 })).toBeUndefined()
  expect(sheetFilterOf({ batchId: 1, pageSize: 20, sortField: 'sheetNo' })).toEqual({ batchId: 1 })
})

it('copies a rule with its scope', () => {
  const source = { gradeId: 3, courseId: 7, params: { base: 90 }, remark: '补修' }
  expect(initialRule('attendance', source as Parameters<typeof initialRule>[1])).toMatchObject({
    ...source,
    enabled: true,
  })
  expect(initialRule('attendance', undefined).params).toEqual(initialParams.attendance)
})
