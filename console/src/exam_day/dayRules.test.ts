import { expect, it } from 'vitest'
import { canRecord, lacking, toggled, totalsOf, watcherWords } from './dayRules'

const NOW = new Date('2026-06-20T10:00:00+08:00').getTime()

it('records a room once the examination began, until it is confirmed', () => {
  expect(canRecord.record({ status: 'none', startsAt: '2026-06-20T11:00:00+08:00' }, NOW)).toBe(
    '考试未开始，不能登记考场情况',
  )
  expect(canRecord.record({ status: 'recorded', startsAt: '2026-06-20T09:00:00+08:00' }, NOW)).toBeUndefined()
  expect(canRecord.record({ status: 'confirmed', startsAt: '2026-06-20T09:00:00+08:00' }, NOW)).toBe(
    '考场情况已确认，请先取消确认',
  )
  expect(canRecord.confirm({ status: 'none' })).toBe('还没有登记考场情况')
  expect(canRecord.confirm({ status: 'recorded' })).toBeUndefined()
  expect(canRecord.reopen({ status: 'confirmed' })).toBeUndefined()
})

it('counts who is missing in a room; who goes round is in none', () => {
  expect(lacking({ needed: 3, people: [{ role: 'chief' }, { role: 'patrol' }] })).toBe(2)
  expect(lacking({ needed: 2, people: [{ role: 'chief' }, { role: 'assistant' }, { role: 'assistant' }] })).toBe(0)
})

it('says who watches a room and who of them came', () => {
  expect(watcherWords({ name: '李老师', role: 'chief', signedIn: true })).toBe('主监考 李老师（已到）')
  expect(watcherWords({ name: '王老师', role: 'patrol', signedIn: false })).toBe('巡考 王老师')
})

it('adds figures up, and ticks seats in their order', () => {
  const row = { planned: 30, present: 28, absent: 2, violations: 1 }
  expect(totalsOf([row, row])).toEqual({ planned: 60, present: 56, absent: 4, violations: 2 })
  expect(toggled([9], 5)).toEqual([5, 9])
  expect(toggled([5, 9], 5)).toEqual([9])
})
