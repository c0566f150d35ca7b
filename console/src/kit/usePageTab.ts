import { useAddress } from './useAddress'

/** The tab of a page stands in the address; another begins with filters of its own, over the same school. */
export const usePageTab = () => {
  const [search, setSearch] = useAddress()
  const setTab = (tab: string | undefined, filters: Record<string, string> = {}) =>
    setSearch((before) => {
      const after = new URLSearchParams(filters)
      const school = before.get('schoolId')
      if (school) after.set('schoolId', school)
      if (tab) after.set('tab', tab)
      return after
    })
  return [search.get('tab') ?? undefined, setTab] as const
}
