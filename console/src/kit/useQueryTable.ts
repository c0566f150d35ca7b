import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { request } from '@/api/client'
import type { Operation } from '@/api/operation'

/** A page of a list, as every list operation answers it. */
export interface PageOf<Row> {
  totalCount: number
  totalPage: number
  pageCurrent: number
  pageSize: number
  list: Row[]
}

export interface HasId {
  id: number
}

/** The filters of a list operation: the fields of its body but paging and order. */
export type FilterName<Body> = Exclude<keyof Body & string, 'pageCurrent' | 'pageSize' | 'sortField' | 'sortOrder'>

export interface Sorting {
  field: string
  order: 'asc' | 'desc'
}

export const FIRST_PAGE = 1
export const PAGE_SIZE = 20

const OPEN = 'open'
const reserved = new Set(['pageCurrent', 'pageSize', 'sortField', 'sortOrder', OPEN])

/** The list's body from the address: the document says what kind each filter is. */
export const bodyOf = ({ fields }: Operation, search: URLSearchParams) => {
  const typed = (name: string, text: string) => {
    const kind = fields[name]?.kind
    if (kind === 'integer' || kind === 'number') return Number(text)
    if (kind === 'boolean') return text === 'true'
    if (kind === 'list') return text.split(',')
    return text
  }
  const given = [...search].filter(([name, text]) => name in fields && text !== '')
  return {
    pageCurrent: FIRST_PAGE,
    pageSize: PAGE_SIZE,
    ...Object.fromEntries(given.map(([name, text]) => [name, typed(name, text)])),
  }
}

/** A list whose paging, filters and order live in the address: a link is a view, and a reload loses nothing. */
export const useQueryTable = <Body, Row extends HasId>(
  operation: Operation<undefined, Body, PageOf<Row>>,
  options: { refetchInterval?: (rows: readonly Row[]) => number | false } = {},
) => {
  const [search, setSearch] = useSearchParams()
  const [selected, setSelected] = useState<readonly number[]>([])
  const [everything, setEverything] = useState(false)
  const body = bodyOf(operation, search)

  const query = useQuery({
    queryKey: [operation.path, body],
    queryFn: ({ signal }) => request(operation, { body }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? (options.refetchInterval?.(state.data.list) ?? false) : false),
  })

  const clearSelection = () => {
    setSelected([])
    setEverything(false)
  }
  /** The record whose file is open stands in the address too: a link leads to it. */
  const openId = Number(search.get(OPEN)) || undefined
  const setOpenId = (id: number | undefined) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (id) after.set(OPEN, String(id))
        else after.delete(OPEN)
        return after
      },
      { replace: true },
    )
  /** Changes the address; every change but paging begins at the first page. */
  const change = (entries: Record<string, string | undefined>, keepPage = false) => {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (!keepPage) after.delete('pageCurrent')
        after.delete(OPEN)
        for (const [name, value] of Object.entries(entries)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      },
      { replace: true },
    )
    clearSelection()
  }

  const filters = Object.fromEntries([...search].filter(([name]) => !reserved.has(name) && name in operation.fields))
  const sortField = search.get('sortField')
  return {
    operation,
    query,
    body,
    rows: query.data?.list ?? [],
    total: query.data?.totalCount ?? 0,
    pageCurrent: body.pageCurrent,
    pageSize: body.pageSize,
    sorting: sortField
      ? ({ field: sortField, order: search.get('sortOrder') === 'desc' ? 'desc' : 'asc' } satisfies Sorting)
      : undefined,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    setFilters: (values: Record<string, string | undefined>) => change(values),
    reset: () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))),
    setPage: (pageCurrent: number, pageSize: number) =>
      change({ pageCurrent: String(pageCurrent), pageSize: String(pageSize) }, true),
    setSorting: (sorting: Sorting | undefined) =>
      change({ sortField: sorting?.field, sortOrder: sorting?.order }, true),
    /** The ids that were ticked; `everything` means the whole filtered list. */
    selected,
    everything,
    select: (ids: readonly number[]) => {
      setSelected(ids)
      setEverything(false)
    },
    selectEverything: () => setEverything(true),
    clearSelection,
    openId,
    setOpenId,
  }
}

/** What the parts of the kit take; `Body` names its filters. */
export interface Table<Body = unknown, Row extends HasId = HasId>
  extends Omit<ReturnType<typeof useQueryTable<unknown, Row>>, 'operation'> {
  operation: Operation<undefined, Body, PageOf<Row>>
}
