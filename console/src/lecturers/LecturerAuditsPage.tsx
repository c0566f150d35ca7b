import type { RowOf } from '@/api/operation'
import { useAuditQueue } from '@/kit/auditQueue'
import { columnsOf } from '@/kit/columns'
import { DecideDrawer } from '@/kit/DecideDrawer'
import { ExportButton } from '@/kit/ExportButton'
import { Facts } from '@/kit/Facts'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { rateOf } from '@/kit/rate'
import { countOf, Segments } from '@/kit/Segments'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { auditLecturer, exportLecturerAudits, listLecturerAudits, viewLecturerAudit } from './api'

type Asked = RowOf<typeof listLecturerAudits>

const columns = columnsOf(listLecturerAudits, [
  { field: 'lecturerName', width: 140, fixed: 'left' },
  {
    field: 'auditStatus',
    width: 90,
    fixed: 'left',
    tones: { pending: 'busy', approved: 'good', rejected: 'bad' },
  },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="lecturerAudit" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  'position',
  { field: 'lecturerProportion', render: ({ lecturerProportion }) => rateOf(lecturerProportion) },
  { field: 'introduce', width: 260 },
  'createdAt',
  { field: 'auditOpinion', width: 200 },
  { field: 'auditorName', width: 100 },
  { field: 'auditedAt', hidden: true },
  {
    field: 'email',
    width: 200,
    hidden: true,
    render: (row) => <Masked entity="lecturerAudit" id={row.id} field="email" label="邮箱" value={row.email} />,
  },
])

/** What is read before somebody may teach; the file has the rest. */
const asked = ['lecturerName', 'phone', 'email', 'position', 'lecturerProportion', 'introduce', 'createdAt']
const facts = columns.filter(({ key }) => asked.includes(key))

const WAITING = 'pending'
const isWaiting = ({ auditStatus }: Pick<Asked, 'auditStatus'>) => auditStatus === WAITING

interface DecideLecturerProps extends DrawerProps<Asked> {
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Asked[]
  waiting: number | undefined
}

/** 审核: whether a learner may teach. */
const DecideLecturer = ({ rows, waiting, ...drawer }: DecideLecturerProps) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditLecturer}
      of={row && { id: row.id, version: row.version }}
      title={`审核 ${row?.lecturerName ?? ''}`}
      name={row?.lecturerName ?? ''}
      note="不通过时必填，申请人可以看到"
    >
      {row && <Facts key={row.id} row={row} columns={facts} />}
    </DecideDrawer>
  )
}

/** 讲师审核: learners who ask to teach. */
export const LecturerAuditsPage = () => {
  const table = useQueryTable(listLecturerAudits)
  const decision = useDrawer<Asked>()
  return (
    <Page title="讲师审核" help="待审核的排在最前；通过后成为讲师，已是讲师的更新其资料。" personal>
      <Segments table={table} field="auditStatus" label="审核状态" />
      <FilterBar table={table}>
        <TextFilter of={listLecturerAudits} field="keyword" />
        <DateRangeFilter of={listLecturerAudits} from="createdFrom" to="createdTo" label="申请日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.lecturerName}
        tools={<ExportButton do={exportLecturerAudits} table={table} />}
        detail={historyOf(viewLecturerAudit, 'lecturer_audit')}
        actionsWidth={90}
        actions={(row) => [
          {
            label: '审核',
            do: auditLecturer,
            disabled: isWaiting(row) ? undefined : '该申请已审核',
            onClick: () => decision.open(row),
          },
        ]}
        empty="没有讲师申请。学员在网站申请后在这里审核。"
      />
      <DecideLecturer
        key={decision.key}
        {...decision.props}
        rows={table.rows}
        waiting={countOf(table.segments, WAITING)}
      />
    </Page>
  )
}
