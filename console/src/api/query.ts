import { QueryClient } from '@tanstack/react-query'
import { store } from './session'

/**
 * Server data live here and nowhere else. A change marks everything stale, and what is on the screen is asked for
 * again; nobody keeps lists of what depends on what. The client shows each failure once, so nothing is tried again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export const refetchAll = () => {
  store('options', undefined)
  return queryClient.invalidateQueries()
}
