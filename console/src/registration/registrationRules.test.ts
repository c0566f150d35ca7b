import { expect, it } from 'vitest'
import {
  countOf,
  feeOf,
  lengthOf,
  majorsOfLevel,
  type Row,
  reportWarnings,
  type StepName,
  stepsOf,
  windowOf,
} from './registrationRules'

const states: readonly Row['status'][] = ['pending', 'reported', 'reserved', 'abandoned', 'no_show', 'revoked']
const offered = (step: StepName) => states.filter((status) => stepsOf({ status, carriedOn: false }).includes(step))

// The table of 02 §7.
it('offers the steps that a state has', () => {
  expect(offered('report')).toEqual(['pending'])
  expect(offered('reserve')).toEqual(['pending'])
  expect(offered('resume')).toEqual(['reserved'])
  expect(offered('abandon')).toEqual(['pending', 'no_show'])
  expect(offered('reinstate')).toEqual(['no_show'])
  expect(offered('undo')).toEqual(['reported'])
  expect(offered('revoke')).toEqual(['pending', 'reserved'])
  expect(offered('delete')).toEqual(['pending', 'abandoned', 'no_show'])
  expect(offered('fee')).toEqual(['pending', 'reported', 'reserved', 'no_show'])
  expect(stepsOf({ status: 'reserved', carriedOn: true })).toEqual([])
})

const ready = {
  canReportNow: true,
  reportStartsAt: '2026-03-01T00:00:00+08:00',
  reportEndsAt: '2026-03-08T23:30:00+08:00',
  feePaid: true,
  photoUrl: null,
  admissionPhotoUrl: 'https://example.test/1.jpg',
}

it('says before a report what speaks against it', () => {
  expect(reportWarnings(ready, false)).toEqual([])
  expect(reportWarnings({ ...ready, canReportNow: false }, true)).toEqual([
    '不在报到时间内（2026-03-01 00:00 至 2026-03-08 23:30），将按补办登记',
  ])
  expect(
    reportWarnings(
      { canReportNow: false, reportStartsAt: null, reportEndsAt: null, feePaid: false, admissionPhotoUrl: null },
      false,
    ),
  ).toEqual([
    '招生批次不在报到时间内，您没有补办的权限',
    '还没有缴费：学校要求缴费后报到时不能报到，请先标记缴费',
    '没有报到照片，也没有录取照片，请上传照片，或在“录取数据”中导入',
  ])
  expect(windowOf({ reportEndsAt: ready.reportEndsAt })).toBe('2026-03-08 23:30止')
})

it('offers majors of the same level', () => {
  const majors = [
    { majorId: 3, levelId: 1, desc: '会计学' },
    { majorId: 4, levelId: 2, desc: '会计' },
    { desc: '法学' },
  ]
  expect(majorsOfLevel(majors, 1)).toEqual([{ value: 3, label: '会计学' }])
})

it('sends of a fee what was paid, and nothing of who has not paid', () => {
  expect(feeOf({ feePaid: true, paidAmount: 280000, paidAt: '2026-03-02', tradeNo: ' T1 ' })).toEqual({
    feePaid: true,
    paidAmount: 280000,
    paidAt: '2026-03-02',
    tradeNo: 'T1',
  })
  expect(feeOf({ feePaid: true, paidAmount: 0, paidAt: '2026-03-02', tradeNo: '' }).tradeNo).toBeUndefined()
  expect(feeOf({ feePaid: false, paidAmount: 280000, tradeNo: 'T1' })).toEqual({ feePaid: false })
})

it('measures figures', () => {
  expect(lengthOf(30, 120)).toBe(25)
  expect(lengthOf(0, 0)).toBe(0)
  const segments = [
    { value: 'pending', count: 4 },
    { value: 'no_show', count: 3 },
    { value: 'reported', count: 90 },
  ]
  expect(countOf('missing', segments)).toBe(7)
  expect(countOf('roll', segments)).toBe(90)
  expect(countOf('reserved', segments)).toBe(0)
})
