import { Button, Empty, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { Word } from '@/kit/Status'
import { tellSaved } from '@/kit/saved'
import { removal } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat } from '@/kit/treeOrder'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { deleteGzhMenu, editGzhMenu, listGzhMenus, publishGzhMenu, pullGzhMenu, saveGzhMenu, sortGzhMenus } from './api'
import { type Menu, type MenuDraft, MenuForm, type Node } from './MenuForm'
import { asTree, leadsTo, refusalBelow, refusalFirst } from './menus'
import { NotConfigured, refusalOf } from './NotConfigured'
import { Phone } from './Phone'
import './wechat.css'

const nameOf = ({ name }: Node) => name

interface PublishedProps {
  at?: string | null
  by?: string | null
  changed: boolean
}

/** What followers see, and since when. */
const Published = ({ at, by, changed }: PublishedProps) => (
  <p className="gzh-published">
    {at ? `最近发布：${formatTime(at)}${by ? `，${by}` : ''}` : '还没有发布过'}
    {changed && <Word tone="warning">有未发布的修改</Word>}
  </p>
)

interface GoesThere {
  /** Why it cannot go to the provider now. */
  refusal: string | undefined
}

const Publish = ({ refusal }: GoesThere) => {
  const publish = useAction(publishGzhMenu, { done: '已发布菜单，关注者重新进入公众号后看到' })
  const ask = async () => {
    const question = {
      title: '发布菜单？',
      content: '整个菜单发送到微信，替换关注者现在看到的菜单，最长24小时内全部生效。',
      okText: '发布',
    }
    if (await confirm(question)) publish.mutate({})
  }
  return (
    <Can do={publishGzhMenu}>
      <Button type="primary" disabled={refusal !== undefined} title={refusal} loading={publish.isPending} onClick={ask}>
        发布
      </Button>
    </Can>
  )
}

const Pull = ({ refusal }: GoesThere) => {
  const pull = useAction(pullGzhMenu, {
    onDone: (pulled) => tellSaved(({ count }) => `已从微信拉取${count}个菜单`, pulled),
  })
  const ask = async () => {
    const question = {
      title: '从微信拉取菜单？',
      content: '这里的全部菜单由微信中现有的菜单替换，未发布的修改会丢失。',
      okText: '拉取',
      danger: true,
    }
    if (await confirm(question)) pull.mutate({})
  }
  return (
    <Can do={pullGzhMenu}>
      <Button disabled={refusal !== undefined} title={refusal} loading={pull.isPending} onClick={ask}>
        从微信拉取
      </Button>
    </Can>
  )
}

/** 自定义菜单: what stands at the bottom of the official account. */
export const MenuPage = () => {
  const request = useRequest()
  const allowed = useAllowed()
  const form = useDrawer<MenuDraft>()
  const query = useQuery({
    queryKey: [listGzhMenus.path],
    queryFn: ({ signal }) => request(listGzhMenus, { body: {} }, { signal }),
  })
  const menus: Node[] = asTree<Menu>(query.data?.menus ?? [])
  const all = flat<Node>(menus)
  const order = useListOrder({
    sort: sortGzhMenus,
    rows: all,
    nameOf,
    listOf: ({ parentId }) => String(parentId ?? ''),
  })
  const full = refusalFirst(menus)
  const refusal = refusalOf(query.data?.configured)
  return (
    <Page title="自定义菜单" help="公众号底部的菜单：一级最多3个，每个下级最多5个；修改后点击“发布”才对关注者生效。">
      {refusal && <NotConfigured />}
      <div className="toolbar">
        <Space>
          <Publish refusal={refusal} />
          <Pull refusal={refusal} />
          <Can do={saveGzhMenu}>
            <Button icon={<IconPlus />} disabled={full !== undefined} title={full} onClick={() => form.open({})}>
              新增一级菜单
            </Button>
          </Can>
        </Space>
      </div>
      {query.data && (
        <Published at={query.data.publishedAt} by={query.data.publisherName} changed={query.data.changed} />
      )}
      <div className="gzh-menu">
        <Phone
          menus={menus}
          edit={allowed(editGzhMenu) ? (menu) => form.open({ menu }) : undefined}
          add={allowed(saveGzhMenu) ? (below) => form.open({ below }) : undefined}
        />
        <div>
          <TreeTable<Node>
            query={query}
            rows={menus}
            what="菜单"
            nameOf={nameOf}
            onRow={order.row}
            empty={<Empty description="还没有菜单。新增一级菜单，或从微信拉取现有的菜单。" />}
            columns={[
              { title: '菜单名称', dataIndex: 'name', width: 200 },
              {
                title: '动作',
                dataIndex: 'menuType',
                width: 120,
                render: (_: unknown, { menuType, children }: Node) =>
                  menuType ? (
                    labelOf(saveGzhMenu, 'menuType', menuType)
                  ) : (
                    <span className="nothing">{children.length > 0 ? '展开下级' : '没有动作'}</span>
                  ),
              },
              {
                title: '内容',
                dataIndex: 'url',
                render: (_: unknown, menu: Node) => leadsTo(menu) ?? <span className="nothing">—</span>,
              },
            ]}
            actions={(menu) => [
              { label: '编辑', do: editGzhMenu, onClick: () => form.open({ menu }) },
              ...(menu.parentId
                ? []
                : [
                    {
                      label: '新增下级',
                      do: saveGzhMenu,
                      disabled: refusalBelow(menu),
                      onClick: () => form.open({ below: menu }),
                    },
                  ]),
              ...order.actions(menu),
              removal(deleteGzhMenu, { id: menu.id, name: nameOf(menu) }),
            ]}
          />
        </div>
      </div>
      <MenuForm key={form.key} {...form.props} menus={menus} />
    </Page>
  )
}
