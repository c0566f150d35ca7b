import type { RowOf } from '@/api/operation'
import type { Ordered } from '@/kit/treeOrder'
import type { listAvailableMenus } from '../api'

type Menu = RowOf<typeof listAvailableMenus>

export interface MenuFilter {
  name: string
  enabled: boolean | undefined
}

/** The branches in which something fits; below a menu that fits everything of its own state is kept. */
export const matching = (menus: readonly Menu[], filter: MenuFilter): Menu[] =>
  menus.flatMap((menu) => {
    const name = filter.name.trim()
    const named = menu.menuName.includes(name) || menu.path.includes(name)
    const fits = named && (filter.enabled === undefined || menu.enabled === filter.enabled)
    const children = matching(menu.children, named ? { ...filter, name: '' } : filter)
    return fits || children.length ? [{ ...menu, children }] : []
  })

/** The tree for a choice of 上级: what is moved cannot come below itself. */
export const parentsOf = (menus: readonly Menu[], moved: number | undefined): ParentNode[] =>
  menus
    .filter(({ id }) => id !== moved)
    .map(({ id, menuName, children }) => ({ key: String(id), title: menuName, children: parentsOf(children, moved) }))

export interface ParentNode {
  key: string
  title: string
  children: ParentNode[]
}

/** The same tree as one whose order can be changed. */
export const orderedOf = (menus: readonly Menu[]): Ordered[] =>
  menus.map(({ id, menuName, sort, children }) => ({ id, name: menuName, sortNo: sort, children: orderedOf(children) }))

export const menuAt = (menus: readonly Menu[], id: number): Menu | undefined => {
  for (const menu of menus) {
    const found = menu.id === id ? menu : menuAt(menu.children, id)
    if (found) return found
  }
  return undefined
}
