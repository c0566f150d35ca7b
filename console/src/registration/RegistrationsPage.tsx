import { Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { grades, levels, majors, sites } from '@/basic_data/choices'
import { batches } from '@/enrolment/BatchSelect'
import { FromOpenBatch } from '@/enrolment/openBatch'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { TabList } from '@/kit/TabList'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  abandonRegistrations,
  deleteRegistration,
  deleteRegistrations,
  editRegistration,
  exportRegistrations,
  importRegistrationFees,
  listRegistrations,
  markRegistrationFees,
  printRegistration,
  recoverRegistrations,
  registrationFeeTemplate,
  reinstateRegistration,
  reportRegistration,
  reportRegistrations,
  reserveRegistration,
  resumeRegistration,
  revokeRegistration,
  undoReport,
  viewRegistration,
} from './api'
import { columnsOfState } from './columns'
import { ExportLists } from './ExportLists'
import { FeeForm, type Payers } from './FeeForm'
import { ImportResults } from './ImportResults'
import { RegistrationFile } from './RegistrationFile'
import { RegistrationPapers, type Wanted } from './RegistrationPapers'
import { type Arrived, ArrivedDialog, EditForm, ReportForm, ReportManyForm } from './ReportForm'
import { type Row, type StepName, stepsOf, type View } from './registrationRules'
import { Statistics } from './Statistics'
import { AbandonForm, ReserveForm, ResumeForm, RevokeForm, type Ticked, UndoForm } from './StepForms'
import './registration.css'

const itemOf = ({ id, version }: Row) => ({ id, version })

/** A row that a step left one version further. */
const leftAt = ({ id, version }: Row) => ({ id, version: version + 1 })

const TO_BIN = '删除后进入报到回收站，不再计入名单和统计。'

/** The tab beside the states. */
const STATISTICS = 'statistics'
const statistics = [[STATISTICS, '报到统计']] as const
const ALL = ''
const states = listRegistrations.fields.status?.options ?? []

const exportSets = [
  { name: '名册', columns: ['考生号', '姓名', '性别', '证件号', '层次', '专业', '站点', '状态', '学号', '报到时间'] },
  { name: '缴费', columns: ['考生号', '姓名', '层次', '专业', '站点', '已缴费', '实缴金额(元)'] },
]

