import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useSchoolContext } from '@/api/schoolContext'
import { classes, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { AssignMarkers, type MarkersOf } from '@/exams/AssignMarkers'
import { assignExamMarkers } from '@/exams/api'
import { allBatches } from '@/exams/choices'
import { markingTones, phaseTones, type Setup, setupTones, timeWords } from '@/exams/examRules'
import { bulkStep, byState, itemOf, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { askRemoval, removal } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  cancelOnlineSetup,
  closeOnlineSetup,
  deleteOnlineSetup,
  deleteOnlineSetups,
  editOnlineSetup,
  exportOnlineSetups,
  listAttempts,
  listExamMarking,
  listOnlineCandidates,
  listOnlineSetups,
  publishOnlineSetups,
  reopenOnlineSetup,
  saveOnlineSetup,
  saveOnlineSetups,
  viewOnlineSetup,
  withdrawOnlineSetup,
} from './api'
import { OnlineExamFacts } from './OnlineExamFacts'
import { can } from './onlineRules'
import { ReopenForm } from './ReopenForm'

const trail = historyOf(viewOnlineSetup, 'exam_setup')

const columns = columnsOf(listOnlineSetups, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'courseName', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: setupTones },
  { field: 'phase', width: 84, fixed: 'left', tones: phaseTones },
  { field: 'markingStatus', title: '阅卷', width: 100, tones: markingTones },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'round', title: '性质', width: 84 },
  {
    field: 'startsAt',
    title: '开放时间',
    width: 250,
    render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt),
  },
  { field: 'durationMinutes', title: '时长', width: 70 },
  { field: 'slots', width: 80 },
  { field: 'candidateCount', width: 70 },
  { field: 'presentCount', title: '实考', width: 70 },
  { field: 'absentCount', width: 70 },
  { field: 'highRiskCount', width: 80 },
  { field: 'disqualifiedCount', width: 90, hidden: true },
  { field: 'violationCount', width: 70, hidden: true },
  { field: 'classCount', width: 80, hidden: true },
  { field: 'courseCode', width: 100, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'publishedAt', width: 170, hidden: true },
  { field: 'reopenedUntil', width: 170, hidden: true },
  { field: 'cancelReason', width: 180, hidden: true },
  { field: 'createdByName', width: 90, hidden: true },
  { field: 'createdAt', width: 170, hidden: true },
])

/** What leads an examination on, by its state. */
const stepsOf = (row: Setup, reason: (wish: Reasoned) => void, reopen: (row: Setup) => void): RowAction[] => {
  const { name } = row
  const cancel: RowAction = {
    label: '取消',
    do: cancelOnlineSetup,
    danger: true,
    disabled: can.cancel(row),
    onClick: () =>
      reason({
        do: cancelOnlineSetup,
        title: `取消 ${name}`,
        verb: '取消考试',
        hint: '已有的答卷作废，考生收到通知；取消后不能恢复。',
        done: '已取消考试',
        danger: true,
        body: itemOf(row),
      }),
  }
  if (row.status === 'draft')
    return [
      step(publishOnlineSetups, {
        label: '发布',
        disabled: can.publish(row),
        with: { body: { items: [itemOf(row)] } },
        confirm: { title: `发布“${name}”？`, content: '试卷随之定稿并分发，考生收到通知；考生进入后不能撤回。' },
        done: `已发布“${name}”`,
      }),
      cancel,
    ]
  if (row.status === 'published')
    return [
      step(closeOnlineSetup, {
        label: '结束',
        danger: true,
        disabled: can.close(row),
        with: { body: itemOf(row) },
        confirm: { title: `结束“${name}”？`, content: '没有作答中的答卷时可以结束；没有答卷的考生记为缺考。' },
        done: `已结束“${name}”`,
      }),
      step(withdrawOnlineSetup, {
        label: '撤回',
        danger: true,
        disabled: can.withdraw(row),
        with: { body: itemOf(row) },
        confirm: { title: `撤回“${name}”？`, content: '没有考生进入、距开考超过10分钟时可以撤回为草稿。' },
        done: `已撤回“${name}”`,
      }),
      cancel,
    ]
  if (row.status === 'closed')
    return [{ label: '延长重开', do: reopenOnlineSetup, disabled: can.reopen(row), onClick: () => reopen(row) }]
  return []
}

