import { Button, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { tellWarning } from '@/api/errors'
import { teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { AssignMarkers, type MarkersOf } from './AssignMarkers'
import {
  assignExamMarkers,
  autoExamMarkers,
  deleteExamMarker,
  exportExamMarkers,
  listExamMarkers,
  remindExamMarkers,
  viewExamMarkers,
} from './api'
import { allBatches, setupsOf } from './choices'
import { isOverdue, type Marker, markerTones, progressWords, whyKept } from './examRules'
import { MarkersOfSetup } from './MarkersOfSetup'

const byTeacher = columnsOf(listExamMarkers, [
  { field: 'teacherName', title: '教师', width: 110, fixed: 'left' },
  { field: 'workNo', under: 'teacherName' },
  { field: 'status', width: 84, fixed: 'left', tones: markerTones },
  { field: 'setupName', title: '考试', width: 220 },
  { field: 'courseName', title: '课程', width: 160 },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'mode', width: 84 },
  { field: 'scope', width: 90 },
  { field: 'assigned', title: '已阅/应阅', width: 100, render: progressWords },
  { field: 'quota', width: 90 },
  { field: 'arbiter', width: 70 },
  {
    field: 'deadlineAt',
    width: 170,
    render: (row) => (
      <Space size={4}>
        {formatTime(row.deadlineAt) || '—'}
        {isOverdue(row, Date.now()) && <Word tone="bad">超期</Word>}
      </Space>
    ),
  },
  { field: 'remindedAt', width: 170 },
  { field: 'questionSeqs', width: 140, hidden: true },
])

const byExam = [
  ...byTeacher.filter(({ key }) => key === 'setupName').map((column) => ({ ...column, fixed: 'left' as const })),
  ...byTeacher
    .filter(({ key }) => key !== 'setupName')
    .map((column) => (column.key === 'status' ? column : { ...column, fixed: undefined })),
]

const SETUPS = 'setups'
const TEACHERS = 'teachers'
const tabs = [
  [SETUPS, '按考试'],
  [TEACHERS, '按教师'],
] as const

const markerName = ({ teacherName, setupName }: Marker) => `${teacherName}《${setupName}》`

const Markers = ({ tab }: { tab: string }) => {
  const table = useQueryTable(listExamMarkers)
  const assign = useDrawer<MarkersOf>()
  const [looked, setLooked] = useState<number>()
  const batchId = Number(table.filters.batchId) || undefined
  const setupId = Number(table.filters.setupId) || undefined
  const remind = useAction(remindExamMarkers, {
    done: ({ told }) => `已催办${formatNumber(told)}名教师`,
    onDone: table.clearSelection,
  })
  const auto = useAction(autoExamMarkers, {
    done: ({ given }) => `已按任课安排分配${formatNumber(given)}名教师`,
    onDone: ({ without }) => {
      if (without.length > 0) tellWarning(`没有任课教师，请手工分配：${without.join('、')}`)
    },
  })
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listExamMarkers} field="batchId" {...allBatches} />
        <OptionFilter of={listExamMarkers} field="setupId" {...setupsOf(batchId)} />
        <OptionFilter of={listExamMarkers} field="teacherId" {...teachers} />
        <OptionFilter of={listExamMarkers} field="courseId" {...courses} />
        <EnumFilter of={listExamMarkers} field="mode" />
        <EnumFilter of={listExamMarkers} field="status" />
        <SelectFilter
          of={listExamMarkers}
          field="overdue"
          options={[
            { value: 'true', label: '超期' },
            { value: 'false', label: '未超期' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={tab === TEACHERS ? byTeacher : byExam}
        nameOf={markerName}
        primary={
          <Space size={8}>
            <Can do={assignExamMarkers}>
              <Button type="primary" onClick={() => assign.open(setupId ? { setupId } : {})}>
                分配阅卷教师
              </Button>
            </Can>
            <Can do={autoExamMarkers}>
              <Button
                disabled={!setupId}
                title={setupId ? undefined : '请先在筛选中选择考试'}
                loading={auto.isPending}
                onClick={() => setupId && auto.mutate({ body: { setupIds: [setupId] } })}
              >
                自动分配
              </Button>
            </Can>
          </Space>
        }
        tools={<ExportButton do={exportExamMarkers} table={table} />}
        bulk={[
          {
            label: '批量催办',
            do: remindExamMarkers,
            open: (ids) => remind.mutate({ body: { setupIds: [], markerIds: [...ids] } }),
          },
        ]}
        actions={(row) => [
          {
            label: '进度',
            do: viewExamMarkers,
            onClick: () => setLooked(row.setupId),
          },
          {
            label: '分配',
            do: assignExamMarkers,
            onClick: () => assign.open({ setupId: row.setupId, setupName: row.setupName }),
          },
          step(remindExamMarkers, {
            label: '催办',
            disabled: row.status === 'finished' ? '已完成阅卷' : undefined,
            with: { body: { setupIds: [], markerIds: [row.id] } },
            done: ({ told }) => `已催办${formatNumber(told)}名教师`,
          }),
          step(deleteExamMarker, {
            label: '移除',
            danger: true,
            disabled: whyKept(row),
            with: { query: { id: row.id } },
            confirm: { title: `移除阅卷教师“${markerName(row)}”？`, content: '分给该教师的答卷需要重新分配。' },
            done: '已移除阅卷教师',
          }),
        ]}
        empty="还没有阅卷教师。选择考试后分配教师，或按任课安排自动分配；线下考试的阅卷教师也是成绩登记人。"
      />
      <AssignMarkers key={`assign-${assign.key}`} {...assign.props} />
      {looked !== undefined && <MarkersOfSetup setupId={looked} onClose={() => setLooked(undefined)} />}
    </>
  )
}

/** 阅卷教师: who marks which examination, and how far they are; for both ways (04 §4.4). */
export const MarkersPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = asked === TEACHERS ? TEACHERS : SETUPS
  return (
    <Page title="阅卷教师" help="为每场考试分配阅卷教师、范围和截止时间；线下考试的阅卷教师登记所阅班级的成绩。">
      <div className="list-tabs">
        <TabList
          label="阅卷教师"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === SETUPS ? undefined : next)}
        />
      </div>
      <Markers key={tab} tab={tab} />
    </Page>
  )
}
