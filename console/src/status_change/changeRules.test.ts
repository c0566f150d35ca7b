import { expect, it } from 'vitest'
import {
  approvalWords,
  askedOf,
  checkOf,
  daysOfMonth,
  differences,
  opinionWords,
  type Row,
  registerOf,
  resultOf,
  revokeRefusal,
  type Status,
  type StepName,
  stepsOf,
  targetWords,
} from './changeRules'

const states: readonly Status[] = [
  'draft',
  'pending_site',
  'pending_target_site',
  'pending_school',
  'approved',
  'executed',
  'rejected',
  'cancelled',
  'revoked',
]
const offered = (step: StepName, alert: string | null = null) =>
  states.filter((status) => stepsOf({ status, alert }).includes(step))

// The table of 02 §10.
it('offers the steps that a state has', () => {
  expect(offered('submit')).toEqual(['draft'])
  expect(offered('site')).toEqual(['pending_site'])
  expect(offered('accept')).toEqual(['pending_target_site'])
  expect(offered('audit')).toEqual(['pending_school'])
  expect(offered('edit')).toEqual(['draft', 'pending_site'])
  expect(offered('reject')).toEqual(['pending_site', 'pending_target_site', 'pending_school'])
  expect(offered('cancel')).toEqual(['draft', 'pending_site', 'pending_target_site', 'pending_school'])
  expect(offered('cancel', '班级已满')).toContain('approved')
})

it('says why a change cannot be taken back', () => {
  const executed = { status: 'executed', executedAt: '2026-09-01T00:10:00+08:00' } as const
  expect(revokeRefusal(executed, '2026-10-01')).toBeUndefined()
  expect(revokeRefusal(executed, '2026-11-30')).toBeUndefined()
  expect(revokeRefusal(executed, '2026-12-01')).toBe('异动生效已超过90天，不能撤销')
  expect(revokeRefusal({ status: 'approved', executedAt: null }, '2026-09-01')).toBe('当前状态为已批准待生效，不能撤销')
})

it('knows in which list a change stands, and in which register its student', () => {
  expect(resultOf({ type: 'professional', status: 'executed' })).toEqual({ place: 'professionalChanges' })
  expect(resultOf({ type: 'suspension', status: 'approved' })).toEqual({ place: 'leavings', tab: 'suspension' })
  expect(resultOf({ type: 'dropout', status: 'revoked' })).toEqual({ place: 'leavings' })
  expect(resultOf({ type: 'dropout', status: 'pending_school' })).toBeUndefined()
  expect(registerOf({ type: 'dropout', status: 'executed' })).toBe('leftStudents')
  expect(registerOf({ type: 'dropout', status: 'revoked' })).toBe('students')
})

it('sends of what was typed what belongs to the type', () => {
  const typed = {
    studentId: 7,
    after: { levelId: 1, majorId: 2, siteId: 3, classId: 4 },
    reasonCode: 'illness',
    reason: '因病休养',
    suspendFrom: '2026-09-01',
    suspendMonths: 12,
    targetSchoolName: '演示开放大学',
    renumber: true,
  } as const
  const asked = (type: Row['type']) => JSON.parse(JSON.stringify(askedOf({ ...typed, type })))
  const common = { studentId: 7, reason: '因病休养', attachments: [] }
  expect(asked('professional')).toEqual({
    ...common,
    type: 'professional',
    after: { majorId: 2, classId: 4 },
    renumber: true,
  })
  expect(asked('class_change').after).toEqual({ siteId: 3, classId: 4 })
  expect(asked('return').after).toEqual({ classId: 4 })
  expect(asked('suspension')).toEqual({
    ...common,
    type: 'suspension',
    after: {},
    reasonCode: 'illness',
    suspendFrom: '2026-09-01',
    suspendMonths: 12,
    renumber: false,
  })
  // Nobody withdraws for an illness: it is no reason of that type.
  expect(asked('dropout')).toEqual({ ...common, type: 'dropout', after: {}, renumber: false })
  expect(asked('transfer_out').targetSchoolName).toBe('演示开放大学')
  expect(checkOf({ type: 'dropout' })).toBeUndefined()
  expect(checkOf({ studentId: 7 })).toBeUndefined()
  expect(checkOf({ studentId: 7, type: 'return', id: 5 })).toMatchObject({ studentId: 7, type: 'return', id: 5 })
})

