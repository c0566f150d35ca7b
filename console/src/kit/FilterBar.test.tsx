// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Operation, OperationMeta } from '@/api/operation'
import { type SchoolContext, SchoolProvider } from '@/api/schoolContext'
import { FilterBar } from './FilterBar'
import { OptionFilter, TextFilter } from './filters'
import type { Choice } from './OptionSelect'

interface Wanted {
  keyword?: string
  gradeId?: number
  gradeText?: string
  managerId?: number
  missingIn?: number
}

const meta: OperationMeta = {
  id: 'listGroups',
  method: 'POST',
  path: '/groups/list',
  title: '班级列表',
  permission: 'groups:list',
  area: 'both',
  writes: false,
  names: true,
  fields: {
    keyword: { label: '关键字', kind: 'text' },
    gradeId: { label: '年级', kind: 'integer' },
    gradeText: { label: '年级', kind: 'text', maxLength: 50 },
    managerId: { label: '班主任', kind: 'integer' },
    missingIn: { label: '缺课学期', kind: 'integer' },
  },
  columns: {},
}

const list: Operation<undefined, Wanted> = meta

const options: Operation<{ keyword: string }, undefined, Choice[]> = {
  ...meta,
  id: 'listOptions',
  method: 'GET',
  path: '/options',
  fields: {},
}

let root: Root
const setFilters = vi.fn()

const show = (context: SchoolContext) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
        <SchoolProvider.Provider value={context}>
          <FilterBar table={{ operation: list, filters: {}, setFilters, reset: vi.fn() }}>
            <TextFilter of={list} field="keyword" />
            <OptionFilter of={list} field="gradeId" options={options} query={(keyword) => ({ keyword })} />
            <OptionFilter of={list} field="managerId" options={options} query={(keyword) => ({ keyword })} />
            <OptionFilter of={list} field="missingIn" options={options} query={(keyword) => ({ keyword })} />
          </FilterBar>
        </SchoolProvider.Provider>
      </QueryClientProvider>,
    ),
  )

const labels = () => [...document.querySelectorAll('.filter-label')].map((each) => each.textContent)
const grade = () => document.querySelector<HTMLInputElement>('input[aria-label="年级"][placeholder="编码或名称"]')

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }))
  root = createRoot(document.body.appendChild(document.createElement('div')))
})

afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

it('asks in words over all schools for what has its choices in one', async () => {
  await show({ area: 'platform' })
  // There are no words for the others: a number of one school is not asked for by its name.
  expect(labels()).toEqual(['关键字', '年级'])
  const input = grade()
  expect(input?.getAttribute('maxlength')).toBe('50')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, ' 2026 ')
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await act(async () => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  expect(setFilters).toHaveBeenCalledWith({ gradeText: '2026' })
})

const ofOneSchool: SchoolContext[] = [{ area: 'school' }, { area: 'platform', schoolId: 1 }]

it.each(ofOneSchool)('offers the choices of %o', async (context) => {
  await show(context)
  expect(labels()).toEqual(['关键字', '年级', '班主任', '缺课学期'])
  expect(grade()).toBeNull()
})
