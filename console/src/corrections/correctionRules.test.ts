import { expect, it } from 'vitest'
import { can } from './correctionRules'

it('who asked does not decide, and edits until somebody has looked', () => {
  const own = { status: 'pending_school', own: true } as const
  expect(can.audit(own)).toBe('本人提交的信息更正须由他人审核')
  expect(can.audit({ ...own, own: false })).toBeUndefined()
  expect(can.edit(own)).toBeUndefined()
  expect(can.edit({ ...own, own: false })).toBe('只能修改本人提交的信息更正')
  expect(can.edit({ ...own, status: 'pending_province' })).toBe('当前状态为待省厅，不能修改')
})

it('what is decided stays', () => {
  const decided = { status: 'approved', own: false } as const
  expect(can.audit(decided)).toBe('当前状态为已更正，不能审核')
  expect(can.cancel(decided)).toBe('当前状态为已更正，不能取消')
  expect(can.cancel({ ...decided, status: 'pending_site' })).toBeUndefined()
})
