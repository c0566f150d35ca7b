import { expect, test } from 'vitest'
import { can, daysChart, kindsChart, measureWords, scannedBy, thresholdsRefusal, unitOf } from './superviseRules'

test('a red case is closed after a contact alone', () => {
  const red = { status: 'open', level: 'red', lastContactAt: null } as const
  expect(can.close(red)).toBe('红色预警须至少联系一次后才能关闭')
  expect(can.close({ ...red, lastContactAt: '2026-04-20T09:00:00+08:00' })).toBeUndefined()
  expect(can.close({ ...red, level: 'orange' })).toBeUndefined()
  expect(can.close({ ...red, status: 'relieved' })).toBe('案例已解除或已关闭')
})

test('what is over is not taken up, handed over or reminded', () => {
  expect(can.contact({ status: 'closed' })).toBeDefined()
  expect(can.contact({ status: 'relieved' })).toBeUndefined()
  expect(can.follow({ status: 'following' })).toBeDefined()
  expect(can.handOver({ status: 'following' })).toBeUndefined()
  const tags = [{ kind: 'fee', count: 1, value: 1 }] as const
  expect(can.remind({ status: 'open', tags: [] })).toBe('该生没有预警')
  expect(can.remind({ status: 'closed', tags: [...tags] })).toBe('该生没有预警')
  expect(can.remind({ status: 'relieved', tags: [...tags] })).toBeUndefined()
  expect(can.mute({ clearedAt: null })).toBeUndefined()
})

test('a lag tells how far somebody is and should be', () => {
  expect(measureWords({ kind: 'video_lag', value: 25.6, expected: 37.6 })).toBe('12.0%，应达37.6%')
  expect(measureWords({ kind: 'silent', value: 50 })).toBe('50天未登录')
  expect(measureWords({ kind: 'study_limit', value: 6 })).toBe('还有6个月')
  expect(measureWords({ kind: 'exam_risk', value: 3 })).toBe('还有3天')
  expect(measureWords({ kind: 'exam_risk', value: 3, lack: '学习进度 42.0%，要求 60%' })).toBe('还有3天，学习进度 42.0%，要求 60%')
  expect(measureWords({ kind: 'homework_overdue', value: 2 })).toBe('共2项')
  expect(measureWords({ kind: 'fee', value: 1 })).toBe('')
})

test('the levels of a rule grow stricter', () => {
  expect(thresholdsRefusal('video_lag', { yellow: 30, orange: 20, red: null })).toBe('三级阈值须依次加严')
  expect(thresholdsRefusal('video_lag', { yellow: 15, orange: null, red: 50 })).toBeUndefined()
  expect(thresholdsRefusal('study_limit', { yellow: 12, orange: 6, red: 3 })).toBeUndefined()
  expect(thresholdsRefusal('study_limit', { yellow: 3, orange: 6, red: null })).toBe('三级阈值须依次加严')
  expect(thresholdsRefusal('fee', { yellow: null, orange: null, red: null })).toBe('请至少填写一级阈值')
  expect([unitOf('silent'), unitOf('fee')]).toEqual(['天', '项'])
})

test('a scan goes by where students are, not by what became of their cases', () => {
  const filter = { siteId: 3, keyword: '张', level: 'red', live: true, semesterId: 1 } as const
  expect(scannedBy(filter)).toEqual({ siteId: 3, keyword: '张' })
  expect(scannedBy({})).toEqual({})
})

test('charts have a series of each level', () => {
  const rows = [{ id: 1, name: '2026-04-20', red: 2, orange: 1, yellow: 3, count: 6 }]
  expect(daysChart(rows).series.map(({ name, points }) => [name, points[0]?.value])).toEqual([
    ['红色', 2],
    ['橙色', 1],
    ['黄色', 3],
  ])
  expect(kindsChart(rows).stacked).toBe(true)
})
