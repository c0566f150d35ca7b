// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operation } from '@/api/operation'
import { EditInPlace } from './EditInPlace'

vi.mock('@/api/errors', async (original) => ({
  ...(await original<typeof import('@/api/errors')>()),
  tellSuccess: vi.fn(),
}))

interface Person {
  id: number
  version: number
  phone: string
  email: string
  kind: string
}

const edit: Operation<undefined, Person, { id: number }> = {
  id: 'editPerson',
  method: 'PUT',
  path: '/person/edit',
  title: '编辑',
  permission: 'public',
  area: 'both',
  writes: true,
  fields: {
    id: { label: '编号', kind: 'integer', required: true },
    version: { label: '版本', kind: 'integer', required: true },
    phone: { label: '手机', kind: 'text', required: true },
    email: { label: '邮箱', kind: 'text' },
    kind: { label: '类别', kind: 'enum', options: [['full_time', '专任']] },
  },
  columns: {},
}
const person: Person = { id: 7, version: 3, phone: '138****0001', email: 'a@b.cn', kind: 'full_time' }

let root: Root
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()

const client = new QueryClient()

const shown = (field: 'phone' | 'email', label: string, of = person) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <EditInPlace do={edit} field={field} label={label} record={of}>
          {of[field]}
        </EditInPlace>
      </QueryClientProvider>,
    ),
  )

const press = (label: string) =>
  act(async () => document.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)?.click())
const input = () => document.querySelector<HTMLInputElement>('input')

const type = (words: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), words)
    input()?.dispatchEvent(new Event('input', { bubbles: true }))
  })

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('fetch', fetched)
  fetched.mockResolvedValue(new Response(JSON.stringify({ code: 200, msg: '成功', data: { id: 7 } })))
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.resetAllMocks()
  vi.unstubAllGlobals()
})

it('begins with what stands there, and of a number that is not shown whole with nothing', async () => {
  await shown('email', '邮箱')
  await press('修改邮箱')
  expect(input()?.value).toBe('a@b.cn')
  await press('取消修改邮箱')
  await shown('phone', '手机')
  await press('修改手机')
  expect(input()?.value).toBe('')
})

it('asks the server nothing when nothing was changed', async () => {
  await shown('phone', '手机')
  await press('修改手机')
  await press('保存手机')
  expect(fetched).not.toHaveBeenCalled()
  expect(input()).toBeNull()
})

it('sends one field anew and the others as they were read', async () => {
  await shown('email', '邮箱')
  await press('修改邮箱')
  await type('c@d.cn')
  await press('保存邮箱')
  expect(JSON.parse(String(fetched.mock.calls[0]?.[1].body))).toEqual({ ...person, email: 'c@d.cn' })
})

it('what was typed of one record does not stand in the field of the next', async () => {
  await shown('email', '邮箱')
  await press('修改邮箱')
  await type('c@d.cn')
  await shown('email', '邮箱', { ...person, id: 8, email: 'e@f.cn' })
  expect(input()).toBeNull()
  expect(document.body.textContent).toContain('e@f.cn')
})
