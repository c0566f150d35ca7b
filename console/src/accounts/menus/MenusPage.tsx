import { Button, Empty, Input, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, request } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { Page } from '@/kit/Page'
import { Enabled, Word } from '@/kit/Status'
import { TreeTable } from '@/kit/TreeTable'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useTreeOrder } from '@/kit/useTreeOrder'
import { deleteMenu, editMenu, listMenus, listPermissions, saveMenu, switchMenu, viewMenu } from '../api'
import { type MenuDraft, MenuForm } from './MenuForm'
import { type MenuFilter, matching, menuAt, orderedOf } from './menuTree'
import { PermissionsDrawer } from './PermissionsDrawer'

type Menu = RowOf<typeof listMenus>

const PLATFORM = 0
const SCHOOL = 1

const orNothing = (text: string | null | undefined) => text || <span className="nothing">—</span>
const yes = (value: boolean) => (value ? '是' : '否')

const renumber = async (menus: readonly Menu[], id: number, sort: number) => {
  const menu = menuAt(menus, id)
  if (!menu) return
  const { version, parentId, clientType, menuName, menuType, path, icon, hidden, keepAlive, frameUrl, remark } = menu
  const unchanged = { parentId, clientType, menuName, menuType, path: path || null, icon: icon || null, hidden }
  await call(editMenu, { body: { id, version, ...unchanged, keepAlive, frameUrl, remark, sort } })
}

const MenusOf = ({ clientType, title }: { clientType: number; title: string }) => {
  const [filter, setFilter] = useState<MenuFilter>({ name: '', enabled: undefined })
  const query = useQuery({
    queryKey: [listMenus.path, clientType],
    queryFn: ({ signal }) => request(listMenus, { query: { clientType } }, { signal }),
  })
  const form = useDrawer<MenuDraft>()
  const permissions = useDrawer<Menu>()
  const all = query.data ?? []
  const rows = matching(all, filter)
  const isFiltered = filter.name.trim() !== '' || filter.enabled !== undefined
  const order = useTreeOrder({
    roots: orderedOf(all),
    edit: editMenu,
    write: (id, sort) => renumber(all, id, sort),
    filtered: isFiltered,
  })
  return (
    <Page
      title={title}
      help="停用一个菜单，它下面的页面和权限随即对所有人失效，启用后恢复原样。拖动一行可在同级中调整顺序。"
    >
      <div className="filters">
        <div className="filter">
          <span className="filter-label">名称</span>
          <Input
            aria-label="名称"
            placeholder="名称或路径"
            allowClear
            value={filter.name}
            onChange={(name) => setFilter({ ...filter, name })}
          />
        </div>
        <div className="filter">
          <span className="filter-label">状态</span>
          <Select
            aria-label="状态"
            placeholder="全部"
            allowClear
            value={filter.enabled === undefined ? undefined : String(filter.enabled)}
            onChange={(word?: string) =>
              setFilter({ ...filter, enabled: word === undefined ? undefined : word === 'true' })
            }
            options={[
              { value: 'true', label: '启用' },
              { value: 'false', label: '停用' },
            ]}
          />
        </div>
      </div>
      <div className="toolbar">
        <Can do={saveMenu}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({ clientType })}>
            新增菜单
          </Button>
        </Can>
      </div>
      <TreeTable
        query={query}
        rows={rows}
        what="菜单"
        nameOf={({ menuName }) => menuName}
        size="small"
        folded={!isFiltered}
        onRow={order.row}
        scroll={{ x: 1200, y: 'calc(100vh - 330px)' }}
        empty={<Empty description="没有符合条件的菜单" />}
        columns={[
          { title: '名称', dataIndex: 'menuName', width: 240, fixed: 'left' },
          { title: '路径', dataIndex: 'path', width: 300, render: orNothing },
          {
            title: '类型',
            dataIndex: 'menuType',
            width: 90,
            render: (_: unknown, menu: Menu) =>
              menu.menuType === 'directory' ? '目录' : menu.shipped ? '页面' : <Word tone="quiet">未上线</Word>,
          },
          { title: '权限数', dataIndex: 'permissionCount', width: 80, align: 'right' },
          { title: '排序', dataIndex: 'sort', width: 80, align: 'right' },
          { title: '隐藏', dataIndex: 'hidden', width: 70, render: yes },
          { title: '缓存', dataIndex: 'keepAlive', width: 70, render: yes },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
        ]}
        actions={(menu) => [
          { label: '编辑', do: editMenu, onClick: () => form.open({ clientType, menu }) },
          { label: '权限', do: listPermissions, onClick: () => permissions.open(menu) },
          { label: '新增下级', do: saveMenu, onClick: () => form.open({ clientType, below: menu }) },
          ...order.actions(menu),
          step(switchMenu, {
            label: menu.enabled ? '停用' : '启用',
            danger: menu.enabled,
            with: { query: { id: menu.id, enabled: !menu.enabled } },
            confirm: menu.enabled
              ? { title: `停用菜单“${menu.menuName}”？`, content: '它下面的页面和权限会立即对所有人失效。' }
              : undefined,
            done: menu.enabled ? `已停用“${menu.menuName}”` : `已启用“${menu.menuName}”`,
            undo: () => undoBy(switchMenu, { query: { id: menu.id, enabled: menu.enabled } }),
          }),
          step(deleteMenu, {
            label: '删除',
            danger: true,
            with: { query: { id: menu.id } },
            disabled: menu.builtIn ? '内置数据不能删除' : undefined,
            confirm: { title: `删除菜单“${menu.menuName}”？`, content: '删除后不能恢复。' },
            done: `已删除“${menu.menuName}”`,
          }),
        ]}
      />
      <MenuForm
        key={`form-${form.key}`}
        {...form.props}
        menus={all}
        reload={(id) => call(viewMenu, { query: { id } })}
      />
      <PermissionsDrawer key={`permissions-${permissions.key}`} {...permissions.props} />
    </Page>
  )
}

/** 平台菜单: the tree of the operators' area. */
export const PlatformMenusPage = () => <MenusOf clientType={PLATFORM} title="平台菜单" />

/** 院校菜单: the tree of the schools' area. */
export const SchoolMenusPage = () => <MenusOf clientType={SCHOOL} title="院校菜单" />
