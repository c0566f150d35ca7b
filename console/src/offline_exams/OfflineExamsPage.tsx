import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useSchoolContext } from '@/api/schoolContext'
import { classes, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { AssignMarkers, type MarkersOf } from '@/exams/AssignMarkers'
import { assignExamMarkers } from '@/exams/api'
import { allBatches, sessionsOf } from '@/exams/choices'
import { phaseTones, type Setup, setupTones, timeWords } from '@/exams/examRules'
import { bulkStep, byState, itemOf, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { MoreTools } from '@/kit/MoreTools'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { AutoSession } from './AutoSession'
import {
  cancelOfflineSetup,
  deleteOfflineSetup,
  deleteOfflineSetups,
  editOfflineSetup,
  exportOfflineSetups,
  listMakeupCandidates,
  listOfflineCandidates,
  listOfflineSetups,
  printOfflinePaper,
  publishOfflineSetups,
  saveOfflineSetup,
  saveOfflineSetups,
  submitOfflineSetups,
  viewOfflineSetup,
  withdrawOfflineSetup,
} from './api'
import { OfflineExamFile } from './OfflineExamFile'
import { can } from './offlineRules'
import { PrintPaper } from './PrintPaper'

const columns = columnsOf(listOfflineSetups, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'courseName', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: setupTones },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'round', title: '性质', width: 84 },
  { field: 'assessMode', width: 90 },
  { field: 'sessionCode', width: 70 },
  { field: 'startsAt', title: '考试时间', width: 230, render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt) },
  { field: 'candidateCount', width: 70 },
  { field: 'seatedCount', width: 76 },
  { field: 'roomCount', width: 76 },
  { field: 'invigilatorCount', width: 90 },
  { field: 'presentCount', width: 70 },
  { field: 'absentCount', width: 70 },
  { field: 'violationCount', width: 70 },
  { field: 'phase', width: 84, hidden: true, tones: phaseTones },
  { field: 'classCount', width: 80, hidden: true },
  { field: 'disqualifiedCount', width: 90, hidden: true },
  { field: 'courseCode', width: 100, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'reviewOpinion', width: 180, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'cancelReason', width: 180, hidden: true },
  { field: 'createdByName', width: 90, hidden: true },
])

/** What leads an examination on, by its state. */
const stepsOf = (row: Setup, reason: (wish: Reasoned) => void): RowAction[] => {
  const { name } = row
  const cancel: RowAction = {
    label: '取消',
    do: cancelOfflineSetup,
    danger: true,
    disabled: can.cancel(row),
    onClick: () =>
      reason({
        do: cancelOfflineSetup,
        title: `取消 ${name}`,
        verb: '取消考试',
        hint: '已编排的座位释放，考生收到通知；已录入成绩的不能取消。',
        done: '已取消考试',
        danger: true,
        body: itemOf(row),
      }),
  }
  if (row.status === 'draft')
    return [
      step(submitOfflineSetups, {
        label: '提交',
        disabled: can.submit(row),
        with: { body: { items: [itemOf(row)] } },
        confirm: { title: `提交“${name}”？`, content: '提交后由其他人员审核，审核前不能修改。' },
        done: `已提交“${name}”`,
      }),
      cancel,
    ]
  if (row.status === 'approved')
    return [
      step(publishOfflineSetups, {
        label: '发布',
        disabled: can.publish(row),
        with: { body: { items: [itemOf(row)] } },
        confirm: { title: `发布“${name}”？`, content: '全部考生已编排座位时可以发布；考生收到通知。' },
        done: `已发布“${name}”`,
      }),
      cancel,
    ]
  if (row.status === 'published')
    return [
      step(withdrawOfflineSetup, {
        label: '撤回',
        danger: true,
        disabled: can.withdraw(row),
        with: { body: itemOf(row) },
        confirm: { title: `撤回“${name}”？`, content: '距开考超过24小时时可以撤回为已审核。' },
        done: `已撤回“${name}”`,
      }),
      cancel,
    ]
  return row.status === 'submitted' ? [cancel] : []
}

