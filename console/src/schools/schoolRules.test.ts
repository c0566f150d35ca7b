import { expect, it } from 'vitest'
import type { RowOf } from '@/api/operation'
import type { listSchools } from './api'
import { can } from './schoolRules'

type School = RowOf<typeof listSchools>

const school: School = {
  id: 1,
  code: 'demo01',
  name: '东湖示范学院',
  assistanceCenterEnabled: false,
  status: 'active',
  provisionState: 'ready',
  provisionStep: '',
  deletionProtection: false,
  demo: false,
  createdAt: '2026-01-01T00:00:00+08:00',
  version: 1,
}

it('a protected school is neither archived nor deleted', () => {
  const isProtected: School = { ...school, deletionProtection: true }
  expect(can.archive(isProtected)).toBe('已开启删除保护，请先在编辑中关闭')
  expect(can.delete(isProtected)).toBe('已开启删除保护，请先在编辑中关闭')
  expect(can.archive(school)).toBeUndefined()
})

it('a school is deleted only after it was archived for a while', () => {
  expect(can.delete(school)).toBe('请先归档')
  const archived: School = { ...school, status: 'archived', archivedAt: '2026-03-01T00:00:00+08:00' }
  const after = (days: number) => new Date('2026-03-01T00:00:00+08:00').getTime() + days * 24 * 3600 * 1000
  expect(can.delete(archived, after(6))).toBe('归档后须等待一段时间才能删除')
  expect(can.delete(archived, after(31))).toBeUndefined()
})