const placement = {
  gradeId: 1,
  levelId: 2,
  majorId: 3,
  studyForm: 'non_full_time',
  schoolingYears: 2.5,
  siteId: 4,
  classId: 5,
  status: 'registered',
} as const
const names = { gradeName: '2026级', levelName: '专升本', majorName: '会计学', siteName: '本部', className: '会计1班' }

it('tells which lines of two placements differ', () => {
  const after = { ...placement, majorId: 9, classId: null }
  const rows = differences([placement, names], [after, { ...names, majorName: '法学', className: undefined }])
  expect(rows.filter(({ changed }) => changed)).toEqual([
    { label: '专业', before: '会计学', after: '法学', changed: true },
    { label: '班级', before: '会计1班', after: '未分班', changed: true },
  ])
  expect(rows.find(({ label }) => label === '学籍状态')).toEqual({
    label: '学籍状态',
    before: '在籍',
    after: '在籍',
    changed: false,
  })
  const unassigned = { ...placement, classId: null }
  const same = differences([{ ...placement, classId: undefined }, names], [unassigned, names])
  expect(same.every(({ changed }) => !changed)).toBe(true)
})

it('says in a few words what is asked for', () => {
  const row = {
    type: 'class_change',
    before: placement,
    after: placement,
    afterNames: names,
    reasonCode: 'voluntary',
    suspendFrom: '2026-09-01',
    suspendUntil: '2027-08-31',
    targetSchoolName: '演示开放大学',
  } as const
  const told = (type: Row['type']) => targetWords({ ...row, type })
  expect(told('professional')).toBe('会计学 会计1班')
  expect(told('hierarchical')).toBe('专升本 会计学 会计1班')
  expect(told('class_change')).toBe('会计1班')
  expect(targetWords({ ...row, after: { ...placement, siteId: 8 } })).toBe('本部 会计1班')
  expect(told('suspension')).toBe('2026-09-01 至 2027-08-31')
  expect(told('return')).toBe('2026级 会计1班')
  expect(told('dropout')).toBe('本人申请')
  expect(told('transfer_out')).toBe('演示开放大学')
})

it('knows the days of a month', () => {
  expect(daysOfMonth('2026-09')).toEqual({ effectiveFrom: '2026-09-01', effectiveTo: '2026-09-30' })
  expect(daysOfMonth('2026-12')).toEqual({ effectiveFrom: '2026-12-01', effectiveTo: '2026-12-31' })
  expect(daysOfMonth('2028-02')).toEqual({ effectiveFrom: '2028-02-01', effectiveTo: '2028-02-29' })
})

it('writes an opinion as it stands on the paper', () => {
  expect(opinionWords(undefined)).toBe('')
  expect(opinionWords({ result: 'pass', remark: null })).toBe('同意。')
  expect(opinionWords({ result: 'pass', remark: '情况属实' })).toBe('同意。情况属实')
  expect(opinionWords({ result: 'reject', remark: '材料不齐' })).toBe('不同意。材料不齐')
})

it('says what a bulk approval does', () => {
  const row = (type: Row['type'], effectiveOn?: string, status: Status = 'pending_school') => ({
    type,
    effectiveOn,
    status,
  })
  const today = '2026-11-26'
  expect(approvalWords([row('dropout', undefined, 'draft')], today)).toBe('所选的都不是待学校审批的异动。')
  expect(approvalWords([row('dropout'), row('dropout', today), row('return', today, 'pending_site')], today)).toBe(
    '待学校审批的2条：退学2人。批准后立即生效。2人离校，生效后账号停用。',
  )
  expect(approvalWords([row('professional', '2026-11-27'), row('suspension', '2026-11-25')], today)).toBe(
    '待学校审批的2条：转专业1人、休学1人。其中1人批准后立即生效，其余到各自的生效日期生效。',
  )
  expect(approvalWords([row('professional', '2026-11-27')], today)).toBe(
    '待学校审批的1条：转专业1人。到各自的生效日期生效。',
  )
})
