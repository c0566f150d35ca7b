import type { RowOf } from '@/api/operation'
import { bulkStep, step, withSchool } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  destroyPreRegistration,
  destroyPreRegistrations,
  exportDeletedPreRegistrations,
  listDeletedPreRegistrations,
  recoverPreRegistrations,
} from './api'
import { batches } from './BatchSelect'
import { DeletedDetail } from './PreRegistrationDetail'
import { examTones, statusTones } from './tones'

type Row = RowOf<typeof listDeletedPreRegistrations>

const columns = columnsOf(listDeletedPreRegistrations, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'batchName', width: 180 },
  { field: 'idCardNo', width: 190 },
  { field: 'phone', width: 130, hidden: true },
  { field: 'levelName', width: 90 },
  { field: 'majorName', width: 160 },
  { field: 'siteName', width: 160 },
  { field: 'examStatus', tones: examTones, hidden: true },
  { field: 'deletedBy', width: 110 },
  'deletedAt',
  { field: 'createdAt', hidden: true },
])

const itemOf = (row: Row) => withSchool(row, { id: row.id, version: row.version })

const FOR_GOOD = '照片和材料一并删除，不能再恢复；操作日志中保留一条记录，证件号等已隐去。'

/** 预报名回收站: what was deleted, to be had back, or destroyed by an operator. */
export const RecycleBinPage = () => {
  const table = useQueryTable(listDeletedPreRegistrations)
  return (
    <Page title="预报名回收站" help="删除的预报名保留在这里，恢复后状态与删除前相同。" personal>
      <FilterBar table={table}>
        <OptionFilter of={listDeletedPreRegistrations} field="batchId" {...batches} />
        <TextFilter of={listDeletedPreRegistrations} field="keyword" />
        <TextFilter of={listDeletedPreRegistrations} field="deletedBy" />
        <DateRangeFilter of={listDeletedPreRegistrations} from="deletedFrom" to="deletedTo" label="删除日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exportDeletedPreRegistrations} table={table} />}
        bulk={[
          bulkStep(recoverPreRegistrations, {
            label: '批量恢复',
            confirm: (count) => ({
              title: `恢复选中的${count}条预报名？`,
              content: '已有相同证件号的有效数据时不能恢复，会保留并说明原因。',
            }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(destroyPreRegistrations, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({ title: `彻底删除选中的${count}条预报名？`, content: FOR_GOOD }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
        ]}
        file={(row) => <DeletedDetail id={row.id} />}
        actions={(row) => [
          step(recoverPreRegistrations, {
            label: '恢复',
            with: { body: { items: [itemOf(row)] } },
            confirm: { title: `恢复“${row.name}”的预报名？`, content: '恢复后状态与删除前相同。' },
            done: `已恢复“${row.name}”的预报名`,
          }),
          step(destroyPreRegistration, {
            label: '删除',
            danger: true,
            with: { query: { id: row.id } },
            confirm: { title: `彻底删除“${row.name}”的预报名？`, content: FOR_GOOD },
            done: `已彻底删除“${row.name}”的预报名`,
          }),
        ]}
        empty="回收站是空的。"
      />
    </Page>
  )
}
