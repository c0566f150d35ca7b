/** 自定义菜单 as the phone shows it. */

/** Entries of the first level, and below one of them. */
const FIRST_MOST = 3
const BELOW_MOST = 5

interface Acting {
  menuType?: string | null
  menuKey?: string | null
  url?: string | null
  appId?: string | null
  pagePath?: string | null
}

/** A branch or a leaf of the menu. */
export type MenuNode<Entry> = Entry & { children: MenuNode<Entry>[] }

/** The menu as a tree whose leaves are branches without any. */
export const asTree = <Entry extends object>(
  menus: readonly (Entry & { children: readonly Entry[] })[],
): MenuNode<Entry>[] =>
  menus.map((menu) => ({ ...menu, children: menu.children.map((entry) => ({ ...entry, children: [] })) }))

/** Where an entry leads, in words; nothing while it does nothing. */
export const leadsTo = ({ menuType, menuKey, url, appId, pagePath }: Acting) => {
  if (!menuType) return undefined
  if (menuType === 'view') return url ?? undefined
  if (menuType === 'miniprogram') return [appId, pagePath].filter(Boolean).join(' ')
  return menuKey ? `关键词：${menuKey}` : undefined
}

/** Why nothing more stands below an entry. */
export const refusalBelow = ({ menuType, children }: Acting & { children: readonly unknown[] }) => {
  if (menuType) return '已设置动作，清除动作后才能新增下级'
  return children.length >= BELOW_MOST ? `二级菜单最多${BELOW_MOST}个` : undefined
}

/** Why there is no more room in the bar. */
export const refusalFirst = (menus: readonly unknown[]) =>
  menus.length >= FIRST_MOST ? `一级菜单最多${FIRST_MOST}个` : undefined

/** The fields that an action needs. */
export const fieldsOfAction = (
  menuType: string | null | undefined,
): readonly ('menuKey' | 'url' | 'appId' | 'pagePath')[] => {
  if (!menuType) return []
  if (menuType === 'view') return ['url']
  return menuType === 'miniprogram' ? ['appId', 'pagePath', 'url'] : ['menuKey']
}
