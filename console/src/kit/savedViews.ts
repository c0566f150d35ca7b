import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import { listSavedViews } from '@/api/infra'
import type { RowOf } from '@/api/operation'

export type SavedView = RowOf<typeof listSavedViews>

const SELDOM_MS = 5 * 60_000

/** What of a list's address is a view: its filters and order, not the page or the record that is open. */
export const viewQuery = (search: URLSearchParams) => {
  const kept = new URLSearchParams(search)
  for (const name of ['pageCurrent', 'open', 'schoolId', 'view']) kept.delete(name)
  kept.sort()
  return kept.toString()
}

/** Where a view leads. */
export const placeOf = ({ path, query, id }: Pick<SavedView, 'path' | 'query' | 'id'>) =>
  `${path}?${query ? `${query}&` : ''}view=${id}`

/** One's own views and the office's. */
export const useSavedViews = () => {
  const person = useIdentity((state) => state.account?.userId)
  return useQuery({
    queryKey: [listSavedViews.path],
    queryFn: () => call(listSavedViews),
    enabled: person !== undefined,
    staleTime: SELDOM_MS,
  })
}
