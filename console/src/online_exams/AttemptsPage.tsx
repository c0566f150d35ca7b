import { Alert, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { classes, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { listDeferrals, listViolations, saveViolation } from '@/exams/api'
import { allBatches, setupsOf } from '@/exams/choices'
import { Deferrals } from '@/exams/Deferrals'
import { attendanceTones, eligibilityTones, levelTones } from '@/exams/examRules'
import { type Reported, ViolationForm, Violations } from '@/exams/Violations'
import { score } from '@/homework/homeworkRules'
import type { RowAction } from '@/kit/actions'
import { byState } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { AttemptFile } from './AttemptFile'
import {
  countAttempts,
  exportExamRecords,
  extendAttempts,
  forceAttempts,
  listAttempts,
  releaseDevice,
  viewAttempt,
  voidAttempts,
  warnAttempts,
} from './api'
import { isSilent, leftWords, WATCH_MS, watchEvery } from './examClock'
import { type Attempt, attemptTones, canSheet, riskTones, sheetsOf } from './onlineRules'
import './onlineExams.css'

const columns = columnsOf(listAttempts, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  {
    field: 'markState',
    width: 120,
    fixed: 'left',
    render: (row) => (
      <Space size={4}>
        {row.markState ? (
          <Word tone={attemptTones[row.markState]}>{labelOf(listAttempts, 'markState', row.markState)}</Word>
        ) : (
          <Word>未进入</Word>
        )}
        {isSilent(row, Date.now()) && <Word tone="warning">失去联系</Word>}
      </Space>
    ),
  },
  { field: 'riskLevel', width: 66, tones: riskTones },
  { field: 'setupName', title: '考试', width: 200 },
  { field: 'className', title: '班级', width: 150 },
  { field: 'siteName', title: '站点', width: 130 },
  { field: 'attemptNo', width: 64 },
  { field: 'startedAt', title: '开始', width: 170 },
  {
    field: 'deadlineAt',
    title: '截止',
    width: 200,
    render: (row) => leftWords(row, Date.now()) ?? (formatTime(row.deadlineAt) || '—'),
  },
  { field: 'submittedAt', title: '交卷', width: 170 },
  { field: 'submitKind', title: '交卷方式', width: 100 },
  { field: 'switchCount', width: 64 },
  { field: 'faceFailCount', width: 84 },
  { field: 'objectiveScore', width: 80, render: (row) => score(row.objectiveScore) },
  { field: 'subjectiveScore', width: 80, render: (row) => score(row.subjectiveScore) },
  { field: 'totalScore', width: 80, render: (row) => score(row.totalScore) },
  { field: 'violationLevel', width: 76, tones: levelTones },
  { field: 'extraMinutes', width: 84 },
  { field: 'eligibility', width: 84, hidden: true, tones: eligibilityTones },
  { field: 'attendance', width: 84, hidden: true, tones: attendanceTones },
  { field: 'riskScore', width: 80, hidden: true },
  { field: 'lastBeatAt', width: 170, hidden: true },
  { field: 'batchName', title: '批次', width: 200, hidden: true },
])

const counters = ['candidates', 'notEntered', 'answering', 'handedIn', 'highRisk'] as const

/** 应考, 未进入, 作答中, 已交卷, 高风险 of one examination, counted anew every quarter of a minute. */
const Counters = ({ setupId }: { setupId: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [countAttempts.path, setupId],
    queryFn: ({ signal }) => request(countAttempts, { query: { setupId } }, { signal }),
    refetchInterval: WATCH_MS,
  })
  return (
    <Loaded query={query} rows={1}>
      {(data) => (
        <>
          <dl className="exam-counters" aria-label="考试监控">
            {counters.map((field) => (
              <div key={field}>
                <dt>{fieldOf(countAttempts, field).label}</dt>
                <dd>{formatNumber(data[field])}</dd>
              </div>
            ))}
          </dl>
          {query.isError && (
            <Alert className="form-lead" type="warning" content={`人数没有更新：${messageOf(query.error)}`} />
          )}
        </>
      )}
    </Loaded>
  )
}

const nameOf = ({ name, setupName }: Attempt) => `${name}《${setupName}》`

interface Of {
  sheetIds: number[]
  who: string
  done: (failed: readonly { id: number }[]) => void
}

const wishes = {
  warn: ({ sheetIds, who, done }: Of): Reasoned => ({
    do: warnAttempts,
    title: `警告 ${who}`,
    verb: '发送警告',
    hint: '考生在下一次心跳时看到，一般在30秒之内。',
    done: '已发送警告',
    field: 'text',
    least: 1,
    most: 100,
    body: { sheetIds },
    settle: done,
  }),
  extend: ({ sheetIds, who, done }: Of): Reasoned => ({
    do: extendAttempts,
    title: `为 ${who} 加时`,
    verb: '加时',
    hint: '截止时间随之延后，考生在下一次心跳时看到。',
    done: '已加时',
    minutes: true,
    body: { sheetIds },
    settle: done,
  }),
  force: ({ sheetIds, who, done }: Of): Reasoned => ({
    do: forceAttempts,
    title: `强制 ${who} 交卷`,
    verb: '强制交卷',
    hint: '已保存的答案随之提交，考生不能继续作答。',
    done: '已强制交卷',
    danger: true,
    body: { sheetIds },
    settle: done,
  }),
  release: ({ sheetIds, who, done }: Of): Reasoned => ({
    do: releaseDevice,
    title: `解除 ${who} 的设备`,
    verb: '解除设备',
    hint: '考生可以在其他设备上继续作答。',
    done: '已解除设备',
    body: { sheetIds },
    settle: done,
  }),
  discard: ({ sheetIds, who, done }: Of): Reasoned => ({
    do: voidAttempts,
    title: `作废 ${who} 的答卷`,
    verb: '作废',
    hint: '答卷不再计分，也不占用作答次数；不能恢复。',
    done: '已作废答卷',
    danger: true,
    body: { sheetIds },
    settle: done,
  }),
}

