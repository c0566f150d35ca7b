import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Nothing } from '@/kit/Nothing'
import { Page } from '@/kit/Page'
import { Enabled } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat } from '@/kit/treeOrder'
import { useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useTree } from '@/kit/useTree'
import {
  changeFooterNavStatus,
  deleteFooterNav,
  deleteFooterNavs,
  editFooterNav,
  exportFooterNavs,
  listFooterNavs,
  saveFooterNav,
  sortFooterNavs,
} from './api'
import { type FooterNavDraft, FooterNavForm } from './FooterNavForm'

type Node = RowOf<typeof listFooterNavs>

const nameOf = ({ navTitle }: Node) => navTitle
const leadsTo = ({ linkUrl, content }: Node) =>
  linkUrl ?? (content ? '文章' : <span className="nothing">—</span>)

/** 底部导航: columns, and below each of them links and articles. */
export const FooterNavsPage = () => {
  const { query, body, rows, filtered, table } = useTree(listFooterNavs)
  const form = useDrawer<FooterNavDraft>()
  const all = flat<Node>(rows)
  const order = useListOrder({
    sort: sortFooterNavs,
    rows: all,
    nameOf,
    listOf: ({ parentId }) => String(parentId ?? ''),
  })
  return (
    <Page title="底部导航" help="页面底部的栏目，最多两级；二级导航填写链接或文章内容。拖动一行可在同级中调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listFooterNavs} field="name" />
        <EnabledFilter of={listFooterNavs} field="enabled" />
        <DateRangeFilter of={listFooterNavs} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <div className="toolbar">
        <Can do={saveFooterNav}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增导航
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportFooterNavs} table={{ body, total: all.length }} />
        </div>
      </div>
      <TreeTable
        query={query}
        rows={rows}
        nameOf={nameOf}
        onRow={order.row}
        scroll={{ x: 900 }}
        empty={
          <Nothing filtered={filtered} reset={table.reset} empty="还没有底部导航。先新增栏目，再新增它的下级。" />
        }
        bulk={{
          body,
          actions: [
            bulkStep(deleteFooterNavs, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('导航'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        columns={[
          { title: '标题', dataIndex: 'navTitle', width: 240 },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
          { title: '链接或文章', dataIndex: 'linkUrl', width: 260, render: (_: unknown, node: Node) => leadsTo(node) },
          { title: '排序', dataIndex: 'sort', width: 80, align: 'right' },
          { title: '创建时间', dataIndex: 'createdAt', width: 180, render: (at: string) => formatTime(at) },
        ]}
        actions={(node) => [
          ...(node.parentId
            ? []
            : [{ label: '新增下级', do: saveFooterNav, onClick: () => form.open({ below: node }) }]),
          { label: '编辑', do: editFooterNav, onClick: () => form.open({ nav: node }) },
          switching(
            changeFooterNavStatus,
            { ...node, name: node.navTitle },
            node.parentId ? '网站上不再显示它。' : '网站上不再显示它和它的下级。',
          ),
          ...order.actions(node),
          removal(deleteFooterNav, { id: node.id, name: node.navTitle }),
        ]}
      />
      <FooterNavForm key={form.key} {...form.props} columns={rows} />
    </Page>
  )
}
