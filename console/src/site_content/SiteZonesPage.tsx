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
import {
  changeSiteZoneStatus,
  deleteSiteZone,
  deleteSiteZones,
  editSiteZone,
  exportSiteZones,
  listSiteZoneItems,
  listSiteZones,
  saveSiteZone,
  sortSiteZones,
  viewSiteZone,
} from './api'
import type { OfTerminal, Terminal } from './terminal'
import { ZoneItems } from './ZoneItems'

type SiteZone = RowOf<typeof listSiteZones>

const Field = fieldsOf(saveSiteZone)

const columns = columnsOf(listSiteZones, [
  { field: 'zoneTitle', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'zoneType',
  'itemCount',
  'showCount',
  'layout',
  'sort',
  { field: 'zoneDesc', width: 260, hidden: true },
  'createdAt',
])

const SiteZoneForm = ({ record, terminal, ...drawer }: DrawerProps<SiteZone> & { terminal: Terminal }) => (
  <FormDrawer<SiteZone, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑专区 ${record.zoneTitle}` : '新增专区'}
    initial={{ terminal, zoneType: 'record', showCount: 5, layout: 'grid', sort: 0, enabled: true }}
    action={(row) =>
      row ? formAction(editSiteZone, '已保存专区', row) : formAction(saveSiteZone, '已新增专区', { terminal })
    }
    reload={(row, call) => call(viewSiteZone, { query: { id: row.id } })}
    keep={['zoneType', 'showCount', 'layout', 'enabled']}
  >
    <Field name="zoneTitle" />
    <Field name="zoneDesc" />
    <Field name="zoneType" />
    <Field name="showCount" />
    <Field name="layout" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ zoneTitle }: SiteZone) => zoneTitle

const SiteZonesPage = ({ terminal, title }: OfTerminal) => {
  const table = useQueryTable(listSiteZones, { usual: { terminal } })
  const form = useDrawer<SiteZone>()
  const items = useDrawer<SiteZone>()
  const order = useListOrder({ sort: sortSiteZones, rows: table.rows, nameOf })
  return (
    <Page title={title} help="首页的内容专区；先新增专区，再用“专区内容”选择要展示的课程或讲师。">
      <FilterBar table={table}>
        <TextFilter of={listSiteZones} field="name" />
        <EnabledFilter of={listSiteZones} field="enabled" />
        <DateRangeFilter of={listSiteZones} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveSiteZone}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增专区
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSiteZones} table={table} />}
        bulk={[
          bulkStep(deleteSiteZones, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('专区'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewSiteZone, 'zone')}
        actionsWidth={240}
        actions={(row) => [
          { label: '编辑', do: editSiteZone, onClick: () => form.open(row) },
          { label: '专区内容', do: listSiteZoneItems, onClick: () => items.open(row) },
          switching(changeSiteZoneStatus, { ...row, name: nameOf(row) }, '网站上不再显示它，专区内容保留。'),
          ...order.actions(row),
          removal(deleteSiteZone, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有专区。点击“新增专区”添加第一个。"
      />
      <SiteZoneForm key={form.key} {...form.props} terminal={terminal} />
      <ZoneItems key={`items-${items.key}`} {...items.props} />
    </Page>
  )
}

/** 首页专区. */
export const PcSiteZonesPage = () => <SiteZonesPage terminal="pc" title="首页专区" />

/** 移动专区. */
export const AppSiteZonesPage = () => <SiteZonesPage terminal="app" title="移动专区" />
