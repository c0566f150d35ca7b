import { create } from 'zustand'
import { useIdentity } from '@/api/identity'

/**
 * The pages a person starred. They are kept in this browser's local storage, for each person and area by itself: no
 * server knows them, so they do not follow to another computer, and whoever shares the browser sees only their own.
 */

const keyOf = () => {
  const { account } = useIdentity.getState()
  return `favourites.${account?.userId}.${account?.area}`
}

const isPaths = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string')

const read = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return isPaths(kept) ? kept : []
  } catch {
    return []
  }
}

interface Favourites {
  /** Paths of pages, in the order in which they were starred. */
  starred: readonly string[]
  toggle: (path: string) => void
}

export const useFavourites = create<Favourites>((set) => ({
  starred: read(),
  toggle: (path) => {
    // Read anew: another browser tab may have starred something since.
    const before = read()
    const starred = before.includes(path) ? before.filter((other) => other !== path) : [...before, path]
    localStorage.setItem(keyOf(), JSON.stringify(starred))
    set({ starred })
  },
}))
useIdentity.subscribe(({ account }, before) => {
  if (account !== before.account) useFavourites.setState({ starred: read() })
})
