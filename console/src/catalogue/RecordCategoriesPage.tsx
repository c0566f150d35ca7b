import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Caller } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Nothing } from '@/kit/Nothing'
import { Page } from '@/kit/Page'
import { Enabled } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { TreeTable } from '@/kit/TreeTable'
import { flat, type Ordered } from '@/kit/treeOrder'
import { useDrawer } from '@/kit/useDrawer'
import { useTree } from '@/kit/useTree'
import { useTreeOrder } from '@/kit/useTreeOrder'
import {
  changeRecordCategoryStatus,
  deleteRecordCategories,
  deleteRecordCategory,
  editRecordCategory,
  exportRecordCategories,
  listRecordCategories,
  saveRecordCategory,
} from './api'
import { type CategoryDraft, RecordCategoryForm } from './RecordCategoryForm'
import './catalogue.css'

type Node = RowOf<typeof listRecordCategories>

const orderedOf = (nodes: readonly Node[]): Ordered[] =>
  nodes.map(({ id, categoryName, sort, children }) => ({
    id,
    name: categoryName,
    sortNo: sort,
    children: orderedOf(children),
  }))

const renumber = async (call: Caller, nodes: readonly Node[], id: number, sort: number) => {
  const node = nodes.find((each) => each.id === id)
  if (!node) return
  const { version, parentId, categoryName, icon, remark, enabled } = node
  await call(editRecordCategory, { body: { id, version, parentId, categoryName, icon, remark, sort, enabled } })
}

/** 录播分类: where recorded courses stand, as a tree without pages. */
export const RecordCategoriesPage = () => {
  const call = useCall()
  const { query, body, rows, filtered, table } = useTree(listRecordCategories)
  const form = useDrawer<CategoryDraft>()
  const categories = flat(rows)
  const order = useTreeOrder({
    roots: orderedOf(rows),
    edit: editRecordCategory,
    write: (id, sort) => renumber(call, categories, id, sort),
    filtered,
  })

  return (
    <Page title="录播分类" help="录播课程的分类，最多三级；停用的分类不在网站上显示。拖动一行可在同级中调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listRecordCategories} field="categoryName" />
        <EnabledFilter of={listRecordCategories} field="enabled" />
      </FilterBar>
      <div className="toolbar">
        <Can do={saveRecordCategory}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增分类
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={exportRecordCategories} table={{ body, total: categories.length }} />
        </div>
      </div>
      <TreeTable
        query={query}
        rows={rows}
        nameOf={({ categoryName }) => categoryName}
        onRow={order.row}
        scroll={{ x: 900 }}
        empty={<Nothing filtered={filtered} reset={table.reset} empty="还没有分类。先新增一级分类，再新增它的下级。" />}
        bulk={{
          body,
          actions: [
            bulkStep(deleteRecordCategories, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('分类'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        columns={[
          { title: '名称', dataIndex: 'categoryName', width: 260 },
          { title: '图标', dataIndex: 'icon', width: 80, render: (icon: string | null) => <Icon url={icon} /> },
          { title: '排序', dataIndex: 'sort', width: 80, align: 'right' },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
          { title: '创建时间', dataIndex: 'createdAt', width: 180, render: (at: string) => formatTime(at) },
        ]}
        actions={(node) => [
          { label: '新增下级', do: saveRecordCategory, onClick: () => form.open({ below: node }) },
          { label: '编辑', do: editRecordCategory, onClick: () => form.open({ category: node }) },
          switching(
            changeRecordCategoryStatus,
            { ...node, name: node.categoryName },
            '网站上不再显示它，已有的课程保持不变。',
          ),
          ...order.actions(node),
          removal(deleteRecordCategory, { id: node.id, name: node.categoryName }),
        ]}
      />
      <RecordCategoryForm key={form.key} {...form.props} categories={rows} />
    </Page>
  )
}

const Icon = ({ url }: { url: string | null }) =>
  url ? <img className="category-icon" src={url} alt="" loading="lazy" /> : <span className="nothing">—</span>
