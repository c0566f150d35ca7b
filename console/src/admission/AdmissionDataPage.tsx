import { Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import { isOverAll, useCall, useSchoolContext } from '@/api/schoolContext'
import { grades, levels, majors } from '@/basic_data/choices'
import { batches } from '@/enrolment/BatchSelect'
import { bulkStep, type RowAction, step } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { ImportPhotos } from '@/student_status/ImportPhotos'
import { AdmissionFile } from './AdmissionFile'
import { AdmissionsOfSchools } from './AdmissionsOfSchools'
import { can, type Row } from './admissionRules'
import {
  cancelAdmission,
  deleteAdmission,
  deleteAdmissions,
  editAdmission,
  exportAdmissions,
  importAdmissionPhotos,
  listAdmissionImports,
  listAdmissions,
  matchAdmissionByHand,
  matchAdmissions,
  recoverAdmissions,
  viewAdmission,
} from './api'
import { CancelForm } from './CancelForm'
import { type AdmissionView, ContactForm } from './ContactForm'
import { dataColumns } from './columns'
import { ImportAdmissions } from './ImportAdmissions'
import { ImportRecords, useImportsOf } from './ImportRecords'
import { MatchByHand } from './MatchByHand'
import { countsOf, WITH_ISSUE } from './schoolFigures'
import '@/kit/figures.css'
import './admission.css'

const itemOf = ({ id, version }: Row) => ({ id, version })

/** A row that a step left one version further. */
const leftAt = ({ id, version }: Row) => ({ id, version: version + 1 })

const TO_BIN = '删除后进入回收站，不再计入名单和统计；预报名解除匹配，站点名额释放。'

type Table = ReturnType<typeof useQueryTable<unknown, Row>>

/** 总数, 已匹配, 未匹配, 冲突, 有问题: each leads to its people. */
const Strip = ({ table }: { table: Pick<Table, 'filters' | 'setFilters' | 'segments' | 'query'> }) => {
  const counts = countsOf(table.segments)
  const named = (words: string, count: number) => (table.query.data ? `${words} ${formatNumber(count)}` : words)
  return (
    <div className="list-tabs">
      <TabList
        label="匹配"
        tabs={[
          ['', named('总数', counts.total)],
          ['matched', named('已匹配', counts.matched)],
          ['unmatched', named('未匹配', counts.unmatched)],
          ['conflict', named('有冲突', counts.conflict)],
          [WITH_ISSUE, named('有问题', counts.withIssue)],
        ]}
        value={table.filters.hasIssue === 'true' ? WITH_ISSUE : (table.filters.matchStatus ?? '')}
        onChange={(chosen) =>
          table.setFilters({
            matchStatus: chosen === WITH_ISSUE ? undefined : chosen || undefined,
            hasIssue: chosen === WITH_ISSUE ? 'true' : undefined,
          })
        }
      />
    </div>
  )
}

/** 录取数据: whom the authority admitted, as its file has them, and who they are here. */
export const AdmissionDataPage = () => {
  const table = useQueryTable(listAdmissions)
  const overAll = isOverAll(useSchoolContext())
  const allowed = useAllowed()
  const call = useCall()
  const contact = useDrawer<AdmissionView>()
  const cancel = useDrawer<Row>()
  const match = useDrawer<Row>()
  const batchId = Number(table.filters.batchId) || undefined
  const imports = useImportsOf(batchId, allowed(listAdmissionImports))
  const items = table.tickedRows.map(itemOf)
  const editing = useMutation({
    mutationFn: ({ id }: Row) => call(viewAdmission, { query: { id } }),
    onSuccess: (admission) => contact.open(admission),
  })
  const actionsOf = (row: Row): RowAction[] => [
    { label: '查看', do: viewAdmission, onClick: () => table.open(row) },
    { label: '手工匹配', do: matchAdmissionByHand, disabled: can.match(row), onClick: () => match.open(row) },
    { label: '编辑联系方式', do: editAdmission, disabled: can.contact(row), onClick: () => editing.mutate(row) },
    step(matchAdmissionByHand, {
      label: '取消匹配',
      disabled: can.unmatch(row),
      with: { body: { ...itemOf(row), preRegistrationId: null } },
      confirm: {
        title: `取消“${row.name}”与预报名的匹配？`,
        content: '已分配的站点保持不变，预报名恢复为已网报。',
      },
      done: `已取消“${row.name}”的匹配`,
    }),
    row.status === 'cancelled'
      ? { label: '恢复录取', do: cancelAdmission, onClick: () => cancel.open(row) }
      : {
          label: '注销录取',
          do: cancelAdmission,
          danger: true,
          disabled: can.cancel(row),
          onClick: () => cancel.open(row),
        },
    step(deleteAdmission, {
      label: '删除',
      danger: true,
      disabled: can.delete(row),
      with: { query: { id: row.id } },
      confirm: { title: `删除“${row.name}”的录取数据？`, content: TO_BIN },
      done: `已删除“${row.name}”的录取数据`,
      undo: () => undoBy(recoverAdmissions, { body: { items: [leftAt(row)] } }),
    }),
  ]
  return (
    <Page title="录取数据" help="省招办的录取名单：导入后与预报名匹配，核对问题，再分配站点和审核。" personal>
      <div className="admission-head">
        <Strip table={table} />
        {overAll && <AdmissionsOfSchools filter={table.body} />}
      </div>
      <FilterBar table={table}>
        <OptionFilter of={listAdmissions} field="batchId" {...batches} />
        <TextFilter of={listAdmissions} field="keyword" />
        <EnumFilter of={listAdmissions} field="status" />
        <EnumFilter of={listAdmissions} field="issue" />
        <EnumFilter of={listAdmissions} field="matchStatus" />
        {imports.data && (
          <SelectFilter
            of={listAdmissions}
            field="importId"
            options={imports.data.map(({ id, fileName, createdAt }) => ({
              value: String(id),
              label: `${fileName} ${formatTime(createdAt, 'MM-DD HH:mm')}`,
            }))}
          />
        )}
        <OptionFilter of={listAdmissions} field="gradeId" {...grades} />
        <OptionFilter of={listAdmissions} field="levelId" {...levels} />
        <OptionFilter of={listAdmissions} field="majorId" {...majors} />
        <EnumFilter of={listAdmissions} field="studyForm" />
        <DateRangeFilter of={listAdmissions} from="createdFrom" to="createdTo" label="导入日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={dataColumns}
        nameOf={(row) => row.name}
        primary={
          <ImportAdmissions
            shown={batchId}
            onShow={(batch) => table.setFilters({ ...noFilters(table.filters), batchId: String(batch) })}
          />
        }
        tools={
          <Space size={4}>
            <ImportRecords
              shown={batchId}
              onShow={(batch, importId) =>
                table.setFilters({
                  ...noFilters(table.filters),
                  batchId: String(batch),
                  importId: String(importId),
                })
              }
            />
            <ImportPhotos
              do={importAdmissionPhotos}
              naming="压缩包内的图片以考生号或证件号命名，jpg 或 png，宽高比3:4；报到后成为学生的录取照片。"
              nobody="没有对应的录取数据"
            />
            <ExportButton do={exportAdmissions} table={table} />
          </Space>
        }
        bulk={[
          bulkStep(matchAdmissions, {
            label: '重新匹配',
            confirm: (count) => ({
              title: `为选中的${count}人重新匹配预报名？`,
              content: '按证件号、考生号查找；已匹配的保持不变，有冲突的重新判断，已审核和已注销的会说明原因。',
            }),
            input: () => ({ body: { items } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(deleteAdmissions, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({
              title: `删除选中的${count}条录取数据？`,
              content: `${TO_BIN}已审核和不予入学的会保留并说明原因。`,
            }),
            input: (ids) => ({ body: { ids } }),
            undo: (failed) => {
              const items = table.tickedRows.filter(({ id }) => !failed.has(id)).map(leftAt)
              return undoBy(recoverAdmissions, { body: { items } })
            },
          }),
        ]}
        actionsWidth={200}
        actions={actionsOf}
        file={(row) => <AdmissionFile id={row.id} />}
        empty="还没有录取数据。请在进行中的招生批次下导入省招办的录取库。"
      />
      <ContactForm key={contact.key} {...contact.props} />
      <CancelForm key={`cancel-${cancel.key}`} {...cancel.props} />
      <MatchByHand key={`match-${match.key}`} {...match.props} />
    </Page>
  )
}
