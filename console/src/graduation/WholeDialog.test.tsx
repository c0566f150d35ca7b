// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { download } from '@/api/files'
import { WholeDialog, type WholeFile } from './WholeDialog'

vi.mock('@/api/files', async (original) => ({
  ...(await original<typeof import('@/api/files')>()),
  download: vi.fn(),
}))
vi.mock('@/api/errors', async (original) => ({
  ...(await original<typeof import('@/api/errors')>()),
  tellSuccess: vi.fn(),
}))

const file: WholeFile = {
  do: {
    id: 'exportReport',
    method: 'POST',
    path: '/report/export',
    title: '导出上报数据',
    permission: 'public',
    area: 'school',
    writes: false,
    fields: {},
    columns: {},
  },
  body: { batchId: 7 },
  name: '上报.xlsx',
}

let root: Root
const onClose = vi.fn()

const press = (words: string) =>
  act(async () => {
    const found = [...document.querySelectorAll('button')].filter((each) => each.textContent === words)
    found.at(-1)?.click()
  })

const type = (words: string) =>
  act(async () => {
    const input = document.querySelector<HTMLInputElement>('input')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, words)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <WholeDialog visible record={file} onClose={onClose} />
      </QueryClientProvider>,
    ),
  )
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.resetAllMocks()
})

it('asks for whole numbers with a reason, and for hidden ones without', async () => {
  await press('导出')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(vi.mocked(download).mock.calls[0]?.[1]).toEqual({ query: {}, body: { batchId: 7 } })
  await type('学信网注册')
  await press('导出')
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
  const wish = { whole: true, reason: '学信网注册' }
  expect(vi.mocked(download).mock.calls[1]?.[1]).toEqual({ query: wish, body: { batchId: 7 } })
})
