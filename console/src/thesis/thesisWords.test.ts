import { expect, it } from 'vitest'
import {
  can,
  givenMarks,
  isWaiting,
  marksText,
  memberMean,
  milestones,
  moved,
  similarityText,
  uploadable,
  weighted,
} from './thesisWords'

it('leaves the highest and the lowest of five out', () => {
  expect(memberMean([90, 80, 82, 84, 60])).toBe(82)
  expect(memberMean([80, 85, 78])).toBe(81)
  expect(memberMean([])).toBeUndefined()
})

it('moves one of an order', () => {
  expect(moved([1, 2, 3], 0, 2)).toEqual([2, 3, 1])
  expect(moved([1, 2, 3], 2, 3)).toEqual([1, 2, 3])
  expect(moved([1, 2, 3], 1, 0)).toEqual([2, 1, 3])
})

it('lists the stages that have dates', () => {
  expect(milestones({ topicFrom: '2026-01-01', topicTo: '2026-01-31', finalDue: '2026-04-20' })).toEqual([
    { name: '选题', from: '2026-01-01', to: '2026-01-31' },
    { name: '终稿', to: '2026-04-20' },
  ])
})

it('knows what may be done at each stage', () => {
  const at = (stage: 'topic' | 'final' | 'review', stageStatus: 'pending' | 'submitted' = 'pending') =>
    ({ status: 'active', stage, stageStatus }) as const
  expect(can.topic(at('topic'))).toBeUndefined()
  expect(can.topic(at('final'))).toBe('选题已完成，请用“变更题目”')
  expect(can.decide(at('final'))).toBe('没有待审核的文稿')
  expect(can.decide(at('final', 'submitted'))).toBeUndefined()
  expect(can.similarity(at('final'))).toBe('终稿通过后才能查重')
  expect(can.change({ ...at('final'), status: 'cancelled' })).toBe('论文已结束')
  expect(can.upload(at('review'))).toBeUndefined()
  expect(uploadable(at('final'))).toEqual(['final', 'midterm', 'revision', 'slides'])
  expect(uploadable(at('final', 'submitted'))).toEqual(['midterm', 'revision', 'slides'])
  expect([isWaiting(at('topic', 'submitted')), isWaiting(at('topic'))]).toEqual([true, false])
})

it('tells what the checker found, and when', () => {
  expect(similarityText({ similarityCount: 0 })).toBe('—')
  const found = { similarityRate: 12.5, similarityTool: '知网', similarityCount: 1 }
  expect(similarityText(found)).toBe('12.5%（知网，第1次）')
  expect(similarityText({ ...found, similarityOn: '2026-04-20' })).toBe('12.5%（知网，2026-04-20，第1次）')
})

it('sends and shows the items of a review', () => {
  const items = [
    { code: 'a', name: '创新', weight: 40, score: 80 },
    { code: 'b', name: '论证', weight: 60, score: null },
  ]
  expect(givenMarks(items, { a: 90, b: undefined })).toEqual([{ code: 'a', score: 90 }])
  expect(marksText(items)).toBe('创新80')
})

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
