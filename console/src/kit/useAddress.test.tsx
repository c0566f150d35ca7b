// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { createBrowserRouter, Link, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operation } from '@/api/operation'
import { usePageTab } from './usePageTab'
import { type PageOf, useQueryTable } from './useQueryTable'

interface Row {
  id: number
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

/** What was painted last: a tab of a page, and its list. */
let page: {
  setTab: ReturnType<typeof usePageTab>[1]
  table: ReturnType<typeof useQueryTable<{ keyword?: string }, Row>>
}

const Page = () => {
  const [, setTab] = usePageTab()
  page = { setTab, table: useQueryTable(listX) }
  return <Link to="/base/other">其他</Link>
}

let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  window.history.replaceState(null, '', '/base/list?schoolId=7')
  const router = createBrowserRouter(
    [
      { path: '/list', Component: Page },
      { path: '/other', Component: Page },
    ],
    { basename: '/base/' },
  )
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    ),
  )
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const search = () => Object.fromEntries(new URLSearchParams(window.location.search))

it('keeps a tab that was pressed in the moment before a search', async () => {
  await act(async () => {
    page.setTab('summary')
    page.table.setFilters({ keyword: '武昌' })
  })
  expect(search()).toEqual({ schoolId: '7', tab: 'summary', keyword: '武昌' })
})

it('keeps a tab whose address the browser has and the page has not painted', async () => {
  const before = page
  await act(async () => before.setTab('summary'))
  await act(async () => before.table.setFilters({ keyword: '武昌' }))
  expect(search()).toEqual({ schoolId: '7', tab: 'summary', keyword: '武昌' })
})

it('takes nothing over from the address of another page', async () => {
  const before = page
  window.history.replaceState(null, '', '/base/other?keyword=other')
  await act(async () => before.setTab('summary'))
  expect(search()).toEqual({ schoolId: '7', tab: 'summary' })
})
