import { Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isOverAll, useCall, useSchoolContext } from '@/api/schoolContext'
import { grades, levels, majors, sites } from '@/basic_data/choices'
import { BatchSelect, batches } from '@/enrolment/BatchSelect'
import { bulkStep, type RowAction } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { AdmissionFile } from './AdmissionFile'
import { AllocateSite, type Ticked } from './AllocateSite'
import { can, type Row } from './admissionRules'
import {
  allocateAdmissions,
  editAdmission,
  exportAdmissions,
  fetchAllocationImportTemplate,
  importAllocations,
  listAdmissions,
  viewAdmission,
} from './api'
import { type AdmissionView, ContactForm } from './ContactForm'
import { studentColumns } from './columns'
import { QuotaComparison } from './QuotaComparison'
import '@/kit/figures.css'
import './admission.css'

/** 名册: who they are, where they study and how they stand. */
const exportSets = [
  {
    name: '名册',
    columns: [
      '考生号',
      '姓名',
      '性别',
      '证件号',
      '手机',
      '年级',
      '层次',
      '专业',
      '学习形式',
      '总分',
      '预报名站点',
      '站点',
      '超计划',
      '状态',
    ],
  },
]

const itemOf = ({ id, version }: Row) => ({ id, version })

/** The states of those who are to study here. */
const STATES: readonly Row['status'][] = ['imported', 'assigned', 'audited']

/** 导入站点分配 of a batch, which is chosen before the file. */
const ImportAllocation = ({ shown }: { shown: number | undefined }) => {
  const [chosen, setChosen] = useState<number>()
  const batchId = chosen ?? shown
  return (
    <ImportButton
      do={importAllocations}
      template={fetchAllocationImportTemplate}
      fields={batchId === undefined ? undefined : { batchId: String(batchId) }}
      what="站点分配"
      label="导入站点分配"
      first={
        <>
          <p>招生批次</p>
          <BatchSelect value={batchId} onChange={setChosen} />
          <p className="form-hint">考生号和姓名须与录取数据一致；已分配的改为表中的站点。</p>
        </>
      }
      missing={batchId === undefined ? '请先选择招生批次' : undefined}
    />
  )
}

/** 录取学生: who is to study here, and at which site. */
export const AdmittedStudentsPage = () => {
  const table = useQueryTable(listAdmissions, { usual: { scope: 'student' } })
  const overAll = isOverAll(useSchoolContext())
  const call = useCall()
  const contact = useDrawer<AdmissionView>()
  const allocate = useDrawer<Ticked>()
  const batchId = Number(table.filters.batchId) || undefined
  const items = table.tickedRows.map(itemOf)
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    numberOf: ({ id }) => table.tickedRows.find((row) => row.id === id)?.examineeNo,
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  const editing = useMutation({
    mutationFn: ({ id }: Row) => call(viewAdmission, { query: { id } }),
    onSuccess: (admission) => contact.open(admission),
  })
  const actionsOf = (row: Row): RowAction[] => [
    {
      label: '分配站点',
      do: allocateAdmissions,
      disabled: can.allocate(row),
      onClick: () => allocate.open({ rows: { items: [itemOf(row)] }, count: 1, name: row.name, done: () => {} }),
    },
    { label: '编辑联系方式', do: editAdmission, disabled: can.contact(row), onClick: () => editing.mutate(row) },
    { label: '查看', do: viewAdmission, onClick: () => table.open(row) },
  ]
  return (
    <Page title="录取学生" help="将要入学的人员：分配教学站点，再进行录取审核。" personal>
      <div className="admission-head">
        <Segments table={table} field="status" label="录取状态" only={STATES} />
        {!overAll && <QuotaComparison shown={batchId} />}
      </div>
      <FilterBar table={table}>
        <OptionFilter of={listAdmissions} field="batchId" {...batches} />
        <TextFilter of={listAdmissions} field="keyword" />
        <OptionFilter of={listAdmissions} field="siteId" {...sites} />
        <SelectFilter
          of={listAdmissions}
          field="assigned"
          label="站点分配"
          options={[
            { value: 'true', label: '已分配' },
            { value: 'false', label: '未分配' },
          ]}
        />
        <OptionFilter of={listAdmissions} field="majorId" {...majors} />
        <OptionFilter of={listAdmissions} field="levelId" {...levels} />
        <EnumFilter of={listAdmissions} field="matchStatus" />
        <EnumFilter of={listAdmissions} field="issue" />
        <OptionFilter of={listAdmissions} field="gradeId" {...grades} />
        <EnumFilter of={listAdmissions} field="studyForm" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={studentColumns}
        nameOf={(row) => row.name}
        tools={
          <Space size={4}>
            <ImportAllocation shown={batchId} />
            <ExportButton do={exportAdmissions} table={table} sets={exportSets} />
          </Space>
        }
        bulk={[
          {
            label: '批量分配站点',
            do: allocateAdmissions,
            open: () => allocate.open(chosen({ items }, items.length)),
            openAll: (filter, count) => allocate.open(chosen({ filter }, count)),
          },
          bulkStep(allocateAdmissions, {
            label: '按预报名分配',
            confirm: (count) => ({
              title: `把选中的${count}人分配到预报名的站点？`,
              content: '按总分从高到低分配；未匹配和有冲突的没有预报名站点，会保留并说明原因。',
            }),
            input: () => ({ body: { items, byPreRegistration: true } }),
            all: (filter) => ({ body: { filter, byPreRegistration: true } }),
          }),
          bulkStep(allocateAdmissions, {
            label: '取消分配',
            danger: true,
            confirm: (count) => ({
              title: `取消选中的${count}人的站点分配？`,
              content: '取消后为待分配，站点名额释放。',
            }),
            input: () => ({ body: { items, clear: true } }),
            all: (filter) => ({ body: { filter, clear: true } }),
          }),
        ]}
        actionsWidth={230}
        actions={actionsOf}
        file={(row) => <AdmissionFile id={row.id} />}
        empty="还没有录取学生。请先在“录取数据”中导入省招办的录取库。"
      />
      <ContactForm key={contact.key} {...contact.props} />
      <AllocateSite key={`allocate-${allocate.key}`} {...allocate.props} />
    </Page>
  )
}
