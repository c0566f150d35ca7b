import { Button, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { grades, levels, majors, sites } from '@/basic_data/choices'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { Word } from '@/kit/Status'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { AuditDrawer } from './AuditDrawer'
import {
  auditPreRegistration,
  cancelPreRegistration,
  deletePreRegistration,
  deletePreRegistrations,
  editPreRegistration,
  exportPreRegistrations,
  fetchExamineeNoTemplate,
  importExamineeNos,
  importPreRegistrations,
  listPreRegistrations,
  missPreRegistrations,
  movePreRegistrations,
  preRegistrationImportTemplate,
  recoverPreRegistrations,
  reopenPreRegistration,
  reviewPreRegistrations,
  savePreRegistration,
  viewPreRegistration,
} from './api'
import { batches } from './BatchSelect'
import { Funnel } from './Funnel'
import { type Behind, filtersBehind } from './funnelFigures'
import { ImportIntoBatch } from './ImportIntoBatch'
import { MoveSite } from './MoveSite'
import { PackPapers } from './PackPapers'
import { ENTITY, PreRegistrationDetail, type View } from './PreRegistrationDetail'
import { PreRegistrationForm } from './PreRegistrationForm'
import { can, isOpen } from './preRegistrationRules'
import { RegistrationFormPaper } from './RegistrationFormPaper'
import { CancelForm, ReturnForm, type Ticked } from './ReviewForm'
import { examTones, statusTones } from './tones'

type Row = RowOf<typeof listPreRegistrations>

const Name = ({ row: { name, dupStudent } }: { row: Row }) => (
  <>
    {name} {dupStudent && <Word tone="warning">在读</Word>}
  </>
)

const Phone = ({ row }: { row: Row }) => (
  <>
    <Masked entity={ENTITY} id={row.id} field="phone" label="手机" value={row.phone} />
    {row.phoneDuplicate && (
      <span title="同批次另有人使用该手机">
        <Word>重复</Word>
      </span>
    )}
  </>
)

const columns = columnsOf(listPreRegistrations, [
  { field: 'name', width: 140, fixed: 'left', render: (row) => <Name row={row} /> },
  { field: 'provincialRegNo', width: 130, under: 'name' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 140 },
  { field: 'siteName', width: 140 },
  { field: 'phone', width: 190, render: (row) => <Phone row={row} /> },
  {
    field: 'idCardNo',
    width: 165,
    render: (row) => <Masked entity={ENTITY} id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
  { field: 'examStatus', width: 100, tones: examTones },
  { field: 'batchName', width: 180 },
  { field: 'examineeNo', width: 150 },
  'createdAt',
  { field: 'preEduLevel', width: 120 },
  { field: 'source', width: 80 },
  { field: 'gender', width: 70 },
  { field: 'studyForm', hidden: true },
  { field: 'idCardType', hidden: true },
])

const exportSets = [
  { name: '网报', columns: ['姓名', '性别', '证件类型', '证件号', '手机', '层次', '专业', '网报号'] },
  { name: '站点', columns: ['姓名', '手机', '层次', '专业', '站点', '审核状态', '考试状态'] },
]

const itemOf = ({ id, version }: Row) => ({ id, version })

/** A row that a step left one version further. */
const leftAt = ({ id, version }: Row) => ({ id, version: version + 1 })

/** Where everything goes that is deleted here. */
const TO_BIN = '删除后进入预报名回收站，不再计入名单和统计。'

/** 撤销审核 of who was approved, 恢复待审 of who was refused or gave up. */
const reopening = (row: Row): RowAction[] => {
  const isApproved = row.status === 'approved'
  return [
    step(reopenPreRegistration, {
      label: isApproved ? '撤销审核' : '恢复待审',
      with: { body: itemOf(row) },
      disabled: can.reopen(row),
      confirm: isApproved
        ? { title: `撤销“${row.name}”的审核？`, content: '撤销后为待审核，须重新审核。' }
        : { title: `恢复“${row.name}”为待审核？`, content: '恢复时会再次检查是否重复报名。' },
      done: isApproved ? `已撤销“${row.name}”的审核` : `已恢复“${row.name}”为待审核`,
    }),
  ]
}

/** 预报名列表: who wants to study, and how far each of them came. */
export const PreRegistrationsPage = () => {
  const table = useQueryTable(listPreRegistrations)
  const form = useDrawer<View>()
  const audit = useDrawer<Row>()
  const cancel = useDrawer<Row>()
  const paper = useDrawer<Row>()
  const giveBack = useDrawer<Ticked>()
  const move = useDrawer<Ticked>()
  const call = useCall()
  const batchId = Number(table.filters.batchId) || undefined
  const items = table.tickedRows.map(itemOf)
  const chosen = (rows: Ticked['rows'], count: number): Ticked => ({
    rows,
    count,
    done: (failed = []) => (failed.length > 0 ? table.tickRows(failed) : table.clearSelection()),
  })
  /** Those whom a step took. */
  const moved = (failed: ReadonlySet<number>) => table.tickedRows.filter(({ id }) => !failed.has(id)).map(leftAt)
  const opening = useMutation({
    mutationFn: (id: number) => call(viewPreRegistration, { query: { id } }),
    onSuccess: (person) => form.open(person),
  })
  /** The figures are a batch's: every other filter goes. */
  const follow = (behind: Behind) =>
    table.setFilters({ ...noFilters(table.filters), batchId: table.filters.batchId, ...filtersBehind(behind) })
  const actionsOf = (row: Row): RowAction[] => [
    {
      label: '审核',
      do: auditPreRegistration,
      disabled: isOpen(row) ? undefined : '只审核待审核和退回修改的预报名',
      onClick: () => audit.open(row),
    },
    { label: '编辑', do: editPreRegistration, disabled: can.edit(row), onClick: () => opening.mutate(row.id) },
    { label: '查看', do: viewPreRegistration, onClick: () => table.open(row) },
    { label: '打印报名登记表', do: viewPreRegistration, onClick: () => paper.open(row) },
    ...(isOpen(row)
      ? [{ label: '取消预报名', do: cancelPreRegistration, danger: true, onClick: () => cancel.open(row) }]
      : reopening(row)),
    step(deletePreRegistration, {
      label: '删除',
      danger: true,
      disabled: can.delete(row),
      with: { query: { id: row.id } },
      confirm: { title: `删除“${row.name}”的预报名？`, content: TO_BIN },
      done: `已删除“${row.name}”的预报名`,
      undo: () => undoBy(recoverPreRegistrations, { body: { items: [leftAt(row)] } }),
    }),
  ]
  return (
    <Page title="预报名列表" help="有意报读的人员：采集、审核，跟进到省级考试和录取。" personal>
      <div className="segments-and-funnel">
        <Segments table={table} field="status" label="审核状态" />
        <Funnel batchId={batchId} onFollow={follow} />
      </div>
      <FilterBar table={table}>
        <OptionFilter of={listPreRegistrations} field="batchId" {...batches} />
        <TextFilter of={listPreRegistrations} field="keyword" label="姓名或号码" />
        <EnumFilter of={listPreRegistrations} field="status" />
        <OptionFilter of={listPreRegistrations} field="siteId" {...sites} />
        <OptionFilter of={listPreRegistrations} field="gradeId" {...grades} />
        <OptionFilter of={listPreRegistrations} field="levelId" {...levels} />
        <OptionFilter of={listPreRegistrations} field="majorId" {...majors} />
        <EnumFilter of={listPreRegistrations} field="studyForm" />
        <EnumFilter of={listPreRegistrations} field="examStatus" />
        <EnumFilter of={listPreRegistrations} field="reached" />
        <EnumFilter of={listPreRegistrations} field="source" />
        <DateRangeFilter of={listPreRegistrations} from="createdFrom" to="createdTo" label="报名日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        primary={
          <Can do={savePreRegistration}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增预报名
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <ImportIntoBatch
              do={importPreRegistrations}
              template={preRegistrationImportTemplate}
              what="预报名"
              shown={batchId}
              batch={(enteredAt) => table.setFilters({ ...noFilters(table.filters), enteredAt })}
            />
            <ImportIntoBatch
              do={importExamineeNos}
              fixedTemplate={fetchExamineeNoTemplate}
              what="考生号"
              label="导入考生号"
              shown={batchId}
            />
            <PackPapers table={table} />
            <ExportButton do={exportPreRegistrations} table={table} sets={exportSets} />
          </Space>
        }
        bulk={[
          bulkStep(reviewPreRegistrations, {
            label: '批量通过',
            confirm: (count) => ({
              title: `通过选中的${count}条预报名？`,
              content: '资料不完整或已审核的会保留并说明原因。',
            }),
            input: () => ({ body: { items, result: 'pass' as const } }),
            all: (filter) => ({ body: { filter, result: 'pass' as const } }),
            undo: (failed) => {
              const items = moved(failed)
              return {
                do: reviewPreRegistrations,
                run: (request) => request(reviewPreRegistrations, { body: { items, result: 'reopen' as const } }),
              }
            },
          }),
          {
            label: '批量退回',
            do: reviewPreRegistrations,
            open: () => giveBack.open(chosen({ items }, items.length)),
            openAll: (filter, count) => giveBack.open(chosen({ filter }, count)),
          },
          {
            label: '调整站点',
            do: movePreRegistrations,
            open: () => move.open(chosen({ items }, items.length)),
            openAll: (filter, count) => move.open(chosen({ filter }, count)),
          },
          bulkStep(missPreRegistrations, {
            label: '标记未录取',
            confirm: (count) => ({
              title: `把选中的${count}条预报名标记为未录取？`,
              content: '只标记批次已结束、已网报而未录取的人员，其他的会保留并说明原因。',
            }),
            input: () => ({ body: { items } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(deletePreRegistrations, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({
              title: `删除选中的${count}条预报名？`,
              content: `${TO_BIN}已关联录取数据的会保留并说明原因。`,
            }),
            input: (ids) => ({ body: { ids } }),
            undo: (failed) => {
              const items = moved(failed)
              return {
                do: recoverPreRegistrations,
                run: (request) => request(recoverPreRegistrations, { body: { items } }),
              }
            },
          }),
        ]}
        actionsWidth={190}
        actions={actionsOf}
        file={(row) => <PreRegistrationDetail id={row.id} />}
        empty="还没有预报名。可新增，或选择批次下载模板批量导入。"
      />
      <PreRegistrationForm key={form.key} {...form.props} batchId={batchId} />
      <AuditDrawer key={`audit-${audit.key}`} {...audit.props} rows={table.rows} />
      <CancelForm key={`cancel-${cancel.key}`} {...cancel.props} />
      <RegistrationFormPaper key={`paper-${paper.key}`} {...paper.props} />
      <ReturnForm key={`return-${giveBack.key}`} {...giveBack.props} />
      <MoveSite key={`move-${move.key}`} {...move.props} />
    </Page>
  )
}
