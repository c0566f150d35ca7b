import { useMutation } from '@tanstack/react-query'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { basicOptions } from '@/basic_data/BasicSelect'
import { type RowAction, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { viewStudent } from '@/student_status/api'
import { AuditCorrection } from './AuditCorrection'
import {
  auditCorrection,
  cancelCorrection,
  editCorrection,
  exportCorrections,
  listCorrections,
  viewCorrection,
} from './api'
import { changedWords } from './Compared'
import { CorrectionFile } from './CorrectionFile'
import { type Asked, CorrectionForm, knownCorrection } from './CorrectionForm'
import { can } from './correctionRules'
import { statusTones } from './tones'

type Row = RowOf<typeof listCorrections>

const columns = columnsOf(listCorrections, [
  { field: 'name', width: 140, fixed: 'left' },
  { field: 'studentNo', width: 130, under: 'name' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 140 },
  { field: 'gradeName', width: 90 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 160, hidden: true },
  {
    field: 'phone',
    width: 150,
    hidden: true,
    render: (row) => <Masked entity="student" id={row.studentId} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'kind', width: 120 },
  { field: 'after', title: '更正项目', width: 160, render: changedWords },
  { field: 'reason', width: 200 },
  { field: 'source', width: 90 },
  { field: 'applicantName', width: 100 },
  { field: 'createdAt' },
  { field: 'provinceDocNo', width: 180 },
  { field: 'decidedOn' },
])

/** 信息更正: what is asked for, to be decided by somebody else than who asked. */
export const CorrectionsList = () => {
  const table = useQueryTable(listCorrections)
  const audit = useDrawer<Row>()
  const form = useDrawer<Asked>()
  const call = useCall()
  const opening = useMutation({
    mutationFn: async (row: Row) => {
      const [student, correction] = await Promise.all([
        call(viewStudent, { query: { id: row.studentId } }),
        call(viewCorrection, { query: { id: row.id } }),
      ])
      return knownCorrection(student, correction)
    },
    onSuccess: (asked) => form.open(asked),
  })
  const actionsOf = (row: Row): RowAction[] => [
    { label: '审核', do: auditCorrection, disabled: can.audit(row), onClick: () => audit.open(row) },
    { label: '编辑', do: editCorrection, disabled: can.edit(row), onClick: () => opening.mutate(row) },
    { label: '查看', do: viewCorrection, onClick: () => table.open(row) },
    step(cancelCorrection, {
      label: '取消',
      danger: true,
      disabled: can.cancel(row),
      with: { body: { id: row.id, version: row.version } },
      confirm: { title: `取消“${row.name}”的信息更正？`, content: '取消后不再审核，可重新申请。' },
      done: `已取消“${row.name}”的信息更正`,
    }),
  ]
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listCorrections} field="keyword" label="姓名或号码" />
        <EnumFilter of={listCorrections} field="status" />
        <EnumFilter of={listCorrections} field="kind" />
        <OptionFilter of={listCorrections} field="siteId" options={listOptions} query={basicOptions('site')} />
        <OptionFilter of={listCorrections} field="gradeId" options={listOptions} query={basicOptions('grade')} />
        <OptionFilter of={listCorrections} field="levelId" options={listOptions} query={basicOptions('level')} />
        <OptionFilter of={listCorrections} field="majorId" options={listOptions} query={basicOptions('major')} />
        <OptionFilter of={listCorrections} field="classId" options={listOptions} query={basicOptions('class')} />
        <EnumFilter of={listCorrections} field="source" />
        <DateRangeFilter of={listCorrections} from="createdFrom" to="createdTo" label="申请日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportCorrections} table={table} />}
        actionsWidth={190}
        actions={actionsOf}
        file={(row) => <CorrectionFile id={row.id} />}
        empty="还没有信息更正。在学生名单中选择“申请更正”。"
      />
      <AuditCorrection key={`audit-${audit.key}`} {...audit.props} />
      <CorrectionForm key={`form-${form.key}`} {...form.props} />
    </>
  )
}
