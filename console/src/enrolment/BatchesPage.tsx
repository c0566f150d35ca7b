import { Button, Descriptions } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import type { DataOf, RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { grades } from '@/basic_data/choices'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { Admitted } from './Admitted'
import {
  changeEnrollmentBatchStatus,
  copyEnrollmentBatch,
  deleteEnrollmentBatch,
  deleteEnrollmentBatches,
  editEnrollmentBatch,
  exportEnrollmentBatches,
  generateEnrollmentMajors,
  listEnrollmentBatches,
  listEnrollmentMajors,
  mapEnrollmentBatch,
  saveEnrollmentBatch,
  viewEnrollmentBatch,
} from './api'
import { BatchForm, CopyForm } from './BatchForm'
import { BatchMajors } from './BatchMajors'
import { type BatchView, Mapping } from './Mapping'
import { Reported } from './Reported'
import '@/kit/figures.css'
import './enrolment.css'

type Batch = RowOf<typeof listEnrollmentBatches>

const columns = columnsOf(listEnrollmentBatches, [
  { field: 'name', width: 200, fixed: 'left' },
  {
    field: 'status',
    width: 90,
    fixed: 'left',
    tones: { draft: 'quiet', open: 'good', closed: 'warning' },
  },
  { field: 'code', width: 120, under: 'name' },
  { field: 'year', width: 85 },
  { field: 'season', hidden: true },
  { field: 'gradeName', title: '年级', width: 75 },
  { field: 'enrolledOn', width: 105 },
  { field: 'majorCount', width: 70 },
  { field: 'quota', width: 85 },
  {
    field: 'admitted',
    width: 85,
    help: '不含不予入学和已注销',
    render: ({ id, admitted }) => <Admitted count={admitted} of={{ batchId: id }} />,
  },
  {
    field: 'reported',
    width: 85,
    help: '已办理报到的人数',
    render: ({ id, reported }) => <Reported count={reported} of={{ batchId: id }} />,
  },
  { field: 'siteApplyEndsAt', hidden: true },
  { field: 'reportStartsAt', width: 160 },
  { field: 'reportEndsAt', width: 160 },
  { field: 'createdAt', hidden: true },
])

const trail = historyOf(viewEnrollmentBatch, 'enrollment_batch')

/** A batch's file: its fields, its majors, its trail. */
const file = (batch: Batch) => (
  <>
    <Descriptions
      column={2}
      labelStyle={{ width: 112 }}
      data={columns.map((column) => ({ key: column.key, label: column.title, value: column.render(batch) }))}
    />
    <Can do={listEnrollmentMajors}>
      <BatchMajors batch={batch} />
    </Can>
    {trail(batch)}
  </>
)

const turning = ({ id, version, name, status }: Batch) => {
  const opens = status !== 'open'
  return step(changeEnrollmentBatchStatus, {
    label: opens ? '开放' : '结束',
    with: { body: { id, version, status: opens ? 'open' : 'closed' } },
    confirm: {
      title: opens ? `开放“${name}”？` : `结束“${name}”？`,
      content: opens ? '开放后站点可以申报，同一年级只能有一个进行中的批次。' : '结束后专业和站点计划不能再修改。',
    },
    done: opens ? `已开放“${name}”` : `已结束“${name}”`,
  })
}

const KEPT = '批次中已有，或专业已停用'

/** What became of the filed majors. */
const generated = ({ created, skipped }: DataOf<typeof generateEnrollmentMajors>) => {
  const left = skipped > 0 ? `${formatNumber(skipped)}个未生成（${KEPT}）` : ''
  if (created === 0) return `没有新的招生专业，${left}`
  return [`已生成${formatNumber(created)}个招生专业`, left].filter(Boolean).join('，')
}

/** 招生批次: the official recruitment of a grade. */
export const BatchesPage = () => {
  const table = useQueryTable(listEnrollmentBatches)
  const form = useDrawer<Batch>()
  const copy = useDrawer<Batch>()
  const mapping = useDrawer<BatchView>()
  const call = useCall()
  const opening = useMutation({
    mutationFn: ({ id }: Batch) => call(viewEnrollmentBatch, { query: { id } }),
    onSuccess: (batch) => mapping.open(batch),
  })
  const actionsOf = (batch: Batch): RowAction[] => [
    { label: '编辑', do: editEnrollmentBatch, onClick: () => form.open(batch) },
    turning(batch),
    step(generateEnrollmentMajors, {
      label: '从已备案专业生成',
      with: { body: { batchId: batch.id } },
      confirm: { title: `为“${batch.name}”生成招生专业？`, content: '计划数和学费取自备案，已有的专业保持不变。' },
      disabled: batch.status === 'closed' ? '批次已结束，请先重新开放' : undefined,
      done: generated,
    }),
    { label: '字段映射', do: mapEnrollmentBatch, onClick: () => opening.mutate(batch) },
    { label: '复制', do: copyEnrollmentBatch, onClick: () => copy.open(batch) },
    { ...removal(deleteEnrollmentBatch, batch), disabled: batch.status === 'draft' ? undefined : '只有草稿可以删除' },
  ]
  return (
    <Page title="招生批次" help="一个年级的正式招生：招生专业和计划、站点申报截止、报到时间。">
      <Segments table={table} field="status" label="批次状态" />
      <FilterBar table={table}>
        <OptionFilter of={listEnrollmentBatches} field="gradeId" {...grades} />
        <EnumFilter of={listEnrollmentBatches} field="status" />
        <TextFilter of={listEnrollmentBatches} field="keyword" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(batch) => batch.name}
        primary={
          <Can do={saveEnrollmentBatch}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增招生批次
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportEnrollmentBatches} table={table} />}
        bulk={[
          bulkStep(deleteEnrollmentBatches, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('招生批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={file}
        actionsWidth={210}
        actions={actionsOf}
        empty="还没有招生批次。新增批次后，从已备案专业生成招生专业。"
      />
      <BatchForm key={form.key} {...form.props} />
      <Mapping key={`mapping-${mapping.key}`} {...mapping.props} />
      <CopyForm key={`copy-${copy.key}`} {...copy.props} />
    </Page>
  )
}
