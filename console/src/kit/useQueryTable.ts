import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operation } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { useAddress } from './useAddress'

/** A page of a list, as every list operation answers it. */
export interface PageOf<Row> {
  totalCount: number
  totalPage: number
  pageCurrent: number
  pageSize: number
  list: Row[]
  /** Of a list over schools: those that it leaves out. */
  notices?: SchoolNotice[] | null
  /** The same: what was created later is not in it. Goes back with the following pages. */
  asOf?: string | null
  /** Of a list with states: how many rows are in each. */
  segments?: { value: string; count: number }[] | null
  /** Of a list that was asked for names and numbers: those that name no row. */
  notFound?: string[] | null
}

export interface SchoolNotice {
  schoolId: number
  schoolName: string
  reason: string
}

/** A row. In the operators' area it tells whose it is: a number alone names it only within its school. */
export interface HasId {
  id: number
  schoolId?: number | null
  schoolName?: string | null
}

/** The filters of a list operation: the fields of its body but paging and order. */
export type FilterName<Body> = Exclude<keyof Body & string, 'pageCurrent' | 'pageSize' | 'sortField' | 'sortOrder'>

export interface Sorting {
  field: string
  order: 'asc' | 'desc'
}

export const FIRST_PAGE = 1
export const PAGE_SIZE = 20

/** Every filter that is on, to be taken off. */
export const noFilters = (filters: Record<string, string>): Record<string, string | undefined> =>
  Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))

/** The parts of a row's key: `school-id` over many schools, else the number alone. */
export const partsOf = (key: string) => {
  // A number below zero has a dash of its own.
  const at = key.indexOf('-', 1)
  return { school: key.slice(0, Math.max(at, 0)), id: Number(key.slice(at + 1)) }
}

const OPEN = 'open'
/** `id` is the record that the page is about; resetting the filters keeps it. */
const reserved = new Set(['pageCurrent', 'pageSize', 'sortField', 'sortOrder', 'id', OPEN])

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
  options: {
    refetchInterval?: (rows: readonly Row[]) => number | false
    /** Filters that hold where the address says nothing else; none of them can be reset. */
    usual?: Partial<Body>
  } = {},
) => {
  const [search, setSearch] = useAddress()
  /** By key; a row of another page is as it was when it was ticked. */
  const [tickedThen, setTickedThen] = useState<ReadonlyMap<string, Row | undefined>>(new Map())
  const [everything, setEverything] = useState(false)
  const body = { ...options.usual, ...bodyOf(operation, search) }
  const request = useRequest()
  const overAll = isOverAll(useSchoolContext())
  const { pageCurrent, ...filter } = body
  const asked = JSON.stringify(filter)
  const [first, setFirst] = useState<{ asked: string; asOf: string }>()
  const later = overAll && pageCurrent > FIRST_PAGE && first?.asked === asked ? { asOf: first.asOf } : undefined

  const query = useQuery({
    queryKey: [operation.path, body],
    queryFn: ({ signal }) => request(operation, { query: later, body }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? (options.refetchInterval?.(state.data.list) ?? false) : false),
  })

  // The first page that was seen says up to when the others go.
  const asOf = query.isPlaceholderData ? undefined : query.data?.asOf
  const isFirst = first?.asked !== asked || (pageCurrent === FIRST_PAGE && first.asOf !== asOf)
  if (asOf && isFirst) setFirst({ asked, asOf })

  const clearSelection = () => {
    setTickedThen(new Map())
    setEverything(false)
  }
  /** The record whose file is open stands in the address too: a link leads to it. */
  const openKey = search.get(OPEN) ?? undefined
  const keyOf = ({ id, schoolId }: HasId) => (overAll ? `${schoolId}-${id}` : String(id))
  const open = (row: HasId | undefined) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (row) after.set(OPEN, keyOf(row))
      else after.delete(OPEN)
      return after
    })
  /** Changes the address; every change but paging begins at the first page. */
  const change = (entries: Record<string, string | undefined>, keepPage = false) => {
    setSearch((before) => {
      const after = new URLSearchParams(before)
      if (!keepPage) after.delete('pageCurrent')
      after.delete(OPEN)
      for (const [name, value] of Object.entries(entries)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
    // What was ticked on one page stays ticked on the next; among other rows it would be forgotten.
    if (!keepPage) clearSelection()
  }

  const rows = query.data?.list ?? []
  const shown = new Map(rows.map((row) => [keyOf(row), row]))
  const ticked = [...tickedThen.keys()]
  const tick = (keys: readonly string[]) => {
    setTickedThen(new Map(keys.map((key) => [key, shown.get(key) ?? tickedThen.get(key)])))
    setEverything(false)
  }
  const filters = Object.fromEntries([...search].filter(([name]) => !reserved.has(name) && name in operation.fields))
  const sortField = search.get('sortField')
  return {
    operation,
    query,
    body,
    rows,
    total: query.data?.totalCount ?? 0,
    notices: query.data?.notices ?? [],
    segments: query.data?.segments ?? [],
    notFound: query.data?.notFound ?? [],
    pageCurrent,
    pageSize: body.pageSize,
    sorting: sortField
      ? ({ field: sortField, order: search.get('sortOrder') === 'desc' ? 'desc' : 'asc' } satisfies Sorting)
      : undefined,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    /** Searches; what is searched for already is asked for again, because others work on it too. */
    setFilters: (values: Record<string, string | undefined>) => {
      const same = Object.entries(values).every(([name, value]) => (value || undefined) === filters[name])
      if (same) query.refetch()
      else change(values)
    },
    reset: () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))),
    setPage: (pageCurrent: number, pageSize: number) =>
      change({ pageCurrent: String(pageCurrent), pageSize: String(pageSize) }, true),
    setSorting: (sorting: Sorting | undefined) => change({ sortField: sorting?.field, sortOrder: sorting?.order }),
    /** The keys of the rows that were ticked; `everything` means the whole filtered list. */
    ticked,
    /** The rows themselves, on whichever page they stand. */
    tickedRows: ticked.flatMap((key) => shown.get(key) ?? tickedThen.get(key) ?? []),
    /** Their numbers, and over many schools of how many of them they are. */
    selected: ticked.map((key) => partsOf(key).id),
    schools: overAll ? new Set(ticked.map((key) => partsOf(key).school)).size : undefined,
    everything,
    tick,
    /** Ticks these rows alone. */
    tickRows: (rows: readonly HasId[]) => tick(rows.map(keyOf)),
    selectEverything: () => setEverything(true),
    clearSelection,
    /** What names a row among all rows of the list. */
    keyOf,
    openKey,
    open,
  }
}

/** What the parts of the kit take; `Body` names its filters. */
export interface Table<Body = unknown, Row extends HasId = HasId>
  extends Omit<ReturnType<typeof useQueryTable<unknown, Row>>, 'operation'> {
  operation: Operation<undefined, Body, PageOf<Row>>
}
