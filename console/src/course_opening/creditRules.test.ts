// @vitest-environment node
import { expect, it } from 'vitest'
import { type Credit, editedWords, isComplete, itemsFor, itemsOf, revisedBy, whyFixed, withTyped } from './creditRules'

const row = (id: number, of: Partial<Credit> = {}): Credit => ({
  id,
  planId: 1,
  planName: '2026级会计学V1',
  planStatus: 'effective',
  gradeName: '2026级',
  levelName: '专升本',
  majorName: '会计学',
  courseCode: `A${id}`,
  courseName: `课程${id}`,
  termNo: 1,
  nature: 'compulsory',
  credits: 3,
  hours: 54,
  lectureHours: 14,
  onlineHours: 40,
  practiceHours: 0,
  selfStudyHours: 0,
  opened: false,
  planCompulsory: 90,
  planCompulsoryRequired: 92,
  planTotalRequired: 100,
  createdAt: '2026-01-01T00:00:00+08:00',
  version: 4,
  ...of,
})

it('keeps what was typed until it is as before', () => {
  const first = withTyped(new Map(), row(1), 'credits', 4)
  const second = withTyped(first, row(1), 'lectureHours', 20)
  expect(itemsOf(second)).toEqual([{ planCourseId: 1, version: 4, credits: 4, lectureHours: 20 }])
  expect(itemsOf(withTyped(second, row(1), 'credits', 3))).toEqual([{ planCourseId: 1, version: 4, lectureHours: 20 }])
  expect(withTyped(first, row(1), 'credits', undefined).size).toBe(0)
})

it('leaves what is opened or waits for its audit', () => {
  expect(whyFixed(row(1))).toBeUndefined()
  expect(whyFixed(row(1, { opened: true }))).toBe('已开课的课程不能修改学分学时')
  expect(whyFixed(row(1, { planStatus: 'submitted' }))).toBe('待审核的计划不能修改，请先撤回或审核')
  expect(itemsFor([row(1), row(2, { opened: true })], { credits: 4 })).toEqual([
    { planCourseId: 1, version: 4, credits: 4 },
  ])
})

it('names the plans that are revised', () => {
  expect(revisedBy([row(1), row(2), row(3, { planStatus: 'draft', planName: '草稿' })])).toEqual(['2026级会计学V1'])
  expect(
    editedWords({
      done: 3,
      plans: [
        { planId: 2, revised: true, status: 'effective', warnings: [] },
        { planId: 3, revised: true, status: 'submitted', warnings: [] },
        { planId: 4, revised: false, status: 'draft', warnings: [] },
        { planId: 5, revised: true, status: 'draft', warnings: ['必修课程学分合计4.0，应为3.0'] },
      ],
    }),
  ).toBe('已修改3门课程，1份计划的新版本已生效，1份计划的新版本待审核，1份计划的新版本为草稿，请完善后提交')
})

it('knows whether the compulsory courses come to what is asked for', () => {
  expect(isComplete(row(1))).toBe(false)
  expect(isComplete(row(1, { planCompulsory: 92.0 }))).toBe(true)
})
