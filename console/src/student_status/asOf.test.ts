// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { askedOf, dayRefused, filtersWith, firstSpan, lastMonthEnd } from './asOf'

it('begins with the last day of the month before', () => {
  expect(lastMonthEnd('2026-11-26')).toBe('2026-10-31')
  expect(lastMonthEnd('2026-03-01')).toBe('2026-02-28')
  expect(lastMonthEnd('2028-03-31')).toBe('2028-02-29')
  expect(lastMonthEnd('2027-01-01')).toBe('2026-12-31')
})

it('takes today and every day before it', () => {
  expect(dayRefused('2026-11-26', '2026-11-26')).toBeUndefined()
  expect(dayRefused('2026-02-28', '2026-11-26')).toBeUndefined()
  expect(dayRefused('2026-11-27', '2026-11-26')).toBe('日期不能晚于今天')
  expect(dayRefused('2027-01-01', '2026-11-26')).toBe('日期不能晚于今天')
  expect(dayRefused(undefined, '2026-11-26')).toBe('请选择日期')
})

it('takes a filter off that has no value any more', () => {
  const before = { gradeId: '3', keyword: '小梅' }
  expect(filtersWith(before, { keyword: undefined, siteId: '7' })).toEqual({ gradeId: '3', siteId: '7' })
  expect(filtersWith(before, { keyword: '' })).toEqual({ gradeId: '3' })
  expect(before).toEqual({ gradeId: '3', keyword: '小梅' })
})

it('asks for each filter in its own kind, and for nothing that the operation does not know', () => {
  const filters = { gradeId: '3', status: 'registered,suspended', keyword: '小梅', unknown: 'x' }
  expect(askedOf('2026-10-31', filters, { pageCurrent: 2, pageSize: 50 })).toEqual({
    on: '2026-10-31',
    gradeId: 3,
    status: ['registered', 'suspended'],
    keyword: '小梅',
    pageCurrent: 2,
    pageSize: 50,
  })
  expect(askedOf('2026-10-31', { id: '9' }, { ...firstSpan, pageSize: 1 })).toEqual({
    on: '2026-10-31',
    id: 9,
    pageCurrent: 1,
    pageSize: 1,
  })
})
