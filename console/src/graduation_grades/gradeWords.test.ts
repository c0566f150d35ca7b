import { expect, it } from 'vitest'
import { can, weighted } from './gradeWords'

it('weighs the items of a part', () => {
  expect(
    weighted([
      { weight: 40, score: 80 },
      { weight: 60, score: 90 },
    ]),
  ).toBe(86)
  expect(weighted([{ weight: 40, score: 80 }, { weight: 60 }])).toBeUndefined()
  expect(weighted([])).toBeUndefined()
})

it('knows what may be done with a grade', () => {
  expect(can.enter({ status: 'entering' })).toBeUndefined()
  expect(can.enter({ status: 'reviewed' })).toBe('成绩已提交，请先退回')
  expect(can.publish({ status: 'submitted' })).toBe('审核通过后才能发布')
  expect(can.lock({ status: 'published' })).toBeUndefined()
})
