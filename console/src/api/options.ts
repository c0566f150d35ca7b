import { useQuery } from '@tanstack/react-query'
import type { Operation } from './operation'
import { isOverAll, schoolOf, useRequest, useSchoolContext } from './schoolContext'
import { store, stored } from './session'

/** How long a list of options is used before it is asked for again. */
const KEEP_MS = 30 * 60 * 1000

type Kept<Data> = Record<string, { at: number; data: Data }>

const remember = (key: string, data: unknown) =>
  store('options', { ...stored<Kept<unknown>>('options'), [key]: { at: Date.now(), data } })

const remembered = <Data>(key: string) => {
  const entry = stored<Kept<Data>>('options')?.[key]
  return entry && Date.now() - entry.at < KEEP_MS ? entry : undefined
}

/** A list of choices: kept in this tab for half an hour, asked for strictly. */
export const useOptions = <Query, Data>(operation: Operation<Query, undefined, Data>, query: Query, enabled = true) => {
  const context = useSchoolContext()
  const request = useRequest()
  const school = operation.names ? schoolOf(context) : undefined
  const of = (asked: object) => `${school ?? ''}${operation.path}?${JSON.stringify(asked)}`
  const key = of(query ?? {})
  const list = of({ ...query, keyword: undefined })
  const known = remembered<Data>(key)
  return useQuery({
    queryKey: ['options', list, key],
    queryFn: async ({ signal }) => {
      const data = await request(operation, { query }, { signal, strictly: true })
      remember(key, data)
      return data
    },
    ...(known && { initialData: known.data, initialDataUpdatedAt: known.at }),
    staleTime: KEEP_MS,
    // While a word is searched for, the choices that are there stay: a click may be on its way to one of them.
    placeholderData: (before, former) => (former?.queryKey[1] === list ? before : undefined),
    // The choices of a school are nothing over all of them.
    enabled: enabled && !(operation.names && isOverAll(context)),
  })
}
