import type { Location } from 'react-router'
import { create } from 'zustand'
import { store, stored } from '@/api/session'

/**
 * The open pages. A tab's id is its identity; its page and record are how it is found: a pushed path finds its tab and moves
 * it, or opens one, so that no page stands in two tabs. A replaced path (filters, paging) moves the tab that is active.
 */

export type Place = Pick<Location, 'pathname' | 'search'>

export interface Tab {
  id: number
  at: Place
  /** Bumped by a refresh: part of the React key, so that the page begins anew. */
  revision: number
  /** When it was last active, counted, not timed. */
  used: number
  /** Set by detail pages: 章节管理-高等数学. */
  title?: string
}

export interface Tabs {
  tabs: readonly Tab[]
  active: number
  /** Counts ids and uses. */
  seq: number
}

export const MOST_TABS = 20
export const noTabs: Tabs = { tabs: [], active: 0, seq: 0 }
export const fullPath = ({ pathname, search }: Place) => pathname + search
/** What of an address says which record a page is about; the rest are filters. */
const RECORD = ['id', 'courseId', 'paperId', 'copy', 'url']

/** The page and its record: with other filters it is the same. */
export const pageKey = ({ pathname, search }: Place) => {
  const given = new URLSearchParams(search)
  return [pathname, ...RECORD.map((name) => given.get(name) ?? '')].join('?')
}

/** The tab in which a page stands. */
export const tabOf = ({ tabs }: Pick<Tabs, 'tabs'>, at: Place) => tabs.find((tab) => pageKey(tab.at) === pageKey(at))

export const activeOf = ({ tabs, active }: Tabs) => tabs.find((tab) => tab.id === active)

/** Where a page stands: as its tab has it, with what is searched for there; on the page itself it begins anew. */
export const standingAt = (state: Tabs, path: string) => {
  const tab = tabOf(state, { pathname: path, search: '' })
  return tab && tab.id !== state.active ? fullPath(tab.at) : path
}

const newTab = (id: number, at: Place): Tab => ({
  id,
  at: { pathname: at.pathname, search: at.search },
  revision: 0,
  used: id,
})

/** Closes the oldest tab that is neither home, active nor unsaved, when there are too many. */
const capped = (state: Tabs, unsaved: ReadonlySet<number>): Tabs => {
  if (state.tabs.length <= MOST_TABS) return state
  const [oldest] = state.tabs
    .filter((tab, at) => at > 0 && tab.id !== state.active && !unsaved.has(tab.id))
    .sort((a, b) => a.used - b.used)
  return oldest ? { ...state, tabs: state.tabs.filter((tab) => tab !== oldest) } : state
}

/** Opens or finds the tab of a place. `home` is first and fixed. */
export const visited = (
  state: Tabs,
  at: Place,
  how: 'PUSH' | 'REPLACE' | 'POP',
  home: string,
  unsaved: ReadonlySet<number> = new Set(),
): Tabs => {
  const active = activeOf(state)
  if (active && fullPath(active.at) === fullPath(at)) return state
  const seq = state.seq + 1
  const known = tabOf(state, at)
  const stays = how === 'REPLACE' && active?.at.pathname === at.pathname
  if (stays && !known) {
    return { ...state, tabs: state.tabs.map((tab) => (tab === active ? { ...tab, at: newTab(0, at).at } : tab)) }
  }
  if (known) {
    // A page that was only just opened, and then took the record of another tab: one goes on with that tab.
    const spare = stays && active !== known && active.at.search === '' && !unsaved.has(active.id) ? active : undefined
    const rest = state.tabs.filter((tab, place) => place === 0 || tab !== spare)
    const moved = { ...known, at: newTab(0, at).at, used: seq }
    return { tabs: rest.map((tab) => (tab === known ? moved : tab)), active: known.id, seq }
  }
  const hasHome = state.tabs[0]?.at.pathname === home
  if (!hasHome && at.pathname === home) return { tabs: [newTab(seq, at), ...state.tabs], active: seq, seq }
  const before = hasHome ? state.tabs : [newTab(seq, { pathname: home, search: '' }), ...state.tabs]
  const id = seq + 1
  return capped({ tabs: [...before, newTab(id, at)], active: id, seq: id }, unsaved)
}

/** Closes a tab; its right neighbour becomes active, else the left. The home tab stays. */
export const closed = (state: Tabs, id: number): Tabs => {
  const at = state.tabs.findIndex((tab) => tab.id === id)
  if (at <= 0) return state
  const tabs = state.tabs.filter((tab) => tab.id !== id)
  if (id !== state.active) return { ...state, tabs }
  const next = tabs[at] ?? tabs[at - 1]
  return { ...state, tabs, active: next?.id ?? 0 }
}

export const closedOthers = (state: Tabs, id: number): Tabs => {
  const tabs = state.tabs.filter((tab, at) => at === 0 || tab.id === id)
  return { ...state, tabs, active: id }
}

export const closedAll = (state: Tabs): Tabs => {
  const tabs = state.tabs.slice(0, 1)
  return { ...state, tabs, active: tabs[0]?.id ?? 0 }
}

export const refreshed = (state: Tabs, id: number): Tabs => ({
  ...state,
  tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, revision: tab.revision + 1 } : tab)),
})

interface TabStore extends Tabs {
  /** Forms that were typed into, and the tab of each. */
  drafts: ReadonlyMap<string, number>
  apply: (change: (state: Tabs) => Tabs) => void
  visit: (at: Place, how: 'PUSH' | 'REPLACE' | 'POP', home: string) => void
  setTitle: (id: number, title: string) => void
  setDraft: (form: string, tab: number, unsaved: boolean) => void
  /** Forgets the drafts of a tab that begins anew or is closed. */
  dropDrafts: (tab: number) => void
}

export const unsavedTabs = ({ drafts }: Pick<TabStore, 'drafts'>) => new Set(drafts.values())

const kept = (state: Tabs): Tabs => ({ tabs: state.tabs, active: state.active, seq: state.seq })

/** Tabs survive a reload, but not a change of person or area. */
export const claimTabs = (owner: string) => {
  if (stored<string>('tabsOwner') !== owner) useTabs.setState({ ...noTabs, drafts: new Map() })
  store('tabsOwner', owner)
}

export const useTabs = create<TabStore>((set, get) => ({
  ...(stored<Tabs>('tabs') ?? noTabs),
  drafts: new Map(),
  apply: (change) => {
    const before = kept(get())
    const after = change(before)
    if (after === before) return
    set(after)
    store('tabs', kept(after))
  },
  visit: (at, how, home) => get().apply((state) => visited(state, at, how, home, unsavedTabs(get()))),
  setTitle: (id, title) =>
    get().apply((state) => ({ ...state, tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, title } : tab)) })),
  setDraft: (form, tab, unsaved) => {
    if (get().drafts.has(form) === unsaved) return
    const drafts = new Map(get().drafts)
    if (unsaved) drafts.set(form, tab)
    else drafts.delete(form)
    set({ drafts })
  },
  dropDrafts: (tab) => set({ drafts: new Map([...get().drafts].filter(([, other]) => other !== tab)) }),
}))
