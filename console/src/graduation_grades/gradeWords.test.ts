import { expect, it } from 'vitest'
import { can } from './gradeWords'

it('knows what may be done with a grade', () => {
  expect(can.enter({ status: 'entering' })).toBeUndefined()
  expect(can.enter({ status: 'reviewed' })).toBe('成绩已提交，请先退回')
  expect(can.publish({ status: 'submitted' })).toBe('审核通过后才能发布')
  expect(can.lock({ status: 'published' })).toBeUndefined()
})
