import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { Caller } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep, type RowAction } from '@/kit/actions'
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
  changeLiveCategoryStatus,
  changeRecordCategoryStatus,
  changeResourceCategoryStatus,
  deleteLiveCategories,
  deleteLiveCategory,
  deleteRecordCategories,
  deleteRecordCategory,
  deleteResourceCategories,
  deleteResourceCategory,
  editLiveCategory,
  editRecordCategory,
  editResourceCategory,
  exportLiveCategories,
  exportRecordCategories,
  exportResourceCategories,
  listLiveCategories,
  listRecordCategories,
  listResourceCategories,
  saveLiveCategory,
  saveRecordCategory,
  saveResourceCategory,
  viewLiveCategory,
  viewRecordCategory,
  viewResourceCategory,
} from './api'
import { type CategoryDraft, CategoryForm } from './CategoryForm'
import './catalogue.css'

export type Node = RowOf<typeof listRecordCategories>

const orderedOf = (nodes: readonly Node[]): Ordered[] =>
  nodes.map(({ id, categoryName, sort, children }) => ({
    id,
    name: categoryName,
    sortNo: sort,
    children: orderedOf(children),
  }))

/** The operations of one kind of categories. */
export interface Categories {
  title: string
  /** What stands in them. */
  content: string
  list: typeof listRecordCategories
  view: typeof viewRecordCategory
  save: typeof saveRecordCategory
  edit: typeof editRecordCategory
  remove: typeof deleteRecordCategory
  removeMany: typeof deleteRecordCategories
  switch: typeof changeRecordCategoryStatus
  export: typeof exportRecordCategories
  /** What one is opened for, before all else. */
  more?: (node: Node) => RowAction[]
}

interface Renumbering {
  edit: Categories['edit']
  nodes: readonly Node[]
  id: number
  sort: number
}

const renumber = async (call: Caller, { edit, nodes, id, sort }: Renumbering) => {
  const node = nodes.find((each) => each.id === id)
  if (!node) return
  const { version, parentId, categoryName, icon, remark, enabled } = node
  await call(edit, { body: { id, version, parentId, categoryName, icon, remark, sort, enabled } })
}

/** Where the content of a kind stands, as a tree without pages. */
export const CategoriesPage = ({ of }: { of: Categories }) => {
  const call = useCall()
  const { query, body, rows, filtered, table } = useTree(of.list)
  const form = useDrawer<CategoryDraft>()
  const categories = flat(rows)
  const order = useTreeOrder({
    roots: orderedOf(rows),
    edit: of.edit,
    write: (id, sort) => renumber(call, { edit: of.edit, nodes: categories, id, sort }),
    filtered,
  })

  return (
    <Page
      title={of.title}
      help={`${of.content}的分类，最多三级；停用的分类不在网站上显示。拖动一行可在同级中调整顺序。`}
    >
      <FilterBar table={table}>
        <TextFilter of={of.list} field="categoryName" />
        <EnabledFilter of={of.list} field="enabled" />
      </FilterBar>
      <div className="toolbar">
        <Can do={of.save}>
          <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
            新增分类
          </Button>
        </Can>
        <div className="toolbar-right">
          <ExportButton do={of.export} table={{ body, total: categories.length }} />
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
            bulkStep(of.removeMany, {
              label: '批量删除',
              danger: true,
              confirm: askRemoval('分类'),
              input: (ids) => ({ body: { ids } }),
            }),
          ],
        }}
        columns={[
          { title: '名称', dataIndex: 'categoryName', width: 260 },
          { title: '启用', dataIndex: 'enabled', width: 90, render: (enabled: boolean) => <Enabled value={enabled} /> },
          { title: '图标', dataIndex: 'icon', width: 80, render: (icon: string | null) => <Icon url={icon} /> },
          { title: '排序', dataIndex: 'sort', width: 80, align: 'right' },
          { title: '创建时间', dataIndex: 'createdAt', width: 180, render: (at: string) => formatTime(at) },
        ]}
        actions={(node) => [
          ...(of.more?.(node) ?? []),
          { label: '新增下级', do: of.save, onClick: () => form.open({ below: node }) },
          { label: '编辑', do: of.edit, onClick: () => form.open({ category: node }) },
          switching(of.switch, { ...node, name: node.categoryName }, '网站上不再显示它，已有的内容保持不变。'),
          ...order.actions(node),
          removal(of.remove, { id: node.id, name: node.categoryName }),
        ]}
      />
      <CategoryForm key={form.key} {...form.props} categories={rows} of={of} />
    </Page>
  )
}

const Icon = ({ url }: { url: string | null }) =>
  url ? <img className="category-icon" src={url} alt="" loading="lazy" /> : <span className="nothing">—</span>

/** 录播分类. */
export const RecordCategoriesPage = () => (
  <CategoriesPage
    of={{
      title: '录播分类',
      content: '录播课程',
      list: listRecordCategories,
      view: viewRecordCategory,
      save: saveRecordCategory,
      edit: editRecordCategory,
      remove: deleteRecordCategory,
      removeMany: deleteRecordCategories,
      switch: changeRecordCategoryStatus,
      export: exportRecordCategories,
    }}
  />
)

/** 直播分类. */
export const LiveCategoriesPage = () => (
  <CategoriesPage
    of={{
      title: '直播分类',
      content: '直播课程',
      list: listLiveCategories,
      view: viewLiveCategory,
      save: saveLiveCategory,
      edit: editLiveCategory,
      remove: deleteLiveCategory,
      removeMany: deleteLiveCategories,
      switch: changeLiveCategoryStatus,
      export: exportLiveCategories,
    }}
  />
)

/** 文库分类. */
export const ResourceCategoriesPage = () => (
  <CategoriesPage
    of={{
      title: '文库分类',
      content: '文库资源',
      list: listResourceCategories,
      view: viewResourceCategory,
      save: saveResourceCategory,
      edit: editResourceCategory,
      remove: deleteResourceCategory,
      removeMany: deleteResourceCategories,
      switch: changeResourceCategoryStatus,
      export: exportResourceCategories,
    }}
  />
)
