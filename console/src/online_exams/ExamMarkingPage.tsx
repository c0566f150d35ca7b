import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useSchoolContext } from '@/api/schoolContext'
import { classes, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { AssignMarkers, type MarkersOf } from '@/exams/AssignMarkers'
import { assignExamMarkers } from '@/exams/api'
import { allBatches, setupsOf } from '@/exams/choices'
import { attendanceTones, levelTones, markingTones } from '@/exams/examRules'
import { score } from '@/homework/homeworkRules'
import { byState, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { ProgressBar } from '@/kit/ProgressBar'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { AttemptFile } from './AttemptFile'
import {
  assignExamSheets,
  exportExamMarking,
  exportExamRecords,
  finishExamMarking,
  listExamMarking,
  listExamRecords,
  rejudgeExam,
  saveExamMarks,
  transferExamScores,
  viewAttempt,
  viewExamRecord,
} from './api'
import { ExamRejudge } from './ExamRejudge'
import { attemptTones, canMark, type ExamRecord, markedPercent, riskTones } from './onlineRules'

const columns = columnsOf(listExamMarking, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'courseName', under: 'name' },
  { field: 'markingStatus', title: '阅卷', width: 100, fixed: 'left', tones: markingTones },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'markingMode', width: 84 },
  { field: 'subjectiveCount', width: 90 },
  { field: 'sheetCount', width: 70 },
  { field: 'markedCount', width: 70 },
  {
    field: 'id',
    title: '进度',
    width: 150,
    align: 'left',
    render: (row) => <ProgressBar label={`${row.name}的阅卷进度`} percent={markedPercent(row)} />,
  },
  { field: 'arbitrationCount', width: 80 },
  { field: 'markerCount', width: 90 },
  { field: 'overdueCount', width: 90 },
  { field: 'endsAt', width: 170, hidden: true },
])

interface TabProps {
  onSheets: (setupId: number) => void
}

/** 阅卷任务: what is to be marked of each examination. */
const Tasks = ({ onSheets }: TabProps) => {
  const table = useQueryTable(listExamMarking)
  const navigate = useNavigate()
  const isSchool = useSchoolContext().area === 'school'
  const markers = useDrawer<MarkersOf>()
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listExamMarking} field="batchId" {...allBatches} />
        <OptionFilter of={listExamMarking} field="courseId" {...courses} />
        <OptionFilter of={listExamMarking} field="teacherId" {...teachers} />
        <EnumFilter of={listExamMarking} field="markingStatus" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        tools={<ExportButton do={exportExamMarking} table={table} />}
        actionsWidth={230}
        actions={(row) =>
          byState([
            ...(isSchool
              ? [
                  {
                    label: '开始阅卷',
                    do: saveExamMarks,
                    disabled: canMark.begin(row),
                    onClick: () => navigate(`${paths.markPapers}?setupId=${row.id}`),
                  },
                ]
              : []),
            {
              label: '分配阅卷',
              do: assignExamMarkers,
              disabled: row.markingStatus === 'transferred' ? '成绩已转入' : undefined,
              onClick: () => markers.open({ setupId: row.id, setupName: row.name }),
            },
            step(assignExamSheets, {
              label: '分发答卷',
              disabled: canMark.begin(row),
              with: { body: { setupId: row.id } },
              confirm: {
                title: `分发“${row.name}”的答卷？`,
                content: '把还没有分配的答卷按阅卷教师的范围和上限分配。',
              },
              done: '已分发答卷',
            }),
            step(finishExamMarking, {
              label: '完成阅卷',
              disabled: canMark.finish(row),
              with: { body: { setupId: row.id } },
              confirm: { title: `完成“${row.name}”的阅卷？`, content: '完成后可以转入成绩。' },
              done: '已完成阅卷',
            }),
            step(transferExamScores, {
              label: '转入成绩',
              disabled: canMark.transfer(row),
              with: { body: { setupId: row.id } },
              confirm: {
                title: `转入“${row.name}”的成绩？`,
                content: '写入各班的成绩登记表；成绩登记表提交前可以重复转入。',
              },
              done: ({ rows, sheetIds }) =>
                `已转入${formatNumber(rows)}名考生的成绩，涉及${formatNumber(sheetIds.length)}张成绩登记表`,
            }),
            { label: '更正答案', do: rejudgeExam, onClick: () => onSheets(row.id) },
            { label: '答卷', do: listExamRecords, onClick: () => onSheets(row.id) },
          ])
        }
        empty="没有需要阅卷的考试。考试结束后，有主观题的答卷在这里等待阅卷。"
      />
      <AssignMarkers key={`markers-${markers.key}`} {...markers.props} />
    </>
  )
}

