// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operation } from '@/api/operation'
import { useOpened } from './useOpened'
import { type PageOf, useQueryTable } from './useQueryTable'

interface Row {
  id: number
  name: string
}

const listX: Operation<undefined, { keyword?: string }, PageOf<Row>> = {
  id: 'listX',
  method: 'POST',
  path: '/x/list',
  title: '',
  permission: 'public',
  area: 'both',
  writes: false,
  columns: {},
  fields: { keyword: { label: '关键字', kind: 'text' } },
}

/** What was painted last. */
let page: { table: ReturnType<typeof useQueryTable<{ keyword?: string }, Row>>; opened: Row | undefined }

const Page = () => {
  const table = useQueryTable(listX)
  page = { table, opened: useOpened(table) }
  return null
}

let root: Root
/** What the list has now. */
let listed: { list: Row[]; totalCount: number }

const look = async () => {
  await act(async () => {
    await page.table.query.refetch()
    // Those who look are told in a turn of their own.
    await new Promise((done) => setTimeout(done))
  })
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  listed = {
    list: [
      { id: 1, name: '甲' },
      { id: 2, name: '乙' },
    ],
    totalCount: 2,
  }
  vi.stubGlobal('fetch', async () => {
    const data = { ...listed, totalPage: 1, pageCurrent: 1, pageSize: 20 }
    return new Response(JSON.stringify({ code: 200, msg: '成功', data }))
  })
  window.history.replaceState(null, '', '/base/list')
  const router = createBrowserRouter([{ path: '/list', Component: Page }], { basename: '/base/' })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  )
  await vi.waitFor(() => expect(page.table.rows).toHaveLength(2))
  await act(async () => page.table.open(page.table.rows[1]))
  expect(page.opened?.name).toBe('乙')
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

it('shows the row as it is now', async () => {
  listed.list = [
    { id: 2, name: '乙二' },
    { id: 1, name: '甲' },
  ]
  await look()
  expect(page.opened?.name).toBe('乙二')
})

it('stays with a row whose place on the page others took, until it is closed', async () => {
  listed = { list: [{ id: 3, name: '丙' }, ...listed.list.slice(0, 1)], totalCount: 3 }
  await look()
  expect(page.opened?.name).toBe('乙')
  await act(async () => page.table.open(undefined))
  expect(page.opened).toBeUndefined()
})

it('shows no row that the list has lost, not even when others come', async () => {
  listed = { list: listed.list.slice(0, 1), totalCount: 1 }
  await look()
  expect(page.opened).toBeUndefined()
  listed = { list: [{ id: 3, name: '丙' }, ...listed.list], totalCount: 2 }
  await look()
  expect(page.opened).toBeUndefined()
})
