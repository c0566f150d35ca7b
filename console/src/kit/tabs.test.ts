// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import {
  activeOf,
  closed,
  closedAll,
  closedOthers,
  fullPath,
  MOST_TABS,
  noTabs,
  refreshed,
  standingAt,
  type Tabs,
  visited,
} from './tabs'

const HOME = '/dashboard'
const go = (state: Tabs, path: string, how: 'PUSH' | 'REPLACE' | 'POP' = 'PUSH', unsaved?: ReadonlySet<number>) => {
  const [pathname = '', query] = path.split('?')
  return visited(state, { pathname, search: query ? `?${query}` : '' }, how, HOME, unsaved)
}
const opened = (...paths: string[]) => paths.reduce((state, path) => go(state, path), noTabs)
const shown = (state: Tabs) => state.tabs.map((tab) => fullPath(tab.at) + (tab.id === state.active ? '*' : ''))

describe('visiting', () => {
  it('puts home first', () => {
    expect(shown(opened('/a'))).toEqual([HOME, '/a*'])
    expect(shown(opened(HOME))).toEqual([`${HOME}*`])
    expect(shown(opened('/a', HOME))).toEqual([`${HOME}*`, '/a'])
  })
  it('keeps a page in one tab, whatever its filters, and a record in another', () => {
    expect(shown(opened('/a', '/b', '/a'))).toEqual([HOME, '/a*', '/b'])
    expect(shown(opened('/a', '/b', '/a?status=active'))).toEqual([HOME, '/a?status=active*', '/b'])
    expect(shown(opened('/a?id=1', '/a?id=2', '/a?id=1&tab=b'))).toEqual([HOME, '/a?id=1&tab=b*', '/a?id=2'])
    expect(opened('/a', '/b', '/a?status=active').tabs.map((tab) => tab.id)).toEqual(
      opened('/a', '/b').tabs.map((tab) => tab.id),
    )
  })
  it('moves the tab when its filters change', () => {
    expect(shown(go(opened('/a'), '/a?page=2', 'REPLACE'))).toEqual([HOME, '/a?page=2*'])
  })
  it('goes on with the tab of the record that a newly opened page takes', () => {
    const both = go(go(opened('/a'), '/a?courseId=1', 'REPLACE'), '/a')
    expect(shown(both)).toEqual([HOME, '/a?courseId=1', '/a*'])
    expect(shown(go(both, '/a?courseId=1', 'REPLACE'))).toEqual([HOME, '/a?courseId=1*'])
    expect(shown(go(both, '/a?courseId=2', 'REPLACE'))).toEqual([HOME, '/a?courseId=1', '/a?courseId=2*'])
    const unsaved = new Set([both.active])
    expect(shown(go(both, '/a?courseId=1', 'REPLACE', unsaved))).toHaveLength(3)
  })
  it('goes back to the tab of the path', () => {
    expect(shown(go(opened('/a', '/b'), '/a', 'POP'))).toEqual([HOME, '/a*', '/b'])
  })
  it('closes the oldest inactive tab beyond twenty, never home or unsaved ones', () => {
    const paths = Array.from({ length: MOST_TABS - 1 }, (_, at) => `/p${at}`)
    const full = opened(...paths)
    expect(full.tabs).toHaveLength(MOST_TABS)
    expect(shown(go(full, '/new'))).not.toContain('/p0')
    const unsaved = new Set([full.tabs[1]?.id ?? 0])
    const after = shown(go(full, '/new', 'PUSH', unsaved))
    expect(after).toContain('/p0')
    expect(after).not.toContain('/p1')
    expect(after[0]).toBe(HOME)
  })
})

describe('closing', () => {
  it('goes to the right neighbour, else to the left', () => {
    const three = opened('/a', '/b')
    const [, a, b] = three.tabs
    expect(shown(closed(three, b?.id ?? 0))).toEqual([HOME, '/a*'])
    const atA = go(three, '/a')
    expect(shown(closed(atA, a?.id ?? 0))).toEqual([HOME, '/b*'])
  })
  it('leaves home', () => {
    const one = opened(HOME)
    expect(closed(one, one.active)).toBe(one)
    expect(shown(closedAll(opened('/a', '/b')))).toEqual([`${HOME}*`])
    const three = opened('/a', '/b')
    expect(shown(closedOthers(three, three.tabs[1]?.id ?? 0))).toEqual([HOME, '/a*'])
  })
  it('keeps the active tab when another is closed', () => {
    const three = opened('/a', '/b')
    expect(shown(closed(three, three.tabs[1]?.id ?? 0))).toEqual([HOME, '/b*'])
  })
})

it('begins a refreshed page anew', () => {
  const state = opened('/a')
  expect(activeOf(refreshed(state, state.active))?.revision).toBe(1)
})

it('leads to a page as its tab stands, and on the page itself to its beginning', () => {
  const state = opened('/a?status=active', '/b')
  expect(standingAt(state, '/a')).toBe('/a?status=active')
  expect(standingAt(state, '/b')).toBe('/b')
  expect(standingAt(go(state, '/a?status=active'), '/a')).toBe('/a')
  expect(standingAt(state, '/c')).toBe('/c')
})
