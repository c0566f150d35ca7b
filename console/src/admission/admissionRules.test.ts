import { expect, it } from 'vitest'
import { beyond, can, completion, differencesFrom, type Row } from './admissionRules'

it('offers the steps that a state has', () => {
  const states: readonly Row['status'][] = ['imported', 'assigned', 'audited', 'rejected', 'cancelled']
  const offered = (step: 'contact' | 'cancel' | 'match' | 'allocate' | 'delete') =>
    states.filter((status) => can[step]({ status }) === undefined)
  expect(offered('contact')).toEqual(['imported', 'assigned', 'audited', 'rejected'])
  expect(offered('cancel')).toEqual(['imported', 'assigned', 'rejected', 'cancelled'])
  expect(offered('match')).toEqual(['imported', 'assigned'])
  expect(offered('allocate')).toEqual(['imported', 'assigned'])
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
