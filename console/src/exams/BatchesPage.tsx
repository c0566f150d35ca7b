import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useSchoolContext } from '@/api/schoolContext'
import { semesters } from '@/basic_data/choices'
import { bulkStep, byState, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Segments } from '@/kit/Segments'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { listOfflineSetups } from '@/offline_exams/api'
import { listOnlineSetups } from '@/online_exams/api'
import { listScoreSheets } from '@/scores/api'
import {
  activateTestBatch,
  archiveTestBatch,
  closeTestBatch,
  deleteTestBatch,
  deleteTestBatches,
  editTestBatch,
  exportTestBatches,
  listTestBatches,
  reopenTestBatch,
  saveTestBatch,
  viewTestBatch,
} from './api'
import { BatchForm } from './BatchForm'
import { type Batch, batchTones, canBatch, daysWords } from './examRules'

const MINUTES = 'YYYY-MM-DD HH:mm'

const columns = columnsOf(listTestBatches, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'code', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: batchTones },
  { field: 'semesterName', title: '学期', width: 150 },
  { field: 'kind', title: '类型', width: 90 },
  { field: 'mode', width: 84 },
  {
    field: 'examStartsOn',
    title: '考试日期',
    width: 190,
    render: ({ examStartsOn, examEndsOn }) => daysWords(examStartsOn, examEndsOn),
  },
  {
    field: 'scoreEntryStartsAt',
    title: '成绩录入时间',
    width: 270,
    render: ({ scoreEntryStartsAt, scoreEntryEndsAt }) =>
      scoreEntryStartsAt && scoreEntryEndsAt
        ? `${formatTime(scoreEntryStartsAt, MINUTES)} 至 ${formatTime(scoreEntryEndsAt, MINUTES)}`
        : '—',
  },
  { field: 'setupCount', width: 100 },
  { field: 'candidateCount', width: 100 },
  {
    field: 'publishedSheets',
    title: '已发布成绩表/总数',
    width: 140,
    render: ({ publishedSheets, sheetCount }) => `${formatNumber(publishedSheets)} / ${formatNumber(sheetCount)}`,
  },
  { field: 'ticketPublishAt', width: 170, hidden: true },
  { field: 'reviewLevels', width: 90, hidden: true },
  { field: 'autoLockDays', width: 130, hidden: true },
  { field: 'roomCapacityDefault', width: 130, hidden: true },
  { field: 'roomMinFill', width: 130, hidden: true },
  { field: 'ticketPrefix', width: 110, hidden: true },
  { field: 'notice', width: 240, hidden: true },
  { field: 'remark', width: 180, hidden: true },
  { field: 'closedAt', width: 170, hidden: true },
  { field: 'archivedAt', width: 170, hidden: true },
  { field: 'createdAt', width: 170, hidden: true },
])

const LEAST_REASON = 5

/** What leads a batch on, by its state. */
const stepsOf = (row: Batch, reopen: (wish: Reasoned) => void): RowAction[] => {
  const { id, name, version, status } = row
  if (status === 'draft')
    return [
      step(activateTestBatch, {
        label: '启用',
        with: { body: { id, status: 'active', version } },
        confirm: { title: `启用“${name}”？`, content: '启用后可以发布考试安排；学期、类型和考试方式不能再修改。' },
        done: `已启用“${name}”`,
      }),
    ]
  if (status === 'active')
    return [
      step(closeTestBatch, {
        label: '结束',
        danger: true,
        with: { body: { id, version } },
        confirm: {
          title: `结束“${name}”？`,
          content: '考试安排须全部结束或取消，成绩登记表须全部发布；已发布的成绩随之锁定。',
        },
        done: `已结束“${name}”`,
      }),
    ]
  if (status === 'closed')
    return [
      {
        label: '重新打开',
        do: reopenTestBatch,
        onClick: () =>
          reopen({
            do: reopenTestBatch,
            title: `重新打开 ${name}`,
            verb: '重新打开',
            hint: '重新打开后可以继续安排考试；已锁定的成绩不随之解锁。',
            done: '已重新打开批次',
            least: LEAST_REASON,
            body: { id, version },
          }),
      },
      step(archiveTestBatch, {
        label: '归档',
        danger: true,
        with: { body: { id, version } },
        confirm: { title: `归档“${name}”？`, content: '结束满1天后可以归档；归档后不能再修改，也不能重新打开。' },
        done: `已归档“${name}”`,
      }),
    ]
  return []
}

/** 考试批次: one organised round of examinations of a semester (04 §1). */
export const BatchesPage = () => {
  const table = useQueryTable(listTestBatches)
  const navigate = useNavigate()
  const places = usePlaces()
  const isSchool = useSchoolContext().area === 'school'
  const form = useDrawer<Batch>()
  const reason = useDrawer<Reasoned>()
  return (
    <Page title="考试批次" help="一次有组织的考试：日期、成绩录入时间和考场默认人数在这里设定，考试安排挂在批次之下。">
      <Segments table={table} field="status" label="批次状态" />
      <FilterBar table={table}>
        <TextFilter of={listTestBatches} field="name" />
        {isSchool ? (
          <OptionFilter of={listTestBatches} field="semesterId" {...semesters} />
        ) : (
          <TextFilter of={listTestBatches} field="semesterText" />
        )}
        <EnumFilter of={listTestBatches} field="kind" />
        <EnumFilter of={listTestBatches} field="mode" />
        <EnumFilter of={listTestBatches} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Can do={saveTestBatch}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增批次
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportTestBatches} table={table} />}
        bulk={[
          bulkStep(deleteTestBatches, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('考试批次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewTestBatch, 'test_batch')}
        actionsWidth={210}
        actions={(row) =>
          byState([
            ...stepsOf(row, reason.open),
            { label: '编辑', do: editTestBatch, disabled: canBatch.edit(row), onClick: () => form.open(row) },
            {
              label: '在线考试',
              do: listOnlineSetups,
              onClick: () => navigate(places('onlineExams', { batchId: row.id })),
            },
            {
              label: '线下考试',
              do: listOfflineSetups,
              onClick: () => navigate(places('offlineExams', { batchId: row.id })),
            },
            {
              label: '成绩登记表',
              do: listScoreSheets,
              onClick: () => navigate(places('scoreSheets', { batchId: row.id })),
            },
            { ...removal(deleteTestBatch, row), disabled: canBatch.remove(row) },
            { label: '查看', do: viewTestBatch, onClick: () => table.open(row) },
          ])
        }
        empty="还没有考试批次。先新增批次，设置考试日期和成绩录入时间，启用后安排考试。"
      />
      <BatchForm key={`form-${form.key}`} {...form.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </Page>
  )
}
