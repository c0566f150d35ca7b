import { Form } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { rateOf } from '@/kit/rate'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { withVersionOf } from '@/kit/versionOf'
import { historyOf } from '@/logs/RecordHistory'
import { auditLecturer, exportLecturerAudits, listLecturerAudits, viewLecturerAudit } from './api'

type Asked = RowOf<typeof listLecturerAudits>
type Decision = BodyOf<typeof auditLecturer>

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

const Field = fieldsOf(auditLecturer)

/** 审核: whether a learner may teach. */
const DecideLecturer = ({ record, ...drawer }: DrawerProps<Asked>) => (
  <FormDrawer<Partial<Decision>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version, auditStatus: 'approved' }}
    title={`审核 ${record?.lecturerName ?? ''}`}
    action={(decided) => formAction(auditLecturer, '已审核', decided)}
    reload={withVersionOf(viewLecturerAudit)}
  >
    <Field name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<Decision>) => (
        <Field name="auditOpinion" required={auditStatus === 'rejected'} help="不通过时必填，申请人可以看到" />
      )}
    </Form.Item>
  </FormDrawer>
)

/** 讲师审核: learners who ask to teach. */
export const LecturerAuditsPage = () => {
  const table = useQueryTable(listLecturerAudits)
  const decision = useDrawer<Asked>()
  return (
    <Page title="讲师审核" help="待审核的排在最前；通过后成为讲师，已是讲师的更新其资料。" personal>
      <FilterBar table={table}>
        <TextFilter of={listLecturerAudits} field="keyword" />
        <EnumFilter of={listLecturerAudits} field="auditStatus" />
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
            disabled: row.auditStatus === 'pending' ? undefined : '该申请已审核',
            onClick: () => decision.open(row),
          },
        ]}
        empty="没有讲师申请。学员在网站申请后在这里审核。"
      />
      <DecideLecturer key={decision.key} {...decision.props} />
    </Page>
  )
}
