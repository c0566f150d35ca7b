import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useSchoolContext } from '@/api/schoolContext'
import { grades } from '@/basic_data/choices'
import { bulkStep, type RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  changeChangeBatchStatus,
  deleteChangeBatch,
  deleteChangeBatches,
  editChangeBatch,
  exportChangeBatches,
  listChangeBatches,
  listChanges,
  saveChangeBatch,
  viewChangeBatch,
} from './api'
import { BatchForm } from './BatchForm'
import { phaseTones } from './tones'

type Batch = RowOf<typeof listChangeBatches>

const MINUTE = 'YYYY-MM-DD HH:mm'

const typesOf = ({ types }: Batch) => types.map((type) => labelOf(listChanges, 'type', type)).join('、')

const columns = columnsOf(listChangeBatches, [
  { field: 'name', width: 200, fixed: 'left' },
  { field: 'code', title: '编码', width: 120, under: 'name' },
  { field: 'phase', title: '阶段', width: 90, fixed: 'left', tones: phaseTones },
  { field: 'types', title: '类型', width: 220, render: typesOf },
  {
    field: 'gradeNames',
    title: '年级',
    width: 150,
    render: ({ gradeNames }) => (gradeNames.length > 0 ? gradeNames.join('、') : '不限'),
  },
  {
    field: 'startsAt',
    title: '起止时间',
    width: 280,
    render: ({ startsAt, endsAt }) => `${formatTime(startsAt, MINUTE)} 至 ${formatTime(endsAt, MINUTE)}`,
  },
  {
    field: 'effectiveOn',
    title: '生效日期',
    width: 120,
    render: ({ effectiveOn }) => effectiveOn ?? '批准当日',
  },
  { field: 'total', title: '申请数', width: 90, help: '在本批次申请的异动，含草稿和未批准的' },
  { field: 'approved', title: '已批准', width: 90, help: '已批准待生效和已生效的异动' },
  { field: 'siteReview', width: 90 },
  { field: 'clientEntry', width: 100 },
  { field: 'enabled', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 异动批次: windows in which changes of some types are accepted (02 §10). */
export const BatchesPage = () => {
  const table = useQueryTable(listChangeBatches)
  const form = useDrawer<Batch>()
  const navigate = useNavigate()
  const { area } = useSchoolContext()
  const actionsOf = (batch: Batch): RowAction[] => [
    { label: '编辑', do: editChangeBatch, onClick: () => form.open(batch) },
    switching(changeChangeBatchStatus, batch, '停用后不再受理申请，已有的申请继续办理。'),
    ...(area === 'school'
      ? [
          {
            label: '查看申请',
            do: listChanges,
            onClick: () => navigate(`${paths.changeApplications}?batchId=${batch.id}`),
          },
        ]
      : []),
    {
      ...removal(deleteChangeBatch, batch),
      disabled: batch.total > 0 ? '批次下有学籍异动，不能删除' : undefined,
    },
  ]
  return (
    <Page title="异动批次" help="受理学籍异动的时间、类型和年级，通常每年三月和九月各一次。">
      <Segments table={table} field="phase" label="批次阶段" />
      <FilterBar table={table}>
        <EnumFilter of={listChangeBatches} field="type" />
        <OptionFilter of={listChangeBatches} field="gradeId" {...grades} />
        <TextFilter of={listChangeBatches} field="keyword" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(batch) => batch.name}
        primary={
          <Can do={saveChangeBatch}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增批次
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportChangeBatches} table={table} />}
        bulk={[
          bulkStep(deleteChangeBatches, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('异动批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewChangeBatch, 'change_batch')}
        actionsWidth={190}
        actions={actionsOf}
        empty="还没有异动批次。点击“新增批次”，设置受理时间和类型。"
      />
      <BatchForm key={form.key} {...form.props} />
    </Page>
  )
}
