import { expect, it } from 'vitest'
import { isSilent, leftWords, secondsLeft, watchEvery } from './examClock'

const NOW = new Date('2026-06-20T10:00:00+08:00').getTime()
const answering = {
  markState: 'in_progress',
  deadlineAt: '2026-06-20T10:50:30+08:00',
  lastBeatAt: '2026-06-20T09:59:30+08:00',
}

it('counts down to the deadline, never below nothing', () => {
  expect(secondsLeft(answering.deadlineAt, NOW)).toBe(3030)
  expect(secondsLeft('2026-06-20T09:00:00+08:00', NOW)).toBe(0)
  expect(secondsLeft(null, NOW)).toBeUndefined()
  expect(leftWords(answering, NOW)).toBe('剩余50分30秒')
  expect(leftWords({ ...answering, deadlineAt: '2026-06-20T09:00:00+08:00' }, NOW)).toBe('时间已到')
  expect(leftWords({ ...answering, markState: 'submitted' }, NOW)).toBeUndefined()
})

it('notices who is not heard of', () => {
  expect(isSilent(answering, NOW)).toBe(false)
  expect(isSilent({ ...answering, lastBeatAt: '2026-06-20T09:58:00+08:00' }, NOW)).toBe(true)
  expect(isSilent({ ...answering, markState: 'submitted', lastBeatAt: '2026-06-20T09:00:00+08:00' }, NOW)).toBe(false)
  expect(isSilent({ ...answering, lastBeatAt: null }, NOW)).toBe(false)
})

it('looks again while somebody is answering', () => {
  expect(watchEvery([{ markState: 'submitted' }, answering])).toBe(15_000)
  expect(watchEvery([{ markState: 'marked' }])).toBe(false)
  expect(watchEvery([])).toBe(false)
})
