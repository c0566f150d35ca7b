import { expect, it } from 'vitest'
import {
  asApplied,
  bySchool,
  can,
  exceededBy,
  type Line,
  linesRefusal,
  overCapacity,
  type Plan,
  sumOf,
} from './planRules'

it('offers the steps that a state has', () => {
  const states: readonly Plan['status'][] = ['draft', 'submitted', 'approved', 'rejected']
  const offered = (step: keyof typeof can) => states.filter((status) => can[step]({ status }) === undefined)
  expect(offered('edit')).toEqual(['draft', 'rejected'])
  expect(offered('submit')).toEqual(['draft'])
  expect(offered('decide')).toEqual(['submitted'])
  expect(offered('revoke')).toEqual(['approved'])
  expect(offered('delete')).toEqual(['draft'])
  expect(can.submit({ status: 'rejected' })).toBe('退回的申报请先修改，再提交')
})

it('asks for majors, and for a number of each', () => {
  expect(linesRefusal(undefined)).toBe('请选择申报专业')
  expect(linesRefusal([])).toBe('请选择申报专业')
  expect(linesRefusal([{ enrollmentMajorId: 1, quotaApplied: 5 }, { enrollmentMajorId: 2 }])).toBe(
    '请填写每个专业的申报人数',
  )
  expect(linesRefusal([{ enrollmentMajorId: 1, quotaApplied: 5 }])).toBeUndefined()
})

const line = (id: number, quotaApplied: number): Line => ({
  id,
  enrollmentMajorId: id,
  majorCode: '630302',
  majorName: '会计学',
  levelName: '专升本',
  studyForm: 'non_full_time',
  quota: 120,
  quotaApplied,
  admitted: 0,
  reported: 0,
})

it('grants what was declared unless another number is typed', () => {
  const granted = asApplied([line(3, 35), line(4, 10)])
  expect(granted).toEqual({ 3: 35, 4: 10 })
  expect(sumOf(granted)).toBe(45)
  expect(sumOf({ ...granted, 4: undefined })).toBe(35)
})

// 会计学 120: A and B have 90 together, C asks for 35 (02 §5).
it('says by how much a major and a site would be exceeded', () => {
  expect(exceededBy({ remaining: 30 }, 35)).toBe(5)
  expect(exceededBy({ remaining: 30 }, 30)).toBe(0)
  expect(exceededBy({ remaining: -3 }, 1)).toBe(1)
  expect(exceededBy({ remaining: null }, 999)).toBe(0)
  expect(overCapacity({ capacity: 500, studentCount: 400 }, 130)).toBe(30)
  expect(overCapacity({ capacity: 500, studentCount: 400 }, 100)).toBe(0)
  expect(overCapacity({ capacity: 0, studentCount: 400 }, 130)).toBe(0)
})

it('adds up the plans of each school', () => {
  const plan = (schoolId: number, quotaApplied: number, quotaApproved: number | null, admitted: number) => ({
    schoolId,
    schoolName: `院校${schoolId}`,
    quotaApplied,
    quotaApproved,
    admitted,
  })
  expect(bySchool([plan(1, 10, null, 0), plan(2, 50, 40, 39), plan(1, 20, 20, 21)])).toEqual([
    { schoolId: 2, schoolName: '院校2', plans: 1, applied: 50, approved: 40, admitted: 39 },
    { schoolId: 1, schoolName: '院校1', plans: 2, applied: 30, approved: 20, admitted: 21 },
  ])
})
