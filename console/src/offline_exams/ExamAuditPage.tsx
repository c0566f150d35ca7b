import { Form, Input, Radio } from '@arco-design/web-react'
import { useNavigate } from 'react-router'
import type { BulkResult } from '@/api/types/shared'
import { courses } from '@/course_opening/choices'
import { allBatches } from '@/exams/choices'
import { type Setup, setupTones, timeWords } from '@/exams/examRules'
import { tellFailures } from '@/kit/BulkBar'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { OptionFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { auditOfflineSetups, listOfflineCandidates, listOfflineSetups, viewOfflineSetup } from './api'
import { Clashes } from './Clashes'
import { OfflineExamFile } from './OfflineExamFile'
import { can } from './offlineRules'

/** A number that says whether the examination can take place so. */
const Count = ({ of, bad }: { of: number | null | undefined; bad: boolean }) =>
  bad ? <Word tone="bad">{formatNumber(of)}</Word> : formatNumber(of)

const columns = columnsOf(listOfflineSetups, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'courseName', under: 'name' },
  { field: 'status', width: 84, fixed: 'left', tones: setupTones },
  { field: 'batchName', title: '批次', width: 200 },
  { field: 'sessionCode', width: 70 },
  { field: 'startsAt', title: '考试时间', width: 230, render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt) },
  { field: 'classCount', width: 80 },
  { field: 'candidateCount', width: 70 },
  { field: 'disqualifiedCount', title: '取消资格数', width: 110 },
  {
    field: 'clashCount',
    width: 110,
    render: ({ clashCount }) => <Count of={clashCount} bad={Number(clashCount) > 0} />,
  },
  { field: 'seatsLeft', width: 100, render: ({ seatsLeft }) => <Count of={seatsLeft} bad={Number(seatsLeft) < 0} /> },
  { field: 'submittedByName', width: 90 },
  { field: 'submittedAt', width: 170 },
  { field: 'reviewedByName', width: 90 },
  { field: 'reviewOpinion', width: 200 },
])

interface Decided {
  rows: readonly Setup[]
  pass: boolean
  done: (failed: readonly { id: number }[]) => void
}

interface Values {
  pass?: boolean
  opinion?: string
}

type Report = (message?: string) => void

const Opinion = () => {
  const { form } = Form.useFormContext()
  const pass: boolean | undefined = Form.useWatch('pass', form)
  return (
    <Form.Item
      field="opinion"
      label="意见"
      required={pass === false}
      rules={[
        {
          validator: (value, report: Report) =>
            report(pass === false && String(value ?? '').trim().length < 2 ? '请填写退回的意见' : undefined),
        },
      ]}
    >
      <Input.TextArea aria-label="意见" maxLength={200} showWordLimit autoSize={{ minRows: 2, maxRows: 6 }} />
    </Form.Item>
  )
}

/** 通过 or 退回 of one or several; nobody decides what they submitted. */
const DecideForm = ({ record: wanted, ...drawer }: DrawerProps<Decided>) => {
  const [only] = wanted?.rows.length === 1 ? wanted.rows : []
  // What was passed before can only be given back.
  const decided = wanted?.rows.some(({ status }) => status !== 'submitted') ?? false
  return (
    <FormDrawer<Values, BulkResult>
      {...drawer}
      record={undefined}
      initial={{ pass: wanted?.pass ?? true }}
      title={only ? `审核 ${only.name}` : `审核${formatNumber(wanted?.rows.length)}场考试`}
      okText="提交审核"
      action={() =>
        formAction(auditOfflineSetups, '已提交审核', {
          items: wanted?.rows.map(({ id, version }) => ({ id, version })) ?? [],
        })
      }
      onSaved={(answer) => {
        wanted?.done(answer.failed)
        if (answer.failed.length > 0) tellFailures('审核', answer)
      }}
    >
      {only?.sessionId != null && <Clashes setupId={only.id} sessionId={only.sessionId} />}
      <p className="form-hint">
        通过后编排座位；退回后恢复为草稿并释放座位，由安排人修改。不能审核自己提交的考试安排。
      </p>
      <Form.Item field="pass" label="结果">
        <Radio.Group
          options={[
            { value: true, label: '通过', disabled: decided },
            { value: false, label: '退回' },
          ]}
        />
      </Form.Item>
      <Opinion />
    </FormDrawer>
  )
}

const SUBMITTED = 'submitted'
const APPROVED = 'approved'
const RETURNED = 'returned'

const tabs = [
  [SUBMITTED, '待审核'],
  [APPROVED, '已通过'],
  [RETURNED, '已退回'],
] as const

type Tab = (typeof tabs)[number][0]

const filters = {
  submitted: { status: 'submitted' },
  approved: { status: 'approved' },
  returned: { status: 'draft', returned: true },
} as const

const List = ({ tab }: { tab: Tab }) => {
  const table = useQueryTable(listOfflineSetups, { usual: filters[tab] })
  const navigate = useNavigate()
  const decide = useDrawer<Decided>()
  const done = (failed: readonly { id: number }[]) => table.tickRows(failed)
  const open = (rows: readonly Setup[], pass: boolean) => decide.open({ rows, pass, done })
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listOfflineSetups} field="name" />
        <OptionFilter of={listOfflineSetups} field="batchId" {...allBatches} />
        <OptionFilter of={listOfflineSetups} field="courseId" {...courses} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        bulk={
          tab === SUBMITTED
            ? [
                { label: '批量通过', do: auditOfflineSetups, open: () => open(table.tickedRows, true) },
                { label: '批量退回', do: auditOfflineSetups, open: () => open(table.tickedRows, false) },
              ]
            : []
        }
        file={(row) => <OfflineExamFile exam={row} />}
        actions={(row) => [
          ...(tab === SUBMITTED
            ? [{ label: '通过', do: auditOfflineSetups, disabled: can.decide(row), onClick: () => open([row], true) }]
            : []),
          ...(tab === RETURNED
            ? []
            : [
                {
                  label: '退回',
                  do: auditOfflineSetups,
                  danger: true,
                  disabled: can.giveBack(row),
                  onClick: () => open([row], false),
                },
              ]),
          {
            label: '查看考生',
            do: listOfflineCandidates,
            onClick: () => navigate(`${paths.offlineExam}?id=${row.id}&tab=candidates`),
          },
          { label: '查看', do: viewOfflineSetup, onClick: () => table.open(row) },
        ]}
        empty={tab === SUBMITTED ? '没有待审核的考试安排。' : '没有符合条件的考试安排。'}
      />
      <DecideForm key={`decide-${decide.key}`} {...decide.props} />
    </>
  )
}

/** 考试审核: what was submitted is passed or given back by another person (04 §4.4). */
export const ExamAuditPage = () => {
  const [search, setSearch] = useAddress()
  const asked = search.get('tab') ?? search.get('status')
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? SUBMITTED
  return (
    <Page title="考试审核" help="核对时间、人数和冲突后通过；退回时填写意见，恢复为草稿。">
      <div className="list-tabs">
        <TabList
          label="审核状态"
          tabs={tabs}
          value={tab}
          onChange={(next) => setSearch(() => new URLSearchParams(next === SUBMITTED ? {} : { tab: next }))}
        />
      </div>
      <List key={tab} tab={tab} />
    </Page>
  )
}
