import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Operation } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { bodyOf } from './useQueryTable'

/** A list that comes whole, as a tree; its filters stand in the address like those of a list with pages. */
export const useTree = <Body, Row>(operation: Operation<undefined, Body, Row[]>) => {
  const [search, setSearch] = useSearchParams()
  const request = useRequest()
  const { pageCurrent: _page, pageSize: _size, ...body } = bodyOf(operation, search)
  const query = useQuery({
    queryKey: [operation.path, body],
    queryFn: ({ signal }) => request(operation, { body: body as Body }, { signal }),
  })
  const filters = Object.fromEntries([...search].filter(([name]) => name in operation.fields))
  const setFilters = (values: Record<string, string | undefined>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      },
      { replace: true },
    )
  return {
    query,
    body,
    rows: query.data ?? [],
    /** Sisters may be hidden. */
    filtered: Object.keys(filters).length > 0,
    /** What a FilterBar works on. */
    table: {
      operation,
      filters,
      setFilters,
      reset: () => setFilters(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))),
    },
  }
}