const Attempts = () => {
  const table = useQueryTable(listAttempts, { refetchInterval: watchEvery })
  const context = useSchoolContext()
  const isSchool = context.area === 'school'
  const reason = useDrawer<Reasoned>()
  const violation = useDrawer<Reported>()
  const batchId = Number(table.filters.batchId) || undefined
  const setupId = Number(table.filters.setupId) || undefined
  const records = { body: { ...table.body, status: table.filters.markState }, total: table.total }
  // What failed are sheets, and so are the rows.
  const done = (failed: readonly { id: number }[]) => table.tickRows(failed)
  const one = (row: Attempt): Of => ({ sheetIds: sheetsOf([row]), who: row.name, done })
  const several = (): Of => {
    const sheetIds = sheetsOf(table.tickedRows)
    return { sheetIds, who: `选中的${formatNumber(sheetIds.length)}份答卷`, done }
  }
  const actionsOf = (row: Attempt): RowAction[] => [
    { label: '答卷', do: viewAttempt, disabled: canSheet.look(row), onClick: () => table.open(row) },
    {
      label: '警告',
      do: warnAttempts,
      disabled: canSheet.watch(row),
      onClick: () => reason.open(wishes.warn(one(row))),
    },
    {
      label: '加时',
      do: extendAttempts,
      disabled: canSheet.watch(row),
      onClick: () => reason.open(wishes.extend(one(row))),
    },
    {
      label: '强制交卷',
      do: forceAttempts,
      danger: true,
      disabled: canSheet.watch(row),
      onClick: () => reason.open(wishes.force(one(row))),
    },
    {
      label: '解除设备',
      do: releaseDevice,
      disabled: canSheet.watch(row),
      onClick: () => reason.open(wishes.release(one(row))),
    },
    {
      label: '登记违规',
      do: saveViolation,
      onClick: () => violation.open({ candidateId: row.candidateId, name: nameOf(row), source: 'online_monitor' }),
    },
    {
      label: '作废',
      do: voidAttempts,
      danger: true,
      disabled: canSheet.discard(row),
      onClick: () => reason.open(wishes.discard(one(row))),
    },
  ]
  return (
    <>
      {setupId !== undefined && !isOverAll(context) && <Counters setupId={setupId} />}
      <FilterBar table={table}>
        <TextFilter of={listAttempts} field="keyword" label="姓名或学号" />
        <OptionFilter of={listAttempts} field="batchId" {...allBatches} />
        <OptionFilter of={listAttempts} field="setupId" {...setupsOf(batchId)} />
        <EnumFilter of={listAttempts} field="markState" only={['in_progress', 'submitted', 'marked', 'void']} />
        <SelectFilter
          of={listAttempts}
          field="entered"
          label="进入"
          options={[
            { value: 'true', label: '已进入' },
            { value: 'false', label: '未进入' },
          ]}
        />
        <EnumFilter of={listAttempts} field="riskLevel" />
        <OptionFilter of={listAttempts} field="courseId" {...courses} />
        <OptionFilter of={listAttempts} field="siteId" {...sites} />
        <OptionFilter of={listAttempts} field="classId" {...classes} />
        <EnumFilter of={listAttempts} field="submitKind" />
        <EnumFilter of={listAttempts} field="violationLevel" />
        <DateRangeFilter of={listAttempts} from="startedFrom" to="startedTo" label="开始时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportExamRecords} table={records} />}
        bulk={
          isSchool
            ? [
                { label: '批量警告', do: warnAttempts, open: () => reason.open(wishes.warn(several())) },
                { label: '批量加时', do: extendAttempts, open: () => reason.open(wishes.extend(several())) },
                { label: '批量强制交卷', do: forceAttempts, open: () => reason.open(wishes.force(several())) },
              ]
            : []
        }
        file={(row) => <AttemptFile row={row} />}
        actionsWidth={220}
        actions={(row) => byState(actionsOf(row))}
        empty="没有符合条件的考生。考试发布后，考生在这里显示；进入考试后显示作答和监考情况。"
      />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
      <ViolationForm key={`violation-${violation.key}`} {...violation.props} />
    </>
  )
}

const LIST = 'list'
const DEFERRAL = 'deferral'
const VIOLATION = 'violation'

/** 学生考试: who sits, how they are watched, and what was decided of them (04 §2.4). */
export const AttemptsPage = () => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  const tabs = (
    [
      [LIST, '学生考试', listAttempts],
      [DEFERRAL, '缓考', listDeferrals],
      [VIOLATION, '违规', listViolations],
    ] as const
  ).flatMap(([value, label, operation]) => (allowed(operation) ? [[value, label] as const] : []))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? LIST
  return (
    <Page title="学生考试" help="考生的作答和监考情况；风险只作提示，违规由人认定。" personal>
      <div className="list-tabs">
        <TabList
          label="学生考试"
          tabs={tabs}
          value={tab}
          // Cases of both ways are decided here: a tab that is opened by hand begins with those of the net.
          onChange={(next) => (next === LIST ? setTab(undefined) : setTab(next, { mode: 'online' }))}
        />
      </div>
      {tab === LIST && <Attempts />}
      {tab === DEFERRAL && <Deferrals />}
      {tab === VIOLATION && <Violations />}
    </Page>
  )
}
