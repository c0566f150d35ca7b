import { useAddress } from '@/kit/useAddress'

const SHOWN = 'shown'

/** What a statistic is shown as unless the address names another. */
export const TABLE = 'table'

/** Whether a statistic is a table, charts or a sheet of paper stands in the address: a link leads to its charts. */
export const useShown = (views: readonly (readonly [shown: string, words: string])[]) => {
  const [search, change] = useAddress()
  const asked = search.get(SHOWN)
  const shown = views.find(([each]) => each === asked)?.[0] ?? TABLE
  const show = (next: string) =>
    change((before) => {
      const after = new URLSearchParams(before)
      if (next === TABLE) after.delete(SHOWN)
      else after.set(SHOWN, next)
      return after
    })
  return [shown, show] as const
}
