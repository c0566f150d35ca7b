import { Button, Dropdown, Menu } from '@arco-design/web-react'
import { IconClose, IconDown } from '@arco-design/web-react/icon'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useIdentity } from '@/api/identity'
import { confirm } from '@/kit/confirm'
import { pageOf } from '@/kit/menus'
import {
  activeOf,
  closed,
  closedAll,
  closedOthers,
  fullPath,
  type Tab,
  type Tabs,
  unsavedTabs,
  useTabs,
} from '@/kit/tabs'
import { paths } from '@/paths'
import { useFavourites } from './favourites'

/** How much of its neighbour shows beside the active tab. */
const SCROLL_PADDING = 4

const mayLose = async (tabs: readonly Tab[]) => {
  const unsaved = unsavedTabs(useTabs.getState())
  if (!tabs.some((tab) => unsaved.has(tab.id))) return true
  return confirm({ title: '有未保存的内容，确定关闭吗？', okText: '关闭', danger: true })
}

const useChange = () => {
  const navigate = useNavigate()
  const apply = useTabs((state) => state.apply)
  const dropDrafts = useTabs((state) => state.dropDrafts)
  return async (change: (state: Tabs) => Tabs) => {
    const before = useTabs.getState()
    const after = change(before)
    const gone = before.tabs.filter((tab) => !after.tabs.some((other) => other.id === tab.id))
    if (!(await mayLose(gone))) return
    apply(change)
    for (const tab of gone) dropDrafts(tab.id)
    const active = activeOf(after)
    if (active && after.active !== before.active) navigate(fullPath(active.at))
  }
}

export const TabBar = () => {
  const tabs = useTabs((state) => state.tabs)
  const active = useTabs((state) => state.active)
  const menus = useIdentity((state) => state.menus) ?? []
  const navigate = useNavigate()
  const change = useChange()
  const { starred, toggle } = useFavourites()
  const bar = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>(`[data-tab="${active}"]`)
    if (!bar.current || !tab) return
    const { scrollLeft, clientWidth } = bar.current
    const right = tab.offsetLeft + tab.offsetWidth + SCROLL_PADDING
    if (tab.offsetLeft - SCROLL_PADDING < scrollLeft) bar.current.scrollLeft = tab.offsetLeft - SCROLL_PADDING
    else if (right > scrollLeft + clientWidth) bar.current.scrollLeft = right - clientWidth
  }, [active])

  const titleOf = (tab: Tab) => {
    const title = pageOf(menus, tab.at.pathname)?.title ?? (tab.at.pathname === paths.notFound ? '页面不存在' : '页面')
    return tab.title ? `${title}-${tab.title}` : title
  }
  const canStar = (tab: Tab) => pageOf(menus, tab.at.pathname)?.hidden === false
  const refresh = async (tab: Tab) => {
    if (!(await mayLose([tab]))) return
    if (tab.id !== active) navigate(fullPath(tab.at))
    navigate(`/redirect${fullPath(tab.at)}`, { replace: true })
  }
  const run = (key: string, tab: Tab) => {
    const path = pageOf(menus, tab.at.pathname)?.path
    if (key === 'refresh') refresh(tab)
    else if (key === 'star') path && toggle(path)
    else if (key === 'close') change((state) => closed(state, tab.id))
    else if (key === 'others') change((state) => closedOthers(state, tab.id))
    else change(closedAll)
  }

  return (
    <div className="tabs-row">
      <nav
        className="tabs"
        aria-label="已打开的页面"
        ref={bar}
        onWheel={(event) => {
          event.currentTarget.scrollLeft += event.deltaY
        }}
      >
        {tabs.map((tab, at) => (
          <Dropdown
            key={tab.id}
            trigger="contextMenu"
            position="bl"
            droplist={
              <Menu onClickMenuItem={(key) => run(key, tab)}>
                <Menu.Item key="refresh">刷新</Menu.Item>
                {canStar(tab) && (
                  <Menu.Item key="star">{starred.includes(tab.at.pathname) ? '取消收藏' : '收藏'}</Menu.Item>
                )}
                <Menu.Item key="close" disabled={at === 0}>
                  关闭
                </Menu.Item>
                <Menu.Item key="others">关闭其他</Menu.Item>
                <Menu.Item key="all">关闭所有</Menu.Item>
              </Menu>
            }
          >
            <div className={tab.id === active ? 'tab tab-active' : 'tab'} data-tab={tab.id}>
              <button
                type="button"
                className="tab-title"
                aria-current={tab.id === active ? 'page' : undefined}
                onClick={() => navigate(fullPath(tab.at))}
              >
                {titleOf(tab)}
              </button>
              {at > 0 && (
                <button
                  type="button"
                  className="tab-close"
                  aria-label={`关闭${titleOf(tab)}`}
                  onClick={() => change((state) => closed(state, tab.id))}
                >
                  <IconClose />
                </button>
              )}
            </div>
          </Dropdown>
        ))}
      </nav>
      <Dropdown
        trigger="click"
        position="br"
        droplist={
          <Menu
            selectedKeys={[String(active)]}
            onClickMenuItem={(key) => {
              const tab = tabs.find(({ id }) => String(id) === key)
              if (tab) navigate(fullPath(tab.at))
              else change(closedAll)
            }}
          >
            {tabs.map((tab) => (
              <Menu.Item key={String(tab.id)}>{titleOf(tab)}</Menu.Item>
            ))}
            <Menu.Item key="all">关闭所有</Menu.Item>
          </Menu>
        }
      >
        <Button type="text" size="small" className="tabs-list" aria-label="全部标签页" icon={<IconDown />} />
      </Dropdown>
    </div>
  )
}
