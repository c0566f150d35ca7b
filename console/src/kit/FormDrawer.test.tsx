// @vitest-environment happy-dom
import { Form, Input } from '@arco-design/web-react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tellError, tellSuccess } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { FormDrawer } from './FormDrawer'
import { formAction } from './formAction'

vi.mock('@/api/errors', async (original) => ({
  ...(await original<typeof import('@/api/errors')>()),
  tellError: vi.fn(),
  tellSuccess: vi.fn(),
}))

interface Copy {
  id?: number
  name?: string
}

const copyX: Operation<undefined, Copy, { copied: number }> = {
  id: 'copyX',
  method: 'POST',
  path: '/x/copy',
  title: '复制',
  permission: 'public',
  area: 'both',
  writes: true,
  columns: {},
  fields: { id: { label: '来源', kind: 'integer' }, name: { label: '名称', kind: 'text' } },
}

const REFUSED = '年级2026级已有进行中的招生批次'
let root: Root
const onClose = vi.fn()
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const answer = (code: number, msg: string, data: unknown = null) =>
  fetched.mockResolvedValueOnce(new Response(JSON.stringify({ code, msg, data })))

const save = async () => {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === '保存')
  await act(async () => found?.click())
}
const inForm = () => document.querySelector('.form-conflict')?.textContent

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('fetch', fetched)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <FormDrawer<Copy, { copied: number }>
          visible
          record={undefined}
          title="复制"
          action={() => formAction(copyX, ({ copied }) => `已复制${copied}个专业`, { id: 3 })}
          onClose={onClose}
        >
          <Form.Item field="name" label="名称">
            <Input />
          </Form.Item>
        </FormDrawer>
      </QueryClientProvider>,
    ),
  )
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.resetAllMocks()
  vi.unstubAllGlobals()
})

it('tells in the form what speaks against a new record, and nowhere else', async () => {
  answer(409, REFUSED)
  await save()
  await vi.waitFor(() => expect(inForm()).toBe(REFUSED))
  expect(tellError).not.toHaveBeenCalled()
  expect(onClose).not.toHaveBeenCalled()
})

it('says what the answer says was done', async () => {
  answer(409, REFUSED)
  await save()
  await vi.waitFor(() => expect(inForm()).toBe(REFUSED))
  answer(200, '成功', { copied: 12 })
  await save()
  await vi.waitFor(() => expect(tellSuccess).toHaveBeenCalledWith('已复制12个专业'))
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(inForm()).toBeUndefined()
  expect(fetched.mock.calls.map(([, { body }]) => body)).toEqual(['{"id":3}', '{"id":3}'])
})
