import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeTopAdvertisementStatus,
  deleteTopAdvertisement,
  deleteTopAdvertisements,
  editTopAdvertisement,
  exportTopAdvertisements,
  listTopAdvertisements,
  saveTopAdvertisement,
  sortTopAdvertisements,
  viewTopAdvertisement,
} from './api'
import { Thumb } from './Thumb'
import type { OfTerminal, Terminal } from './terminal'

type Advertisement = RowOf<typeof listTopAdvertisements>

const Field = fieldsOf(saveTopAdvertisement)

const columns = columnsOf(listTopAdvertisements, [
  { field: 'advTitle', width: 220, fixed: 'left' },
  { field: 'standing', fixed: 'left', tones: { waiting: 'busy', shown: 'good', ended: 'quiet', disabled: 'quiet' } },
  { field: 'advImg', width: 130, render: ({ advImg, advTitle }) => <Thumb url={advImg} name={advTitle} /> },
  'beginsAt',
  'endsAt',
  'closable',
  'sort',
  { field: 'advUrl', width: 220, hidden: true },
  { field: 'target', hidden: true },
  { field: 'createdAt', hidden: true },
])

const AdvertisementForm = ({ record, terminal, ...drawer }: DrawerProps<Advertisement> & { terminal: Terminal }) => (
  <FormDrawer<Advertisement, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑顶部广告 ${record.advTitle}` : '新增顶部广告'}
    initial={{ terminal, target: 'self', closable: true, sort: 0, enabled: true }}
    action={(row) =>
      row
        ? formAction(editTopAdvertisement, '已保存顶部广告', row)
        : formAction(saveTopAdvertisement, '已新增顶部广告', { terminal })
    }
    reload={(row, call) => call(viewTopAdvertisement, { query: { id: row.id } })}
    keep={['target', 'closable', 'enabled']}
  >
    <Field name="advTitle" />
    <Field name="advImg" help="">
      <PictureUpload width={178} />
    </Field>
    <Field name="advUrl" />
    <Field name="target" />
    <Field name="beginsAt" />
    <Field name="endsAt">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="closable" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ advTitle }: Advertisement) => advTitle

const TopAdvertisementsPage = ({ terminal, title }: OfTerminal) => {
  const table = useQueryTable(listTopAdvertisements, { usual: { terminal } })
  const form = useDrawer<Advertisement>()
  const order = useListOrder({ sort: sortTopAdvertisements, rows: table.rows, nameOf })
  return (
    <Page title={title} help="页面最上方的广告条；启用的广告时段不能重叠，同一时间只展示一个。">
      <FilterBar table={table}>
        <TextFilter of={listTopAdvertisements} field="name" />
        <EnabledFilter of={listTopAdvertisements} field="enabled" />
        <DateRangeFilter of={listTopAdvertisements} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveTopAdvertisement}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增顶部广告
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportTopAdvertisements} table={table} />}
        bulk={[
          bulkStep(deleteTopAdvertisements, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('顶部广告'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewTopAdvertisement, 'adv')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editTopAdvertisement, onClick: () => form.open(row) },
          switching(changeTopAdvertisementStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteTopAdvertisement, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有顶部广告。点击“新增顶部广告”添加第一个。"
      />
      <AdvertisementForm key={form.key} {...form.props} terminal={terminal} />
    </Page>
  )
}

/** 顶部广告. */
export const PcTopAdvertisementsPage = () => <TopAdvertisementsPage terminal="pc" title="顶部广告" />

/** 移动顶部广告. */
export const AppTopAdvertisementsPage = () => <TopAdvertisementsPage terminal="app" title="移动顶部广告" />