const recordColumns = columnsOf(listExamRecords, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'markState', width: 84, fixed: 'left', tones: attemptTones },
  { field: 'setupName', width: 200 },
  { field: 'courseName', width: 160 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'siteName', title: '站点', width: 130 },
  { field: 'round', title: '性质', width: 84 },
  { field: 'startedAt', width: 170 },
  { field: 'submittedAt', width: 170 },
  { field: 'minutes', width: 80 },
  { field: 'submitKind', width: 100 },
  { field: 'objectiveScore', title: '客观题', width: 80, render: (row) => score(row.objectiveScore) },
  { field: 'subjectiveScore', title: '主观题', width: 80, render: (row) => score(row.subjectiveScore) },
  { field: 'totalScore', width: 90, render: (row) => score(row.totalScore) },
  { field: 'percentScore', width: 100, render: (row) => score(row.percentScore) },
  { field: 'attendance', width: 84, tones: attendanceTones },
  { field: 'switchCount', width: 84 },
  { field: 'riskLevel', width: 84, tones: riskTones },
  { field: 'violationLevel', width: 84, tones: levelTones },
  { field: 'batchName', title: '批次', width: 200, hidden: true },
  { field: 'courseCode', width: 100, hidden: true },
  { field: 'gradeName', title: '年级', width: 84, hidden: true },
  { field: 'levelName', title: '层次', width: 84, hidden: true },
  { field: 'majorName', title: '专业', width: 140, hidden: true },
  { field: 'ip', width: 130, hidden: true },
])

/** 答卷: the sheets with their marks. */
const Sheets = () => {
  const table = useQueryTable(listExamRecords)
  const navigate = useNavigate()
  const allowed = useAllowed()
  const isSchool = useSchoolContext().area === 'school'
  const [corrected, setCorrected] = useState<ExamRecord>()
  const batchId = Number(table.filters.batchId) || undefined
  const mark = (row: ExamRecord) =>
    navigate(`${paths.markPapers}?setupId=${table.filters.setupId}&sheetId=${row.sheetId}`)
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listExamRecords} field="batchId" {...allBatches} />
        <OptionFilter of={listExamRecords} field="setupId" {...setupsOf(batchId)} />
        <OptionFilter of={listExamRecords} field="courseId" {...courses} />
        <EnumFilter of={listExamRecords} field="status" only={['in_progress', 'submitted', 'marked', 'void']} />
        <OptionFilter of={listExamRecords} field="siteId" {...sites} />
        <OptionFilter of={listExamRecords} field="classId" {...classes} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={recordColumns}
        nameOf={({ name, setupName }) => `${name}《${setupName}》`}
        tools={<ExportButton do={exportExamRecords} table={table} />}
        file={allowed(viewAttempt) ? (row) => <AttemptFile row={row} /> : undefined}
        actions={(row) =>
          byState([
            ...(isSchool && table.filters.setupId && row.sheetId
              ? [
                  {
                    label: '批阅',
                    do: saveExamMarks,
                    disabled:
                      row.markState === 'submitted' || row.markState === 'marked' ? undefined : '答卷还没有提交',
                    onClick: () => mark(row),
                  },
                ]
              : []),
            {
              label: '更正答案',
              do: rejudgeExam,
              disabled: row.sheetId ? undefined : '没有答卷',
              onClick: () => setCorrected(row),
            },
            { label: '查看', do: viewExamRecord, onClick: () => table.open(row) },
          ])
        }
        empty="没有符合条件的答卷。"
      />
      {corrected?.sheetId && (
        <ExamRejudge
          sheetId={corrected.sheetId}
          name={`${corrected.name}《${corrected.setupName}》的答卷`}
          onClose={() => setCorrected(undefined)}
        />
      )}
    </>
  )
}

const TASKS = 'tasks'
const SHEETS = 'sheets'

/** 考试阅卷: how far each examination is marked, and its sheets (04 §2.4). */
export const ExamMarkingPage = () => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  const tabs = (
    [
      [TASKS, '阅卷任务', listExamMarking],
      [SHEETS, '答卷', listExamRecords],
    ] as const
  ).flatMap(([value, label, operation]) => (allowed(operation) ? [[value, label] as const] : []))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? TASKS
  return (
    <Page title="考试阅卷" help="客观题交卷时自动评分，主观题分配给阅卷教师；全部阅完后转入成绩登记表。" personal>
      <div className="list-tabs">
        <TabList
          label="考试阅卷"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === TASKS ? undefined : next)}
        />
      </div>
      {tab === TASKS ? <Tasks onSheets={(setupId) => setTab(SHEETS, { setupId: String(setupId) })} /> : <Sheets />}
    </Page>
  )
}