/** 在线考试列表: what is examined on the net, and the steps with it (04 §2.4). */
export const OnlineExamsPage = () => {
  const table = useQueryTable(listOnlineSetups)
  const navigate = useNavigate()
  const places = usePlaces()
  const isSchool = useSchoolContext().area === 'school'
  const reason = useDrawer<Reasoned>()
  const reopen = useDrawer<Setup>()
  const markers = useDrawer<MarkersOf>()
  const begin = (path: string) => {
    const { batchId, courseId, semesterId } = table.filters
    const given = Object.entries({ batchId, courseId, semesterId }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    )
    const asked = new URLSearchParams(given)
    navigate(asked.size > 0 ? `${path}?${asked}` : path)
  }
  const actions = (row: Setup): RowAction[] => {
    const steps = stepsOf(row, reason.open, reopen.open)
    const watching: RowAction = {
      label: '监考',
      do: listAttempts,
      disabled: row.status === 'draft' ? '考试还没有发布' : undefined,
      onClick: () => navigate(places('examAttempts', { setupId: row.id })),
    }
    const marking: RowAction = {
      label: '阅卷',
      do: listExamMarking,
      disabled: row.status === 'closed' ? undefined : '考试结束后阅卷',
      onClick: () => navigate(places('examMarking', { courseId: row.courseId, batchId: row.batchId })),
    }
    return [
      ...(row.status === 'draft' ? steps : row.status === 'published' ? [watching, marking] : [marking, watching]),
      {
        label: '设置',
        do: viewOnlineSetup,
        onClick: () => navigate(places('onlineExam', { id: row.id })),
      },
      {
        label: '考生',
        do: listOnlineCandidates,
        onClick: () => navigate(places('onlineExam', { id: row.id, tab: 'candidates' })),
      },
      {
        label: '分配阅卷',
        do: assignExamMarkers,
        onClick: () => markers.open({ setupId: row.id, setupName: row.name }),
      },
      ...(row.status === 'draft' ? [watching, marking] : steps),
      {
        label: '编辑',
        do: editOnlineSetup,
        disabled: row.status === 'draft' || row.status === 'published' ? undefined : '已结束和已取消的考试不能修改',
        onClick: () => navigate(places('onlineExam', { id: row.id })),
      },
      { ...removal(deleteOnlineSetup, row), disabled: can.remove(row) },
    ]
  }
  return (
    <Page title="在线考试列表" help="学生在客户端作答的考试；发布后试卷定稿，结束后阅卷并转入成绩。">
      <FilterBar table={table}>
        <TextFilter of={listOnlineSetups} field="name" />
        {isSchool ? (
          <OptionFilter of={listOnlineSetups} field="batchId" {...allBatches} />
        ) : (
          <TextFilter of={listOnlineSetups} field="batchText" />
        )}
        {isSchool ? (
          <OptionFilter of={listOnlineSetups} field="semesterId" {...semesters} />
        ) : (
          <TextFilter of={listOnlineSetups} field="semesterText" />
        )}
        {isSchool ? (
          <OptionFilter of={listOnlineSetups} field="courseId" {...courses} />
        ) : (
          <TextFilter of={listOnlineSetups} field="courseText" />
        )}
        <EnumFilter of={listOnlineSetups} field="status" only={['draft', 'published', 'closed', 'cancelled']} />
        <EnumFilter of={listOnlineSetups} field="phase" />
        <EnumFilter of={listOnlineSetups} field="markingStatus" />
        <EnumFilter of={listOnlineSetups} field="round" />
        <OptionFilter of={listOnlineSetups} field="classId" {...classes} />
        <OptionFilter of={listOnlineSetups} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <Space size={8}>
            <Can do={saveOnlineSetup}>
              <Button type="primary" icon={<IconPlus />} onClick={() => begin(paths.onlineExamAdd)}>
                新增考试
              </Button>
            </Can>
            <Can do={saveOnlineSetups}>
              <Button onClick={() => begin(paths.onlineExamBatch)}>批量设置</Button>
            </Can>
          </Space>
        }
        tools={<ExportButton do={exportOnlineSetups} table={table} />}
        bulk={[
          bulkStep(publishOnlineSetups, {
            label: '批量发布',
            confirm: (count) => ({
              title: `发布选中的${formatNumber(count)}场考试？`,
              content: '试卷随之定稿并分发，考生收到通知；不能发布的会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(deleteOnlineSetups, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('考试'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(row) => (
          <>
            <OnlineExamFacts exam={row} />
            {trail(row)}
          </>
        )}
        actionsWidth={220}
        actions={(row) => byState(actions(row))}
        empty="还没有在线考试。先新增考试批次，再新增考试或批量设置。"
      />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
      <ReopenForm key={`reopen-${reopen.key}`} {...reopen.props} />
      <AssignMarkers key={`markers-${markers.key}`} {...markers.props} />
    </Page>
  )
}
