import { grades, levels, majors, sites } from '@/basic_data/choices'
import { batches } from '@/enrolment/BatchSelect'
import { bulkStep, type RowAction } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { AdmissionFile } from './AdmissionFile'
import { AuditDrawer } from './AuditDrawer'
import { RejectForm, RevokeForm, type Ticked } from './AuditForms'
import { can, isDoubtful, type Row } from './admissionRules'
import { auditAdmission, auditAdmissions, exportAdmissions, listAdmissions, viewAdmission } from './api'
import { auditColumns } from './columns'
import './admission.css'

const itemOf = ({ id, version }: Row) => ({ id, version })

/** Who waits for the audit, and what became of those who were audited. */
const STATES: readonly Row['status'][] = ['assigned', 'audited', 'rejected']
const WAITING = 'assigned'

const KEPT = '证件号校验未通过、有冲突和现为在籍学生的会保留并说明原因，请逐个审核。'

/** 录取审核: whether the person whom the authority admitted may report. */
export const AuditPage = () => {
  const table = useQueryTable(listAdmissions, { usual: { scope: 'audit', status: WAITING } })
  const audit = useDrawer<Row>()
  const revoke = useDrawer<Row>()
  const reject = useDrawer<Ticked>()
  const items = table.tickedRows.map(itemOf)
  const doubtful = table.tickedRows.filter(isDoubtful).length
  const another = table.everything
    ? '已手工匹配的，姓名、证件号与预报名不同也会通过。'
    : doubtful > 0 && `其中${doubtful}人的姓名或证件号与预报名不同，请先逐个核对。`
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    numberOf: ({ id }) => table.tickedRows.find((row) => row.id === id)?.examineeNo,
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const actionsOf = (row: Row): RowAction[] => [
    ...(can.audit(row) ? [] : [{ label: '审核', do: auditAdmission, onClick: () => audit.open(row) }]),
    ...(can.revoke(row) ? [] : [{ label: '撤销', do: auditAdmission, danger: true, onClick: () => revoke.open(row) }]),
    { label: '查看', do: viewAdmission, onClick: () => table.open(row) },
  ]
  return (
    <Page title="录取审核" help="核对录取人员的身份和资格：通过后进入报到管理，等待报到。" personal>
      <Segments table={table} field="status" label="审核状态" only={STATES} usual={WAITING} />
      <FilterBar table={table}>
        <OptionFilter of={listAdmissions} field="batchId" {...batches} />
        <TextFilter of={listAdmissions} field="keyword" />
        <EnumFilter of={listAdmissions} field="issue" />
        <OptionFilter of={listAdmissions} field="siteId" {...sites} />
        <EnumFilter of={listAdmissions} field="matchStatus" />
        <OptionFilter of={listAdmissions} field="majorId" {...majors} />
        <OptionFilter of={listAdmissions} field="levelId" {...levels} />
        <OptionFilter of={listAdmissions} field="gradeId" {...grades} />
        <EnumFilter of={listAdmissions} field="studyForm" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={auditColumns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportAdmissions} table={table} />}
        bulk={[
          bulkStep(auditAdmissions, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${count}人？`,
              content: `${another || ''}${KEPT}`,
            }),
            input: () => ({ body: { items, result: 'pass' as const } }),
            all: (filter) => ({ body: { filter, result: 'pass' as const } }),
          }),
          {
            label: '批量不予入学',
            do: auditAdmissions,
            open: () => reject.open(chosen({ items }, items.length)),
            openAll: (filter, count) => reject.open(chosen({ filter }, count)),
          },
        ]}
        actionsWidth={120}
        actions={actionsOf}
        file={(row) => <AdmissionFile id={row.id} />}
        empty="没有待审核的人员。请先在“录取学生”中分配站点。"
      />
      <AuditDrawer key={audit.key} {...audit.props} rows={table.rows} />
      <RevokeForm key={`revoke-${revoke.key}`} {...revoke.props} />
      <RejectForm key={`reject-${reject.key}`} {...reject.props} />
    </Page>
  )
}
