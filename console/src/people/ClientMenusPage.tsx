import { Button, Empty } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { request } from '@/api/client'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { Page } from '@/kit/Page'
import { Enabled } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { TreeTable } from '@/kit/TreeTable'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import {
  deleteClientMenu,
  editClientMenu,
  listSiteMenus,
  listStudentMenus,
  listTeacherMenus,
  saveClientMenu,
  switchSiteMenu,
  switchStudentMenu,
  switchTeacherMenu,
} from './api'
import { type Client, ClientMenuForm, type MenuDraft } from './ClientMenuForm'

const clients = {
  student: { title: '学生端', list: listStudentMenus, turn: switchStudentMenu },
  teacher: { title: '教师端', list: listTeacherMenus, turn: switchTeacherMenu },
  site: { title: '站点端', list: listSiteMenus, turn: switchSiteMenu },
} as const

const tabs = [
  ['student', '学生端'],
  ['teacher', '教师端'],
  ['site', '站点端'],
] as const

const orNothing = (text: string | null | undefined) => text || <span className="nothing">—</span>

const MenusOf = ({ client }: { client: Client }) => {
  const { title, list, turn } = clients[client]
  const query = useQuery({
    queryKey: [list.path],
    queryFn: ({ signal }) => request(list, {}, { signal }),
  })
  const form = useDrawer<MenuDraft>()
  return (
    <>
      <div className="toolbar">
        <Can do={saveClientMenu}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增菜单
          </Button>
        </Can>
      </div>
      <TreeTable
        query={query}
        rows={query.data ?? []}
        what="菜单"
        nameOf={({ name }) => name}
        scroll={{ x: 1080 }}
        empty={<Empty description={`${title}还没有菜单。先新增一级菜单，再新增它的下级。`} />}
        columns={[
          { title: '名称', dataIndex: 'name', width: 190 },
          { title: '路径', dataIndex: 'path', width: 190, render: orNothing },
          { title: '图标', dataIndex: 'icon', width: 80, render: orNothing },
          { title: '权限标识', dataIndex: 'permissionKey', width: 120, render: orNothing },
          {
            title: '适用院校',
            dataIndex: 'schoolNames',
            width: 140,
            render: (names: string[]) => (names.length > 0 ? names.join('、') : '全部院校'),
          },
          { title: '排序', dataIndex: 'sort', width: 70, align: 'right' },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
        ]}
        actionsWidth={210}
        actions={(menu) => [
          { label: '新增下级', do: saveClientMenu, onClick: () => form.open({ below: menu }) },
          { label: '编辑', do: editClientMenu, onClick: () => form.open({ menu }) },
          step(turn, {
            label: menu.enabled ? '停用' : '启用',
            danger: menu.enabled,
            with: { query: { id: menu.id, enabled: !menu.enabled } },
            confirm: menu.enabled
              ? { title: `停用菜单“${menu.name}”？`, content: '它和它的下级会在一分钟内从客户端消失。' }
              : undefined,
            done: menu.enabled ? `已停用“${menu.name}”` : `已启用“${menu.name}”`,
            undo: () => undoBy(turn, { query: { id: menu.id, enabled: menu.enabled } }),
          }),
          step(deleteClientMenu, {
            label: '删除',
            danger: true,
            with: { query: { id: menu.id } },
            confirm: { title: `删除菜单“${menu.name}”？`, content: '删除后不能恢复。' },
            done: `已删除“${menu.name}”`,
          }),
        ]}
      />
      <ClientMenuForm key={form.key} {...form.props} client={client} menus={query.data ?? []} />
    </>
  )
}

/** 客户端菜单: what students, teachers and site staff find in their own clients. */
export const ClientMenusPage = () => {
  const [search, setSearch] = useSearchParams()
  const client = tabs.find(([name]) => name === search.get('client'))?.[0] ?? 'student'
  return (
    <Page title="客户端菜单" help="学生、教师和站点人员在各自客户端中看到的菜单；停用上级时，下级一并隐藏。">
      <div className="list-tabs">
        <TabList
          label="客户端"
          tabs={tabs}
          value={client}
          onChange={(next) => setSearch(next === 'student' ? {} : { client: next }, { replace: true })}
        />
      </div>
      <MenusOf key={client} client={client} />
    </Page>
  )
}
