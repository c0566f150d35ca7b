import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { ArticleZoneItems } from './ArticleZoneItems'
import {
  changeArticleZoneStatus,
  deleteArticleZone,
  deleteArticleZones,
  editArticleZone,
  exportArticleZones,
  listArticleZoneItems,
  listArticleZones,
  saveArticleZone,
  sortArticleZones,
  viewArticleZone,
} from './api'

type Zone = RowOf<typeof listArticleZones>

const Field = fieldsOf(saveArticleZone)

const columns = columnsOf(listArticleZones, [
  { field: 'zoneTitle', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'itemCount',
  'sort',
  'createdAt',
])

const ZoneForm = ({ record, ...drawer }: DrawerProps<Zone>) => (
  <FormDrawer<Zone, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑专区 ${record.zoneTitle}` : '新增专区'}
    initial={{ sort: 1, enabled: true }}
    action={(row) => (row ? formAction(editArticleZone, '已保存专区', row) : formAction(saveArticleZone, '已新增专区'))}
    reload={(row, call) => call(viewArticleZone, { query: { id: row.id } })}
    keep={['enabled']}
  >
    <Field name="zoneTitle" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ zoneTitle }: Zone) => zoneTitle

/** 文章专区: shelves of blogs. */
export const ArticleZonesPage = () => {
  const table = useQueryTable(listArticleZones)
  const form = useDrawer<Zone>()
  const items = useDrawer<Zone>()
  const order = useListOrder({ sort: sortArticleZones, rows: table.rows, nameOf })
  return (
    <Page title="文章专区" help="社区首页的文章栏目；先新增专区，再用“内容”选择要展示的博客。">
      <FilterBar table={table}>
        <TextFilter of={listArticleZones} field="zoneTitle" />
        <EnabledFilter of={listArticleZones} field="enabled" />
        <DateRangeFilter of={listArticleZones} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveArticleZone}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增专区
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportArticleZones} table={table} />}
        bulk={[
          bulkStep(deleteArticleZones, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('专区'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewArticleZone, 'article_zone')}
        actionsWidth={220}
        actions={(row) => [
          { label: '编辑', do: editArticleZone, onClick: () => form.open(row) },
          { label: '内容', do: listArticleZoneItems, onClick: () => items.open(row) },
          switching(changeArticleZoneStatus, { ...row, name: nameOf(row) }, '网站上不再显示它，专区内容保留。'),
          ...order.actions(row),
          removal(deleteArticleZone, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有专区。点击“新增专区”添加第一个。"
      />
      <ZoneForm key={form.key} {...form.props} />
      <ArticleZoneItems key={`items-${items.key}`} {...items.props} />
    </Page>
  )
}
