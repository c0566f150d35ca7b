import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { sites } from '@/basic_data/choices'
import { allBatches } from '@/exams/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  deleteExamSession,
  deleteExamSessions,
  editExamSession,
  exportExamSessions,
  generateExamSessions,
  listExamSeats,
  listExamSessions,
  saveExamSession,
  viewExamSession,
} from './api'
import { GenerateSessions } from './GenerateSessions'
import { SessionForm } from './SessionForm'
import { canSeat, type Session, sessionTones } from './seatRules'

const columns = columnsOf(listExamSessions, [
  { field: 'name', width: 150, fixed: 'left' },
  { field: 'code', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: sessionTones },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'examDate', title: '日期', width: 110 },
  {
    field: 'startTime',
    title: '时间',
    width: 120,
    render: ({ startTime, endTime }) => `${startTime}-${endTime}`,
  },
  {
    field: 'siteNames',
    title: '站点',
    width: 180,
    render: ({ siteNames }) => (siteNames.length > 0 ? siteNames.join('、') : '全部站点'),
  },
  { field: 'courses', width: 76 },
  { field: 'candidates', width: 76 },
  { field: 'rooms', width: 76 },
  { field: 'places', width: 76 },
  { field: 'seated', width: 76 },
  { field: 'durationMinutes', width: 100, hidden: true },
])

/** 考试场次: when paper is written, and at which sites (04 §4.4). */
export const SessionsPage = () => {
  const table = useQueryTable(listExamSessions)
  const navigate = useNavigate()
  const form = useDrawer<Session>()
  const generate = useDrawer<{ batchId?: number }>()
  const batchId = Number(table.filters.batchId) || undefined
  return (
    <Page title="考试场次" help="线下考试的日期和时间；一个场次可以安排多门课程，同一考生不会同时参加两门。">
      <FilterBar table={table}>
        <OptionFilter of={listExamSessions} field="batchId" label="批次" {...allBatches} />
        <TextFilter of={listExamSessions} field="keyword" />
        <DateFilter of={listExamSessions} field="date" />
        <OptionFilter of={listExamSessions} field="siteId" {...sites} />
        <EnumFilter of={listExamSessions} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ code, name }) => `${code} ${name}`}
        primary={
          <Space size={8}>
            <Can do={saveExamSession}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增场次
              </Button>
            </Can>
            <Can do={generateExamSessions}>
              <Button onClick={() => generate.open({ batchId })}>批量生成</Button>
            </Can>
          </Space>
        }
        tools={<ExportButton do={exportExamSessions} table={table} />}
        bulk={[
          bulkStep(deleteExamSessions, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('场次'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewExamSession, 'offline_session')}
        actions={(row) => [
          { label: '编辑', do: editExamSession, disabled: canSeat.edit(row), onClick: () => form.open(row) },
          {
            label: '座位编排',
            do: listExamSeats,
            onClick: () => navigate(`${paths.examDay}?batchId=${row.batchId}&sessionId=${row.id}`),
          },
          removal(deleteExamSession, row),
          { label: '查看', do: viewExamSession, onClick: () => table.open(row) },
        ]}
        empty="还没有考试场次。新增场次，或按日期和时段批量生成。"
      />
      <SessionForm key={`form-${form.key}`} {...form.props} batchId={batchId} />
      <GenerateSessions key={`generate-${generate.key}`} {...generate.props} />
    </Page>
  )
}