const Registrations = ({ onStatistics }: { onStatistics: (batchId: string | undefined) => void }) => {
  const table = useQueryTable(listRegistrations)
  const call = useCall()
  const report = useDrawer<View>()
  const arrived = useDrawer<Arrived>()
  const edit = useDrawer<View>()
  const resume = useDrawer<View>()
  const reserve = useDrawer<Row>()
  const undo = useDrawer<Row>()
  const revoke = useDrawer<Row>()
  const abandon = useDrawer<Ticked>()
  const reportMany = useDrawer<Ticked>()
  const fee = useDrawer<Payers>()
  const paper = useDrawer<Wanted>()
  const items = table.tickedRows.map(itemOf)
  const done: Ticked['done'] = (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection())
  const numberOf: Ticked['numberOf'] = ({ id }) => table.tickedRows.find((row) => row.id === id)?.examineeNo
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({ rows, count, done, numberOf })
  /** A form begins with all that is known of the person. */
  const opening = useMutation({
    mutationFn: ({ row }: { row: Row; drawer: ReturnType<typeof useDrawer<View>> }) =>
      call(viewRegistration, { query: { id: row.id } }),
    onSuccess: (person, { drawer }) => drawer.open(person),
  })
  const entries: Record<StepName, (row: Row) => RowAction> = {
    report: (row) => ({
      label: '报到',
      do: reportRegistration,
      onClick: () => opening.mutate({ row, drawer: report }),
    }),
    fee: (row) => ({
      label: '缴费标记',
      do: markRegistrationFees,
      onClick: () => fee.open({ items: [itemOf(row)], name: row.name, paid: row.feePaid, done: () => {} }),
    }),
    edit: (row) => ({
      label: '核验和材料',
      do: editRegistration,
      onClick: () => opening.mutate({ row, drawer: edit }),
    }),
    reserve: (row) => ({ label: '保留', do: reserveRegistration, onClick: () => reserve.open(row) }),
    resume: (row) => ({
      label: '恢复',
      do: resumeRegistration,
      onClick: () => opening.mutate({ row, drawer: resume }),
    }),
    abandon: (row) => ({
      label: '放弃',
      do: abandonRegistrations,
      danger: true,
      onClick: () => abandon.open({ rows: { items: [itemOf(row)] }, count: 1, name: row.name, done: () => {} }),
    }),
    reinstate: (row) =>
      step(reinstateRegistration, {
        label: '补报到',
        with: { body: itemOf(row) },
        confirm: { title: `“${row.name}”补报到？`, content: '恢复为待报到，再办理报到；招生批次须在进行中。' },
        done: `已恢复“${row.name}”为待报到`,
      }),
    undo: (row) => ({ label: '撤销报到', do: undoReport, danger: true, onClick: () => undo.open(row) }),
    print: (row) => ({
      label: '打印',
      do: printRegistration,
      onClick: () => paper.open({ id: row.id, name: row.name }),
    }),
    revoke: (row) => ({ label: '取消资格', do: revokeRegistration, danger: true, onClick: () => revoke.open(row) }),
    delete: (row) =>
      step(deleteRegistration, {
        label: '删除',
        danger: true,
        with: { query: { id: row.id } },
        confirm: { title: `删除“${row.name}”的报到数据？`, content: TO_BIN },
        done: `已删除“${row.name}”的报到数据`,
        undo: () => undoBy(recoverRegistrations, { body: { items: [leftAt(row)] } }),
      }),
  }
  const actionsOf = (row: Row): RowAction[] => [
    ...stepsOf(row).map((name) => entries[name](row)),
    { label: '查看', do: viewRegistration, onClick: () => table.open(row) },
  ]
  return (
    <>
      <Segments
        table={table}
        field="status"
        label="报到状态"
        beside={{ tabs: statistics, onChoose: () => onStatistics(table.filters.batchId) }}
      />
      <FilterBar table={table}>
        <OptionFilter of={listRegistrations} field="batchId" {...batches} />
        <TextFilter of={listRegistrations} field="keyword" />
        <OptionFilter of={listRegistrations} field="siteId" {...sites} />
        <SelectFilter
          of={listRegistrations}
          field="feePaid"
          label="缴费"
          options={[
            { value: 'true', label: '已缴费' },
            { value: 'false', label: '未缴费' },
          ]}
        />
        <SelectFilter
          of={listRegistrations}
          field="identityVerified"
          label="核验"
          options={[
            { value: 'true', label: '已核验' },
            { value: 'false', label: '未核验' },
          ]}
        />
        <OptionFilter of={listRegistrations} field="majorId" {...majors} />
        <OptionFilter of={listRegistrations} field="levelId" {...levels} />
        <OptionFilter of={listRegistrations} field="gradeId" {...grades} />
        <EnumFilter of={listRegistrations} field="studyForm" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columnsOfState(table.filters.status)}
        nameOf={(row) => row.name}
        tools={
          <Space size={4}>
            <ImportButton do={importRegistrationFees} template={registrationFeeTemplate} what="缴费" label="导入缴费" />
            <ImportResults />
            <ExportLists table={table} />
            {/* A list that is signed has columns of its own. */}
            {!table.filters.sheet && <ExportButton do={exportRegistrations} table={table} sets={exportSets} />}
          </Space>
        }
        bulk={[
          {
            label: '批量报到',
            do: reportRegistrations,
            open: () => reportMany.open(chosen({ items }, items.length)),
            openAll: (filter, count) => reportMany.open(chosen({ filter }, count)),
          },
          {
            label: '缴费标记',
            do: markRegistrationFees,
            open: () => fee.open({ items, done, numberOf }),
          },
          {
            label: '批量放弃',
            do: abandonRegistrations,
            open: () => abandon.open(chosen({ items }, items.length)),
            openAll: (filter, count) => abandon.open(chosen({ filter }, count)),
          },
          bulkStep(deleteRegistrations, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({
              title: `删除选中的${count}条报到数据？`,
              content: `${TO_BIN}已报到、保留和取消资格的会保留并说明原因。`,
            }),
            input: (ids) => ({ body: { ids } }),
            undo: (failed) => {
              const items = table.tickedRows.filter(({ id }) => !failed.has(id)).map(leftAt)
              return undoBy(recoverRegistrations, { body: { items } })
            },
          }),
        ]}
        actionsWidth={215}
        actions={actionsOf}
        file={(row) => <RegistrationFile id={row.id} />}
        empty="还没有报到数据。录取审核通过的人员在这里等待报到。"
      />
      <ReportForm
        key={`report-${report.key}`}
        {...report.props}
        onReported={(person, reported) => arrived.open({ ...reported, id: person.id, name: person.name }, report.from)}
      />
      <ArrivedDialog
        key={`arrived-${arrived.key}`}
        {...arrived.props}
        onPrint={(id, name) => paper.open({ id, name }, arrived.from)}
      />
      <EditForm key={`edit-${edit.key}`} {...edit.props} />
      <ReportManyForm key={`many-${reportMany.key}`} {...reportMany.props} />
      <FeeForm key={`fee-${fee.key}`} {...fee.props} />
      <ReserveForm key={`reserve-${reserve.key}`} {...reserve.props} />
      <ResumeForm key={`resume-${resume.key}`} {...resume.props} />
      <AbandonForm key={`abandon-${abandon.key}`} {...abandon.props} />
      <UndoForm key={`undo-${undo.key}`} {...undo.props} />
      <RevokeForm key={`revoke-${revoke.key}`} {...revoke.props} />
      <RegistrationPapers key={`paper-${paper.key}`} {...paper.props} />
    </>
  )
}

/** 报到管理: who of the admitted comes, and who does not (02 §7). */
export const RegistrationsPage = () => {
  const [tab, setTab] = usePageTab()
  return (
    <Page title="报到管理" help="审核通过的人员来校报到：核验、缴费、建立学籍；不来的保留、放弃或取消资格。" personal>
      {tab === STATISTICS ? (
        <>
          <div className="list-tabs">
            <TabList
              label="报到状态"
              tabs={[[ALL, '全部'], ...states, ...statistics]}
              value={STATISTICS}
              onChange={(status) => status !== STATISTICS && setTab(undefined, status === ALL ? {} : { status })}
            />
          </div>
          <Statistics />
        </>
      ) : (
        <FromOpenBatch>
          <Registrations onStatistics={(batchId) => setTab(STATISTICS, batchId ? { batchId } : {})} />
        </FromOpenBatch>
      )}
    </Page>
  )
}
