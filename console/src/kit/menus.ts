import { matchPath } from 'react-router'
import type { MenuNode } from '@/api/types/accounts'

/** `{courseId}` of the server is `:courseId` of the router. */
export const routePattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

const isDirectory = (node: MenuNode) => node.children.length > 0

/** The nodes from the root to the page of `pathname`, or none when the person has no such page. */
export const trailOf = (menus: readonly MenuNode[], pathname: string): MenuNode[] => {
  for (const node of menus) {
    if (isDirectory(node)) {
      const below = trailOf(node.children, pathname)
      if (below.length > 0) return [node, ...below]
    }
    if (node.path && matchPath(routePattern(node.path), pathname)) return [node]
  }
  return []
}

export const pageOf = (menus: readonly MenuNode[], pathname: string) => {
  const page = trailOf(menus, pathname).at(-1)
  return page && !isDirectory(page) ? page : undefined
}

/** The first page, depth first, that stands in the sidebar. */
export const firstLeaf = (menus: readonly MenuNode[]): MenuNode | undefined => {
  for (const node of menus) {
    if (node.hidden) continue
    const leaf = isDirectory(node) ? firstLeaf(node.children) : node
    if (leaf?.path) return leaf
  }
  return undefined
}

/** Where a path leads that is only a directory. */
export const leafBelow = (menus: readonly MenuNode[], pathname: string) => {
  const directory = trailOf(menus, pathname).at(-1)
  return directory && isDirectory(directory) ? firstLeaf(directory.children) : undefined
}

export interface Leaf {
  path: string
  title: string
  /** The directories above, in words. */
  above: string
  /** The title as people type it without Chinese input. */
  pinyin: string
  initials: string
}

/** Every page of the sidebar, flat, for the palette. */
export const leavesOf = (menus: readonly MenuNode[], above: readonly string[] = []): Leaf[] =>
  menus
    .filter((node) => !node.hidden)
    .flatMap((node) =>
      isDirectory(node)
        ? leavesOf(node.children, [...above, node.title])
        : [
            {
              path: node.path,
              title: node.title,
              above: above.join(' / '),
              pinyin: node.pinyin,
              initials: node.initials,
            },
          ],
    )

const isNamed = ({ title, pinyin, initials }: MenuNode, text: string) =>
  [title.toLowerCase(), pinyin, initials].some((name) => name.includes(text))

/** The tree with only what `text` names, by title, 全拼 or 拼音首字母. A directory that is named keeps all its pages. */
export const filterMenus = (menus: readonly MenuNode[], text: string): MenuNode[] =>
  menus.flatMap((node) => {
    if (isNamed(node, text.trim().toLowerCase())) return [node]
    const children = filterMenus(node.children, text)
    return children.length > 0 ? [{ ...node, children }] : []
  })