/** 线下考试列表: what is written on paper, and the steps with it (04 §4.4). */
export const OfflineExamsPage = () => {
  const table = useQueryTable(listOfflineSetups)
  const navigate = useNavigate()
  const isSchool = useSchoolContext().area === 'school'
  const reason = useDrawer<Reasoned>()
  const markers = useDrawer<MarkersOf>()
  const print = useDrawer<Setup>()
  const place = useDrawer<{ batchId?: number }>()
  const batchId = Number(table.filters.batchId) || undefined
  const of = batchId === undefined ? '' : `?batchId=${batchId}`
  const editing = (row: Setup): RowAction => ({
    label: '编辑',
    do: editOfflineSetup,
    disabled: can.edit(row),
    onClick: () => navigate(`${paths.offlineExam}?id=${row.id}`),
  })
  return (
    <Page title="线下考试列表" help="在考场书写的考试；安排后提交审核，通过后编排座位并发布。">
      <FilterBar table={table}>
        <TextFilter of={listOfflineSetups} field="name" />
        {isSchool ? (
          <OptionFilter of={listOfflineSetups} field="batchId" {...allBatches} />
        ) : (
          <TextFilter of={listOfflineSetups} field="batchText" />
        )}
        {isSchool ? (
          <OptionFilter of={listOfflineSetups} field="semesterId" {...semesters} />
        ) : (
          <TextFilter of={listOfflineSetups} field="semesterText" />
        )}
        {isSchool ? (
          <OptionFilter of={listOfflineSetups} field="courseId" {...courses} />
        ) : (
          <TextFilter of={listOfflineSetups} field="courseText" />
        )}
        <EnumFilter of={listOfflineSetups} field="status" />
        <EnumFilter of={listOfflineSetups} field="round" />
        <EnumFilter of={listOfflineSetups} field="assessMode" />
        <OptionFilter of={listOfflineSetups} field="sessionId" {...sessionsOf(batchId)} />
        <OptionFilter of={listOfflineSetups} field="siteId" {...sites} />
        <OptionFilter of={listOfflineSetups} field="classId" {...classes} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={saveOfflineSetup}>
              <Button
                type="primary"
                icon={<IconPlus />}
                onClick={() =>
                  navigate(`${paths.offlineExam}?new=true${batchId === undefined ? '' : `&batchId=${batchId}`}`)
                }
              >
                新增考试
              </Button>
            </Can>
            <Can do={saveOfflineSetups}>
              <Button onClick={() => navigate(`${paths.offlineExamsByCourse}${of}`)}>按课程添加</Button>
            </Can>
            <Can do={listMakeupCandidates}>
              <Button onClick={() => navigate(`${paths.makeups}${of}`)}>补考</Button>
            </Can>
          </Space>
        }
        tools={
          <>
            <AutoSession drawer={place} batchId={batchId} />
            {isSchool && (
              <MoreTools of={[saveOfflineSetup]}>
                <Button onClick={() => navigate(`${paths.offlineExam}${of}`)}>考试日历</Button>
              </MoreTools>
            )}
            <ExportButton do={exportOfflineSetups} table={table} />
          </>
        }
        bulk={[
          bulkStep(submitOfflineSetups, {
            label: '批量提交',
            confirm: (count) => ({
              title: `提交选中的${formatNumber(count)}场考试？`,
              content: '提交后由其他人员审核；没有场次、班级或考生的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          bulkStep(publishOfflineSetups, {
            label: '批量发布',
            confirm: (count) => ({
              title: `发布选中的${formatNumber(count)}场考试？`,
              content: '考生收到通知；还有考生未编排座位的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
          bulkStep(deleteOfflineSetups, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('考试'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => <OfflineExamFile exam={row} />}
        actionsWidth={220}
        actions={(row) =>
          byState([
            ...(isSchool && row.status === 'draft' ? [editing(row)] : []),
            ...stepsOf(row, reason.open),
            ...(isSchool
              ? [
                  {
                    label: '考生',
                    do: listOfflineCandidates,
                    onClick: () => navigate(`${paths.offlineExam}?id=${row.id}&tab=candidates`),
                  },
                ]
              : []),
            {
              label: '分配阅卷',
              do: assignExamMarkers,
              onClick: () => markers.open({ setupId: row.id, setupName: row.name }),
            },
            {
              label: '打印试卷',
              do: printOfflinePaper,
              disabled: row.slots.length > 0 ? undefined : '没有选择试卷',
              onClick: () => print.open(row),
            },
            ...(isSchool && row.status !== 'draft' ? [editing(row)] : []),
            { ...removal(deleteOfflineSetup, row), disabled: can.remove(row) },
            { label: '查看', do: viewOfflineSetup, onClick: () => table.open(row) },
          ])
        }
        empty="还没有线下考试。先设置考试场次，再新增考试或按课程添加。"
      />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
      <AssignMarkers key={`markers-${markers.key}`} {...markers.props} />
      <PrintPaper key={`print-${print.key}`} {...print.props} />
    </Page>
  )
}
