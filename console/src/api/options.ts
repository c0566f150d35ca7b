import { useQuery } from '@tanstack/react-query'
import { callStrictly, type Input } from './client'
import type { Operation } from './operation'
import { store, stored } from './session'

/** How long a list of options is used before it is asked for again. */
const KEEP_MS = 30 * 60 * 1000

interface Kept<Data> {
  at: number
  data: Data
}
const kept = new Map<string, Kept<unknown>>()

const remembered = <Data>(key: string): Kept<Data> | undefined => {
  const all = stored('options')
  if (typeof all !== 'object' || all === null || !(key in all)) return undefined
  const entry: Kept<Data> = Object(all)[key]
  return Date.now() - entry.at < KEEP_MS ? entry : undefined
}

/** A list of choices: kept in this tab for half an hour, asked for strictly. */
export const useOptions = <Query, Data>(
  operation: Operation<Query, undefined, Data>,
  query: Query,
  enabled = true,
) => {
  const key = `${operation.path}?${JSON.stringify(query ?? {})}`
  const known = remembered<Data>(key)
  return useQuery({
    queryKey: ['options', key],
    queryFn: async ({ signal }) => {
      const input: Input<unknown, undefined> = { query: query ?? undefined }
      const data = await callStrictly(operation, { ...Object(input), signal })
      kept.set(key, { at: Date.now(), data })
      store('options', Object.fromEntries(kept))
      return data
    },
    ...(known && { initialData: known.data, initialDataUpdatedAt: known.at }),
    staleTime: KEEP_MS,
    enabled,
  })
}
