import { expect, it, vi } from 'vitest'
import type { Operation } from '@/api/operation'
import { formAction } from './formAction'
import { momentsOf, withZone } from './moments'

interface Typed {
  id?: number
  endsAt?: string
  lateUntil?: string
  title?: string
}

const extendX: Operation<undefined, Typed, { id: number }> = {
  id: 'extendX',
  method: 'PUT',
  path: '/x/extend',
  title: '延期',
  permission: 'public',
  area: 'both',
  writes: true,
  columns: {},
  fields: {
    id: { label: '编号', kind: 'integer' },
    endsAt: { label: '截止时间', kind: 'datetime' },
    lateUntil: { label: '补交截止', kind: 'datetime' },
    title: { label: '名称', kind: 'text' },
  },
}

const PICKED = '2026-11-21 10:00:00'

it('gives a picked time the product’s zone and leaves what came from the server', () => {
  const values = { endsAt: PICKED, lateUntil: '2026-11-21T12:00:00+08:00', title: PICKED }
  expect(withZone(values, momentsOf(extendX))).toEqual({
    endsAt: '2026-11-21T10:00:00+08:00',
    lateUntil: '2026-11-21T12:00:00+08:00',
    title: PICKED,
  })
})

it('sends what is typed into any form with that zone', async () => {
  const request = vi.fn().mockResolvedValue({ id: 3 })
  await formAction(extendX, '已延期', { id: 3, lateUntil: null }).send({ endsAt: PICKED, title: PICKED }, request)
  const body = { id: 3, lateUntil: null, endsAt: '2026-11-21T10:00:00+08:00', title: PICKED }
  expect(request).toHaveBeenCalledWith(extendX, { body })
})
