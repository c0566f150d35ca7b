import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import type { Choice } from '@/kit/OptionSelect'
import { useAddress } from '@/kit/useAddress'
import { bodyOf, noFilters } from '@/kit/useQueryTable'
import { listSuperviseCases, statSuperviseCases } from './api'
import type { StatBy } from './superviseRules'

/** Figures of cases under the filters that the address names, and what a FilterBar works on. */
export const useStat = (by: StatBy, semester: Choice | undefined) => {
  const [search, change] = useAddress()
  const request = useRequest()
  const { pageCurrent: _page, pageSize: _size, ...asked } = bodyOf(listSuperviseCases, search)
  const body = { by, filter: { semesterId: semester?.code, ...asked } }
  const query = useQuery({
    queryKey: [statSuperviseCases.path, body],
    queryFn: ({ signal }) => request(statSuperviseCases, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const filters = Object.fromEntries([...search].filter(([name]) => name in listSuperviseCases.fields))
  const setFilters = (values: Record<string, string | undefined>) =>
    change((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(values)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
  const reset = () => setFilters(noFilters(filters))
  return { query, table: { operation: listSuperviseCases, filters, setFilters, reset } }
}
