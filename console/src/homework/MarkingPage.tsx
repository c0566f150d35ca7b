import { Button, Space, Switch } from '@arco-design/web-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { InSemester, SemesterFilter } from '@/course_opening/SemesterFilter'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, NumberFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import { MoreTools } from '@/kit/MoreTools'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  assignSheets,
  exportMarking,
  findSimilarSheets,
  listMarking,
  listMarkingProgress,
  listSimilarSheets,
  listStudentHomework,
  rejudgeQuestion,
  releaseSheet,
  returnSheets,
  submitMarks,
  viewSheet,
} from './api'
import { homeworks } from './choices'
import { score } from './homeworkRules'
import { MarkersProgress } from './MarkersProgress'
import { type Assigned, AssignForm, SimilarityForm } from './MarkingForms'
import { type Sheet, sheetName, sheetTones } from './markingRules'
import { RejudgeDrawer } from './RejudgeDrawer'
import { type Returned, ReturnForm } from './ReturnForm'
import { SheetFile } from './SheetFile'
import { SimilarPairs } from './SimilarPairs'

const trail = historyOf(viewSheet, 'answer_sheet')

const columns = columnsOf(listMarking, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'markState', title: '状态', width: 84, fixed: 'left', tones: sheetTones },
  { field: 'title', title: '作业', width: 180 },
  { field: 'courseName', under: 'title' },
  { field: 'className', title: '班级', width: 150 },
  { field: 'attemptNo', title: '次数', width: 64 },
  { field: 'submittedAt', title: '提交时间', width: 170 },
  { field: 'late', title: '迟交', width: 64 },
  { field: 'objectiveScore', title: '客观分', width: 80, render: (row) => score(row.objectiveScore) },
  { field: 'subjectiveScore', title: '主观分', width: 80, render: (row) => score(row.subjectiveScore) },
  {
    field: 'totalScore',
    title: '得分',
    width: 110,
    render: ({ totalScore, fullScore }) => `${score(totalScore)} / ${score(fullScore)}`,
  },
  {
    field: 'similarity',
    title: '相似度',
    width: 80,
    render: ({ similarity }) => formatPercent(similarity),
  },
  { field: 'markerName', title: '批阅教师', width: 100 },
  { field: 'markedByName', title: '批阅人', width: 100 },
  { field: 'markedAt', title: '批阅时间', width: 170 },
  { field: 'lockedByName', title: '正在批阅', width: 100 },
  {
    field: 'overdue',
    title: '超期',
    width: 70,
    hidden: true,
    render: ({ overdue }) => (overdue ? <Word tone="bad">是</Word> : '否'),
  },
  { field: 'markDueAt', title: '批阅截止', width: 170, hidden: true },
  { field: 'siteName', width: 130, hidden: true },
  { field: 'gradeName', width: 84, hidden: true },
  { field: 'majorName', width: 140, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
])

/** Of whom nobody shall know who they are. */
const hidden = new Set(['name', 'studentNo', 'className', 'siteName', 'gradeName', 'majorName'])
const anonymousColumns = columns.filter(({ key }) => !hidden.has(key))

interface ListProps {
  semester: Choice | undefined
  beside: { tabs: readonly (readonly [value: string, label: string])[]; onChoose: (tab: string) => void }
}

