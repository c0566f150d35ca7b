import { expect, it } from 'vitest'
import { ApiError } from '@/api/errors'
import {
  beyond,
  can,
  completion,
  differencesFrom,
  differencesOf,
  isDoubtful,
  maybeAnother,
  mayConfirm,
  nextAssigned,
  type Row,
} from './admissionRules'

it('offers the steps that a state has', () => {
  const states: readonly Row['status'][] = ['imported', 'assigned', 'audited', 'rejected', 'cancelled']
  const offered = (step: 'contact' | 'cancel' | 'match' | 'allocate' | 'audit' | 'revoke' | 'delete') =>
    states.filter((status) => can[step]({ status }) === undefined)
  expect(offered('contact')).toEqual(['imported', 'assigned', 'audited', 'rejected'])
  expect(offered('cancel')).toEqual(['imported', 'assigned', 'rejected', 'cancelled'])
  expect(offered('match')).toEqual(['imported', 'assigned'])
  expect(offered('allocate')).toEqual(['imported', 'assigned'])
  expect(offered('audit')).toEqual(['assigned'])
  expect(offered('revoke')).toEqual(['audited', 'rejected'])
  expect(offered('delete')).toEqual(['imported', 'assigned', 'cancelled'])
  expect(can.unmatch({ status: 'imported', matchStatus: 'unmatched' })).toBe('该人员尚未匹配预报名')
  expect(can.unmatch({ status: 'assigned', matchStatus: 'conflict' })).toBeUndefined()
})

const admitted = { name: '买买提·吐尔逊', examineeNo: '26110001', majorName: '会计学' }
const lead = { name: '买买提 • 吐尔逊', examineeNo: null, majorName: '会计学', sameIdCard: true }

it('names in what a lead is somebody else', () => {
  expect(differencesFrom(admitted, lead)).toEqual([])
  expect(differencesFrom(admitted, { ...lead, examineeNo: '26110001' })).toEqual([])
  expect(
    differencesFrom(admitted, { name: '买买提', examineeNo: '26110002', majorName: '法学', sameIdCard: false }),
  ).toEqual([
    '姓名：录取为“买买提·吐尔逊”，预报名为“买买提”',
    '证件号：两者不同',
    '考生号：录取为“26110001”，预报名为“26110002”',
    '专业：录取为“会计学”，预报名为“法学”',
  ])
})

// Plan completion: 861 ÷ 900 = 95.7 % (02 §4).
it('measures admitted people against plans', () => {
  expect(completion(861, 900)).toBe('95.7%')
  expect(completion(3, 0)).toBe('—')
  expect(completion(3, null)).toBe('—')
  expect(beyond(53, 50)).toBe(3)
  expect(beyond(50, 50)).toBe(0)
  expect(beyond(2, null)).toBe(2)
})

it('marks in what a lead is otherwise than the admission', () => {
  const audited = {
    name: '买买提·吐尔逊',
    gender: 'male' as const,
    examineeNo: '26110001',
    levelName: '专升本',
    majorName: '会计学',
    siteName: '城东站',
  }
  const told = { ...audited, name: '买买提•吐尔逊', examineeNo: null }
  expect(differencesOf(audited, told)).toEqual([])
  expect(differencesOf({ ...audited, siteName: null }, { ...told, siteName: '城西站' })).toEqual([])
  const other = { ...told, gender: 'female' as const, examineeNo: '26110002', majorName: '法学', siteName: '城西站' }
  expect(differencesOf(audited, other)).toEqual(['gender', 'examinee_no', 'major', 'site'])
})

it('goes from one who waits to the next, and round', () => {
  const rows = [
    { id: 1, status: 'assigned' as const },
    { id: 2, status: 'audited' as const },
    { id: 3, status: 'assigned' as const },
  ]
  expect(nextAssigned(rows, 1)?.id).toBe(3)
  expect(nextAssigned(rows, 3)?.id).toBe(1)
  expect(nextAssigned([{ id: 1, status: 'assigned' }], 1)).toBeUndefined()
})

it('knows the one refusal that may be confirmed', () => {
  expect(mayConfirm(new ApiError(409, '请确认后通过', { confirm: 'confirmDuplicate' }))).toBe(true)
  expect(mayConfirm(new ApiError(409, '该人员为在籍学生，不能审核通过'))).toBe(false)
  expect(mayConfirm(new ApiError(422, '请填写原因', [{ field: 'remark', message: '请填写原因' }]))).toBe(false)
})

it('doubts whoever may be somebody else', () => {
  expect(isDoubtful({ differences: [] })).toBe(false)
  expect(isDoubtful({ differences: ['major', 'site'] })).toBe(false)
  expect(isDoubtful({ differences: ['name'] })).toBe(true)
  expect(isDoubtful({ differences: ['examinee_no', 'id_card_no'] })).toBe(true)
  expect(maybeAnother(admitted, lead)).toBe(false)
  expect(maybeAnother(admitted, { ...lead, name: '买买提' })).toBe(true)
  expect(maybeAnother(admitted, { ...lead, sameIdCard: false })).toBe(true)
  expect(maybeAnother(admitted, { ...lead, examineeNo: '26110002' })).toBe(true)
})
