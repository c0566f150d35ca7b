// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Masked } from './Masked'

let root: Root
const client = new QueryClient()

const shown = (id: number, value: string) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Masked entity="student" id={id} field="phone" label="手机" value={value} />
      </QueryClientProvider>,
    ),
  )

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const answer = JSON.stringify({ code: 200, msg: '成功', data: { value: '13800000001' } })
  vi.stubGlobal('fetch', async () => new Response(answer))
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

it('a number that was shown whole is not told of the next person', async () => {
  await shown(7, '138****0001')
  await act(async () => document.querySelector<HTMLButtonElement>('button[aria-label="查看完整手机"]')?.click())
  await vi.waitFor(() => expect(document.body.textContent).toContain('13800000001'))
  await shown(8, '138****0001')
  expect(document.body.textContent).toContain('138****0001')
  expect(document.body.textContent).not.toContain('13800000001')
})