const Sheets = ({ semester, beside }: ListProps) => {
  const table = useQueryTable(listMarking, { usual: { semesterId: semester?.code, tab: 'pending' } })
  const navigate = useNavigate()
  const context = useSchoolContext()
  const isSchool = context.area === 'school'
  const [anonymous, setAnonymous] = useState(false)
  const assign = useDrawer<Assigned>()
  const similar = useDrawer<{ homeworkId?: number }>()
  const back = useDrawer<Returned>()
  const [corrected, setCorrected] = useState<Sheet>()
  const homeworkId = Number(table.filters.homeworkId) || undefined
  const done = (failed: { id: number }[] = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection())
  const named = (row: Sheet) => (anonymous ? `第${row.id}号答卷` : sheetName(row))
  const mark = (row: Sheet) => navigate(`${paths.workPaper}?sheetId=${row.id}${anonymous ? '&anonymous=true' : ''}`)
  const first = table.rows.find(({ markState, lockedByName }) => markState === 'submitted' && !lockedByName)
  const markings = (row: Sheet): RowAction[] =>
    isSchool && (row.markState === 'submitted' || row.markState === 'marked')
      ? [{ label: '批阅', do: submitMarks, onClick: () => mark(row) }]
      : []
  return (
    <>
      <Segments table={table} field="tab" label="批阅状态" usual="pending" beside={beside} />
      <FilterBar table={table}>
        <SemesterFilter of={listMarking} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listMarking} field="keyword" label="姓名或学号" />
        <OptionFilter of={listMarking} field="courseId" {...courses} />
        <OptionFilter of={listMarking} field="homeworkId" label="作业" {...homeworks} />
        <OptionFilter of={listMarking} field="classId" {...classes} />
        <OptionFilter of={listMarking} field="markerId" label="批阅教师" {...teachers} />
        <OptionFilter of={listMarking} field="siteId" {...sites} />
        <OptionFilter of={listMarking} field="gradeId" {...grades} />
        <OptionFilter of={listMarking} field="majorId" {...majors} />
        <SelectFilter
          of={listMarking}
          field="late"
          label="迟交"
          options={[
            { value: 'true', label: '迟交' },
            { value: 'false', label: '按时' },
          ]}
        />
        <NumberFilter of={listMarking} field="similarityFrom" />
        <DateRangeFilter of={listMarking} from="submittedFrom" to="submittedTo" label="提交时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={anonymous ? anonymousColumns : columns}
        nameOf={named}
        primary={
          isSchool && (
            <Can do={submitMarks}>
              <Button type="primary" disabled={!first} onClick={() => first && mark(first)}>
                连续批阅
              </Button>
            </Can>
          )
        }
        tools={
          <Space size={4}>
            <Switch aria-label="匿名批阅" size="small" checked={anonymous} onChange={setAnonymous} />
            匿名批阅
            {!isOverAll(context) && (
              <MoreTools of={[assignSheets, findSimilarSheets]}>
                <Can do={assignSheets}>
                  <Button onClick={() => assign.open({ homeworkId, done: table.clearSelection })}>分配批阅</Button>
                </Can>
                <Can do={findSimilarSheets}>
                  <Button onClick={() => similar.open({ homeworkId })}>相似检测</Button>
                </Can>
              </MoreTools>
            )}
            <ExportButton do={exportMarking} table={table} />
          </Space>
        }
        bulk={[
          {
            label: '批量分配',
            do: assignSheets,
            open: (ids) => assign.open({ sheetIds: [...ids], done: table.clearSelection }),
          },
          {
            label: '批量退回',
            do: returnSheets,
            open: (ids) => back.open({ sheetIds: [...ids], title: `退回选中的${ids.length}份答卷`, done }),
          },
        ]}
        file={(row) => (
          <>
            <SheetFile id={row.id} />
            {!anonymous && trail(row)}
          </>
        )}
        actionsWidth={200}
        actions={(row) => [
          ...markings(row),
          { label: '查看', do: viewSheet, onClick: () => table.open(row) },
          {
            label: '转交',
            do: assignSheets,
            disabled: row.markState === 'submitted' ? undefined : '只有待批阅的可以转交',
            onClick: () => assign.open({ sheetIds: [row.id], done: table.clearSelection }),
          },
          {
            label: '退回',
            do: returnSheets,
            danger: true,
            disabled: row.markState === 'returned' ? '已退回' : undefined,
            onClick: () => back.open({ sheetIds: [row.id], title: `退回 ${named(row)}`, done }),
          },
          step(releaseSheet, {
            label: '释放',
            disabled: row.lockedByName ? undefined : '没有人正在批阅',
            with: { body: { sheetId: row.id } },
            done: '已释放答卷',
          }),
          { label: '更正答案', do: rejudgeQuestion, onClick: () => setCorrected(row) },
        ]}
        empty="没有符合条件的答卷。学生提交后，主观题在这里等待批阅。"
      />
      <AssignForm key={`assign-${assign.key}`} {...assign.props} />
      <SimilarityForm key={`similar-${similar.key}`} {...similar.props} />
      <ReturnForm key={`back-${back.key}`} {...back.props} />
      {corrected && <RejudgeDrawer sheet={corrected} name={named(corrected)} onClose={() => setCorrected(undefined)} />}
    </>
  )
}

const SHEETS = 'sheets'
const MISSED = 'missed'
const PAIRS = 'pairs'
const PROGRESS = 'progress'

/** 作业批阅: what waits for a mark, who marks how much, what is alike (03 B7). */
export const MarkingPage = () => {
  const [asked, setTab] = usePageTab()
  const [search] = useAddress()
  const allowed = useAllowed()
  const navigate = useNavigate()
  const places = usePlaces()
  const isSchool = useSchoolContext().area === 'school'
  const others: (readonly [string, string])[] = [
    ...(allowed(listStudentHomework) ? [[MISSED, '缺交'] as const] : []),
    // Of one school's sheets only.
    ...(allowed(listSimilarSheets) && isSchool ? [[PAIRS, '相似对照'] as const] : []),
    ...(allowed(listMarkingProgress) ? [[PROGRESS, '批阅进度'] as const] : []),
  ]
  const tab = asked === PAIRS || asked === PROGRESS ? asked : SHEETS
  const asking = (name: string) => Number(search.get(name)) || undefined
  const choose = (next: string) => {
    if (next !== MISSED) return setTab(next === SHEETS ? undefined : next)
    const of = { semesterId: asking('semesterId'), courseId: asking('courseId'), homeworkId: asking('homeworkId') }
    navigate(places('studentHomework', { state: MISSED, ...of }))
  }
  return (
    <Page title="作业批阅" help="客观题提交时自动评分，主观题在这里批阅；可以分配、退回、检测相似。" personal>
      {tab !== SHEETS && (
        <div className="list-tabs">
          <TabList label="批阅状态" tabs={[[SHEETS, '答卷'], ...others]} value={tab} onChange={choose} />
        </div>
      )}
      {tab === PAIRS ? (
        <SimilarPairs />
      ) : (
        <InSemester>
          {(semester) =>
            tab === PROGRESS ? (
              <MarkersProgress key={semester?.code} semester={semester} />
            ) : (
              <Sheets key={semester?.code} semester={semester} beside={{ tabs: others, onChoose: choose }} />
            )
          }
        </InSemester>
      )}
    </Page>
  )
}
