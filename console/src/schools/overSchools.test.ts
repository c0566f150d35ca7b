// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { isReached } from '@/api/identity'
import { isUnwritable } from '@/api/schoolContext'
import { noticeWords } from '@/kit/SchoolNotices'
import { listAvailableSchools } from './api'
import { addressIn } from './OverSchools'

it('another school begins with its own address: nothing of the former one is left', () => {
  const before = new URLSearchParams('schoolId=1&tab=classes&gradeId=5&pageCurrent=3&open=8')
  expect(addressIn(before, 2).toString()).toBe('schoolId=2&tab=classes')
  expect(addressIn(before, 2, 8).toString()).toBe('schoolId=2&tab=classes&open=8')
  expect(addressIn(before, undefined).toString()).toBe('tab=classes')
})

it('names the schools that are left out, with the reason in the document’s words', () => {
  const options = [
    ['migrating', '升级中'],
    ['suspended', '已停用'],
  ] as const
  const list = { ...listAvailableSchools, notices: { reason: { label: '原因', kind: 'enum', options } } } as const
  const notices = [
    { schoolId: 1, schoolName: '东湖学院', reason: 'migrating' },
    { schoolId: 2, schoolName: '南岭大学', reason: 'suspended' },
  ]
  expect(noticeWords(list, notices)).toBe('未包含：东湖学院（升级中）、南岭大学（已停用）')
})

it('offers an operator nothing that only a school can call', () => {
  expect(isReached('platform', { area: 'school' })).toBe(false)
  expect(isReached('school', { area: 'platform' })).toBe(false)
  for (const area of ['platform', 'both', 'public'] as const) expect(isReached('platform', { area })).toBe(true)
})

it('writes to one open school: to no closed one, and to none where all are looked at', () => {
  const save = { writes: true, names: true }
  expect(isUnwritable({ area: 'school' }, save)).toBe(false)
  expect(isUnwritable({ area: 'platform', schoolId: 1 }, save)).toBe(false)
  expect(isUnwritable({ area: 'platform', schoolId: 1, readOnly: true }, save)).toBe(true)
  expect(isUnwritable({ area: 'platform' }, save)).toBe(true)
  // A step over rows goes where each of them is.
  expect(isUnwritable({ area: 'platform' }, { ...save, many: true })).toBe(false)
  expect(isUnwritable({ area: 'platform', schoolId: 1, readOnly: true }, { ...save, many: true })).toBe(true)
  // An export reads; what names no school is the platform's own.
  expect(isUnwritable({ area: 'platform' }, { writes: false, names: true })).toBe(false)
  expect(isUnwritable({ area: 'platform' }, { writes: true })).toBe(false)
})
