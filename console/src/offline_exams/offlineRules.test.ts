import { expect, it } from 'vitest'
import { calendarOf, can, dayOf, isReturned, linesOf } from './offlineRules'

it('says why a step is not to be had now', () => {
  expect(can.submit({ status: 'draft', sessionId: null })).toBe('请先选择考试场次')
  expect(can.submit({ status: 'draft', sessionId: 3 })).toBeUndefined()
  expect(can.publish({ status: 'submitted', sessionId: 3 })).toBe('审核通过后可以发布')
  expect(can.edit({ status: 'submitted', sessionId: 3 })).toBe('请先在考试审核中退回')
  expect(can.edit({ status: 'approved', sessionId: 3 })).toBe('请先在考试审核中退回')
  expect(can.edit({ status: 'published', sessionId: 3 })).toBeUndefined()
  expect(can.decide({ status: 'approved', sessionId: 3 })).toBe('只有待审核的可以审核')
  expect(can.giveBack({ status: 'approved', sessionId: 3 })).toBeUndefined()
  expect(can.giveBack({ status: 'published', sessionId: 3 })).toBe('只有待审核和已通过的可以退回')
  expect(isReturned({ status: 'draft', reviewOpinion: '时间过紧' })).toBe(true)
  expect(isReturned({ status: 'approved', reviewOpinion: '同意' })).toBe(false)
})

it('makes one line of a course and semester', () => {
  const row = (selectionId: number, courseId: number, semesterId: number) => ({ selectionId, courseId, semesterId })
  expect(linesOf([row(1, 5, 2), row(2, 6, 2), row(3, 5, 2), row(4, 5, 3)])).toEqual([
    { courseId: 5, semesterId: 2, selectionIds: [1, 3] },
    { courseId: 6, semesterId: 2, selectionIds: [2] },
    { courseId: 5, semesterId: 3, selectionIds: [4] },
  ])
})

it('puts examinations into the days and sessions of their batch', () => {
  const exam = (id: number, sessionCode: string | null, startsAt: string | null) => ({
    id,
    sessionId: sessionCode ? id : null,
    sessionCode,
    startsAt,
  })
  // Half past midnight in China is the day before in the world.
  expect(dayOf('2026-06-20T16:30:00Z')).toBe('2026-06-21')
  const { calendar, unplaced } = calendarOf([
    exam(1, '02', '2026-06-20T14:00:00+08:00'),
    exam(2, '01', '2026-06-20T09:00:00+08:00'),
    exam(3, '03', '2026-06-21T09:00:00+08:00'),
    exam(4, null, null),
  ])
  expect(calendar.map(({ day, sessions }) => [day, sessions.map(({ code }) => code)])).toEqual([
    ['2026-06-20', ['01', '02']],
    ['2026-06-21', ['03']],
  ])
  expect(unplaced.map(({ id }) => id)).toEqual([4])
})
