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
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'
import {
  changeSchoolZoneStatus,
  deleteSchoolZone,
  deleteSchoolZones,
  editSchoolZone,
  exportSchoolZones,
  listSchoolZones,
  saveSchoolZone,
  sortSchoolZones,
  viewSchoolZone,
} from './api'
import { Thumb } from './Thumb'

type SchoolZone = RowOf<typeof listSchoolZones>

const Field = fieldsOf(saveSchoolZone)

const columns = columnsOf(listSchoolZones, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'schoolOpen', width: 110, help: '试用或正式的院校才会展示' },
  { field: 'coverImg', width: 130, render: ({ coverImg, name }) => <Thumb url={coverImg} name={name} /> },
  { field: 'slogan', width: 220 },
  { field: 'siteUrl', width: 240 },
  'terminal',
  'sort',
  { field: 'createdAt', hidden: true },
])

const SchoolZoneForm = ({ record, ...drawer }: DrawerProps<SchoolZone>) => (
  <FormDrawer<SchoolZone, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑院校 ${record.name}` : '新增院校'}
    initial={{ terminal: 'both', sort: 0, enabled: true }}
    action={(row) => (row ? formAction(editSchoolZone, '已保存院校', row) : formAction(saveSchoolZone, '已新增院校'))}
    reload={(row, call) => call(viewSchoolZone, { query: { id: row.id } })}
    keep={['terminal', 'enabled']}
  >
    <Field name="schoolId">
      <OptionSelect
        label="院校"
        options={listAvailableSchools}
        query={schoolOptions}
        known={record && { code: record.schoolId, desc: record.name }}
      />
    </Field>
    <Field name="coverImg" help="">
      <PictureUpload width={178} />
    </Field>
    <Field name="slogan" />
    <Field name="linkUrl" help="不填时为院校的域名" />
    <Field name="terminal" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ name }: SchoolZone) => name

/** 院校专区. */
export const SchoolZonesPage = () => {
  const table = useQueryTable(listSchoolZones)
  const form = useDrawer<SchoolZone>()
  const order = useListOrder({ sort: sortSchoolZones, rows: table.rows, nameOf })
  return (
    <Page title="院校专区" help="首页展示的院校；只有试用和正式的院校会展示。拖动一行可调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listSchoolZones} field="name" />
        <EnabledFilter of={listSchoolZones} field="enabled" />
        <DateRangeFilter of={listSchoolZones} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveSchoolZone}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增院校
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSchoolZones} table={table} />}
        bulk={[
          bulkStep(deleteSchoolZones, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('院校'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewSchoolZone, 'zone_school')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editSchoolZone, onClick: () => form.open(row) },
          switching(changeSchoolZoneStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteSchoolZone, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有院校。点击“新增院校”选择要展示的院校。"
      />
      <SchoolZoneForm key={form.key} {...form.props} />
    </Page>
  )
}
