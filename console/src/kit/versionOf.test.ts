import { expect, it, vi } from 'vitest'
import type { Caller } from '@/api/client'
import type { Operation } from '@/api/operation'
import { withVersionOf } from './versionOf'

const viewX: Operation<{ id: number }, undefined, { id: number; version: number; amount: number }> = {
  id: 'viewX',
  method: 'GET',
  path: '/x/view',
  title: '',
  permission: 'public',
  area: 'both',
  writes: false,
  columns: {},
  fields: {},
}

it('keeps what was decided and takes the version of now', async () => {
  const call = vi.fn(async () => ({ id: 5, version: 3, amount: 100 }))
  const decision = { id: 5, version: 1, auditStatus: 'rejected', auditOpinion: '户名不符' }
  expect(await withVersionOf(viewX)(decision, call as unknown as Caller)).toEqual({ ...decision, version: 3 })
  expect(call).toHaveBeenCalledWith(viewX, { query: { id: 5 } })
})
