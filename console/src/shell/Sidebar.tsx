import { Empty, Input, Menu } from '@arco-design/web-react'
import { IconStar, IconTags } from '@arco-design/web-react/icon'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useIdentity } from '@/api/identity'
import type { MenuNode } from '@/api/types/accounts'
import { MenuIcon } from '@/kit/icons'
import { filterMenus, type Leaf, leavesOf, trailOf } from '@/kit/menus'
import { placeOf, type SavedView, useSavedViews } from '@/kit/savedViews'
import { standingAt, useTabs } from '@/kit/tabs'
import { useWebsite } from '@/schools/website'
import { useFavourites } from './favourites'
import { prefetchPage } from './prefetch'

const isShown = (node: MenuNode) => !node.hidden

/** A page as a link, which also opens in a window of its own. */
const PageLink = ({ path, title }: { path: string; title: string }) => (
  <Link
    className="sidebar-link"
    title={title}
    to={useTabs((state) => standingAt(state, path))}
    onMouseEnter={() => prefetchPage(path)}
    onFocus={() => prefetchPage(path)}
  >
    {title}
  </Link>
)

const nodes = (menus: readonly MenuNode[], depth = 0) =>
  menus.filter(isShown).map((node) => {
    const title = (
      <>
        {depth === 0 && <MenuIcon name={node.icon} />}
        {node.children.length === 0 && node.path ? (
          <PageLink path={node.path} title={node.title} />
        ) : (
          <span title={node.title}>{node.title}</span>
        )}
      </>
    )
    const children = node.children.filter(isShown)
    if (node.children.length === 0) return <Menu.Item key={String(node.id)}>{title}</Menu.Item>
    if (children.length === 0) return null
    return (
      <Menu.SubMenu key={String(node.id)} title={title}>
        {nodes(children, depth + 1)}
      </Menu.SubMenu>
    )
  })

/** A starred page stands twice in the menu: under its own key here, and in its directory. */
const starKey = (path: string) => `starred:${path}`

/** The starred pages above all directories; folded, under one star. */
const favourites = (leaves: readonly Leaf[], collapsed: boolean) => {
  if (leaves.length === 0) return null
  const items = leaves.map(({ path, title }) => (
    <Menu.Item key={starKey(path)}>
      <PageLink path={path} title={title} />
    </Menu.Item>
  ))
  return collapsed ? (
    <Menu.SubMenu
      key="starred"
      title={
        <>
          <IconStar />
          <span>收藏</span>
        </>
      }
    >
      {items}
    </Menu.SubMenu>
  ) : (
    <Menu.ItemGroup key="starred" title="收藏">
      {items}
    </Menu.ItemGroup>
  )
}

/** Views that a person pinned, under the page's own favourites. */
const pinnedViews = (views: readonly SavedView[], collapsed: boolean) => {
  if (views.length === 0) return null
  const items = views.map((view) => (
    <Menu.Item key={`view:${view.id}`}>
      <Link className="sidebar-link" title={view.name} to={placeOf(view)}>
        {view.name}
      </Link>
    </Menu.Item>
  ))
  return collapsed ? (
    <Menu.SubMenu
      key="views"
      title={
        <>
          <IconTags />
          <span>视图</span>
        </>
      }
    >
      {items}
    </Menu.SubMenu>
  ) : (
    <Menu.ItemGroup key="views" title="视图">
      {items}
    </Menu.ItemGroup>
  )
}

const keysOf = (menus: readonly MenuNode[]): string[] =>
  menus.flatMap((node) => (node.children.length > 0 ? [String(node.id), ...keysOf(node.children)] : []))

export const Sidebar = ({ collapsed, onNavigate }: { collapsed: boolean; onNavigate?: () => void }) => {
  const menus = useIdentity((state) => state.menus) ?? []
  const school = useIdentity((state) => state.account?.schoolName)
  const starred = useFavourites((state) => state.starred)
  const website = useWebsite()
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  const trail = trailOf(menus, pathname).map((node) => String(node.id))
  const [open, setOpen] = useState(trail.slice(0, -1))

  const here = trail.join('/')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only going to another page opens its directories
  useEffect(() => setOpen(trail.slice(0, -1)), [here])

  const found = text ? filterMenus(menus, text) : menus
  const leaves = leavesOf(menus)
  const starredLeaves = starred.flatMap((path) => leaves.find((leaf) => leaf.path === path) ?? [])
  const views = (useSavedViews().data ?? []).filter(
    ({ pinned, path }) => pinned && leaves.some((leaf) => leaf.path === path),
  )
  const logo = collapsed ? (website?.logoNoWord ?? website?.logo) : website?.logo
  const title = school ?? website?.title ?? '成教云'

  return (
    <nav className="sidebar" aria-label="主菜单">
      <div className="sidebar-logo">
        {logo ? (
          <img src={logo} alt="" />
        ) : (
          <span className="sidebar-mark" aria-hidden="true">
            {title.slice(0, 1)}
          </span>
        )}
        {!collapsed && <strong title={title}>{title}</strong>}
      </div>
      {!collapsed && (
        <div className="sidebar-search">
          <Input.Search
            size="small"
            allowClear
            placeholder="搜索菜单"
            aria-label="搜索菜单"
            value={text}
            onChange={setText}
          />
        </div>
      )}
      <div className="sidebar-menu">
        {found.length === 0 && <Empty description={`没有名称含“${text}”的菜单`} />}
        <Menu
          collapse={collapsed}
          accordion={!text}
          // A page that was opened from elsewhere is found in the menu, too.
          autoScrollIntoView
          scrollConfig={{ behavior: 'auto', block: 'nearest' }}
          selectedKeys={trail.slice(-1)}
          openKeys={text ? keysOf(found) : open}
          onClickSubMenu={(_, openKeys) => setOpen(openKeys)}
          onClickMenuItem={(_, event) => {
            // Around the words the entry is as wide as the menu, and by the keyboard the entry is pressed, not its link.
            const link = event.target instanceof Element ? event.target.querySelector('a') : null
            link?.click()
            onNavigate?.()
          }}
        >
          {!text && favourites(starredLeaves, collapsed)}
          {!text && pinnedViews(views, collapsed)}
          {nodes(found)}
        </Menu>
      </div>
    </nav>
  )
}
