import { QueryClient } from '@tanstack/react-query'
import { store } from './session'

/**
 * Server data live here and nowhere else. A change marks everything stale, and what is on the screen is asked for
 * again; nobody keeps lists of what depends on what. The client shows each failure once, so nothing is tried again.
 */
const newClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

export const queryClient = newClient()

const bySchool = new Map<number, QueryClient>()

/** What an operator sees of one school is kept apart: the same number is another record in each. */
export const clientOf = (schoolId: number | undefined) => {
  if (schoolId === undefined) return queryClient
  const client = bySchool.get(schoolId) ?? newClient()
  bySchool.set(schoolId, client)
  return client
}

export const refetchAll = () => {
  store('options', undefined)
  return Promise.all([queryClient, ...bySchool.values()].map((client) => client.invalidateQueries()))
}
