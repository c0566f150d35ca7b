import type { RightsMenu } from '@/api/types/accounts'

/** A node of the tree of rights; permissions are its leaves. */
export interface RightsNode {
  key: string
  title: string
  children?: RightsNode[]
}

const keyOf = (permission: number) => `p${permission}`

/** The number of the permission behind a key; none for a menu. */
export const permissionOf = (key: string) => (key.startsWith('p') ? Number(key.slice(1)) : undefined)

/** The tree, or the part of it in which a name contains the text; a menu that fits keeps all below it. */
export const nodesOf = (menus: readonly RightsMenu[], text = ''): RightsNode[] =>
  menus.flatMap((menu) => {
    const wanted = menu.menuName.includes(text) ? '' : text
    const leaves = menu.permissions
      .filter(({ name, code }) => name.includes(wanted) || code.includes(wanted))
      .map(({ id, name, enabled }) => ({ key: keyOf(id), title: enabled ? name : `${name}（已停用）` }))
    const children = [...leaves, ...nodesOf(menu.children, wanted)]
    const title = menu.enabled ? menu.menuName : `${menu.menuName}（已停用）`
    return children.length ? [{ key: `m${menu.id}`, title, children }] : []
  })

/** All permissions in and below some nodes. */
export const permissionsIn = (nodes: readonly RightsNode[]): number[] =>
  nodes.flatMap((node) => [permissionOf(node.key) ?? [], permissionsIn(node.children ?? [])].flat())

/** The node with a key. */
export const nodeAt = (nodes: readonly RightsNode[], key: string): RightsNode | undefined => {
  for (const node of nodes) {
    if (node.key === key) return node
    const below = nodeAt(node.children ?? [], key)
    if (below) return below
  }
  return undefined
}

export const keysOf = (permissions: Iterable<number>) => [...permissions].map(keyOf)
