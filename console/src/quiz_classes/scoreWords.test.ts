import { expect, it } from 'vitest'
import { scoreWords } from './scoreWords'

it('tells the best of the attempts, or why there is none', () => {
  expect(scoreWords(undefined)).toBe('未参加')
  expect(scoreWords({ attempts: 1, score: 80, totalScore: 100, passed: true, waiting: false })).toBe('80/100（及格）')
  expect(scoreWords({ attempts: 2, score: 59.5, totalScore: 100, passed: false, waiting: true })).toBe(
    '59.5/100（不及格，2次）',
  )
  expect(scoreWords({ attempts: 1, score: null, passed: null, waiting: true })).toBe('待批改')
  expect(scoreWords({ attempts: 1, waiting: false })).toBe('答题中')
})
