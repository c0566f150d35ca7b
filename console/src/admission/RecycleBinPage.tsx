import type { RowOf } from '@/api/operation'
import { batches } from '@/enrolment/BatchSelect'
import { bulkStep, step, withSchool } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { DeletedAdmissionFile } from './AdmissionFile'
import {
  destroyAdmission,
  destroyAdmissions,
  exportDeletedAdmissions,
  listDeletedAdmissions,
  recoverAdmissions,
} from './api'
import { statusTones } from './tones'

type Row = RowOf<typeof listDeletedAdmissions>

const columns = columnsOf(listDeletedAdmissions, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'examineeNo', width: 150, under: 'name' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'batchName', width: 180 },
  { field: 'idCardNo', width: 190 },
  {
    field: 'authorityMajorName',
    width: 180,
    render: ({ authorityMajorCode, authorityMajorName }) =>
      [authorityMajorCode, authorityMajorName].filter(Boolean).join(' '),
  },
  { field: 'majorName', width: 160, hidden: true },
  { field: 'totalScore', width: 80 },
  { field: 'siteName', width: 160 },
  { field: 'deletedBy', width: 110 },
  'deletedAt',
  { field: 'fileName', width: 160, hidden: true },
  { field: 'createdAt', hidden: true },
])

const itemOf = (row: Row) => withSchool(row, { id: row.id, version: row.version })

const AS_BEFORE = '恢复后状态和站点与删除前相同；预报名需要重新匹配。'
const FOR_GOOD = '不能再恢复；操作日志中保留一条记录，证件号等已隐去。招办文件再次导入时作为新的数据。'

/** 录取回收站: what was deleted, to be had back, or destroyed by an operator (02 §8). */
export const RecycleBinPage = () => {
  const table = useQueryTable(listDeletedAdmissions)
  return (
    <Page title="录取回收站" help="删除的录取数据保留在这里；其中的考生号恢复或彻底删除前不能再导入。" personal>
      <FilterBar table={table}>
        <OptionFilter of={listDeletedAdmissions} field="batchId" {...batches} />
        <TextFilter of={listDeletedAdmissions} field="keyword" />
        <TextFilter of={listDeletedAdmissions} field="deletedBy" />
        <DateRangeFilter of={listDeletedAdmissions} from="deletedFrom" to="deletedTo" label="删除日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportDeletedAdmissions} table={table} />}
        bulk={[
          bulkStep(recoverAdmissions, {
            label: '批量恢复',
            confirm: (count) => ({
              title: `恢复选中的${count}条录取数据？`,
              content: `${AS_BEFORE}已有相同考生号或证件号的有效数据、批次已结束的会保留并说明原因。`,
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(destroyAdmissions, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({ title: `彻底删除选中的${count}条录取数据？`, content: FOR_GOOD }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
        ]}
        file={(row) => <DeletedAdmissionFile id={row.id} />}
        actions={(row) => [
          step(recoverAdmissions, {
            label: '恢复',
            with: { body: { items: [itemOf(row)] } },
            confirm: { title: `恢复“${row.name}”的录取数据？`, content: AS_BEFORE },
            done: `已恢复“${row.name}”的录取数据`,
          }),
          step(destroyAdmission, {
            label: '删除',
            danger: true,
            with: { query: { id: row.id } },
            confirm: { title: `彻底删除“${row.name}”的录取数据？`, content: FOR_GOOD },
            done: `已彻底删除“${row.name}”的录取数据`,
          }),
        ]}
        empty="回收站是空的。"
      />
    </Page>
  )
}
