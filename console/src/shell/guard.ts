import type { MenuNode } from '@/api/types/accounts'
import { firstLeaf, leafBelow, pageOf } from '@/kit/menus'
import { movedTo, paths } from '@/paths'
import { destination } from './menus'

/** What a navigation leads to. Pure: the shell carries it out. */
export type Decision =
  | { kind: 'show' }
  | { kind: 'load' }
  | { kind: 'empty' }
  | { kind: 'go'; to: string }
  | { kind: 'refresh'; to: string }

interface Visit {
  pathname: string
  search: string
}

/** Who asks: nobody (no token), somebody not yet known (no menu), or a person with a menu. */
export interface Visitor {
  token: boolean
  menus: readonly MenuNode[] | undefined
}

const isPublic = (pathname: string) => pathname === paths.login || pathname === paths.notFound

export const decide = ({ pathname, search }: Visit, { token, menus }: Visitor): Decision => {
  if (!token) {
    return isPublic(pathname)
      ? { kind: 'show' }
      : { kind: 'go', to: `${paths.login}?redirect=${encodeURIComponent(pathname + search)}` }
  }
  if (!menus) return { kind: 'load' }
  if (pathname === paths.notFound) return { kind: 'show' }
  const home = firstLeaf(menus)?.path
  if (!home) return { kind: 'empty' }
  if (pathname === paths.login) {
    return { kind: 'go', to: destination(menus, new URLSearchParams(search).get('redirect')) }
  }
  if (pathname === '/') return { kind: 'go', to: home }
  if (pathname.startsWith(paths.redirect)) {
    return { kind: 'refresh', to: `/${pathname.slice(paths.redirect.length).replace(/^[/\\]+/, '')}${search}` }
  }
  if (pathname === paths.frame) return { kind: 'show' }
  const moved = movedTo(pathname)
  if (moved) return { kind: 'go', to: moved + search }
  if (pageOf(menus, pathname)) return { kind: 'show' }
  if (pathname === paths.home) return { kind: 'go', to: home }
  const leaf = leafBelow(menus, pathname)
  return { kind: 'go', to: leaf?.path ?? paths.notFound }
}

/** The address that a menu with an external page names, when it may be framed: one of the person's menus, https. */
export const frameAllowed = (menus: readonly MenuNode[], url: string | null): boolean =>
  Boolean(url?.startsWith('https://')) &&
  menus.some((node) => node.frameUrl === url || frameAllowed(node.children, url))

/** Whether 帮助中心 stands in the top bar: inside a school, where the website has it and the person its page. */
export const helpAllowed = (
  menus: readonly MenuNode[],
  enabled: boolean | null | undefined,
  school: number | undefined,
) => Boolean(enabled) && school !== undefined && pageOf(menus, paths.support) !== undefined
