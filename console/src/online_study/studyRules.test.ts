// @vitest-environment node
import { expect, it } from 'vitest'
import { binWords, can, courseOf, lastDay, nameOf, span } from './studyRules'

it('calls courses and selections by their names', () => {
  expect(courseOf({ courseName: '大学英语(一)', gradeName: '2026级', majorName: '会计学' })).toBe(
    '大学英语(一)（2026级会计学）',
  )
  expect(courseOf({ courseName: '大学英语(一)', gradeName: null, majorName: null })).toBe('大学英语(一)')
  expect(nameOf({ name: '张三', courseName: '会计学原理' })).toBe('张三《会计学原理》')
})

it('writes times as people do', () => {
  expect(span(725)).toBe('12分05秒')
  expect(span(35)).toBe('35秒')
  expect(lastDay('2026-07-13T00:00:00+08:00')).toBe('2026-07-12')
  expect(lastDay('2026-07-12T18:00:00+08:00')).toBe('2026-07-12')
  expect(binWords({ from: 90, to: 100, count: 3 })).toBe('90–100%')
})

it('says why a step is not to be had', () => {
  expect(can.edit({ openingStatus: 'opened' })).toBeUndefined()
  expect(can.edit({ openingStatus: 'closed' })).toBe('课程已结课，不能修改在线教学设置')
  expect(can.remind({ finishedAt: '2026-03-05T00:00:00+08:00' })).toBe('该学生已完成学习，无需督促')
  expect(can.reset({ lastAt: null, importedProgress: null })).toBe('没有可重置的学习记录')
  expect(can.reset({ lastAt: null, importedProgress: 40 })).toBeUndefined()
})
