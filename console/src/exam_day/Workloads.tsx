import { sites } from '@/basic_data/choices'
import { allBatches } from '@/exams/choices'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter } from '@/kit/filters'
import { formatTenths } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportWorkload, listWorkload } from './api'

const columns = columnsOf(listWorkload, [
  { field: 'name', width: 120, fixed: 'left' },
  { field: 'workNo', under: 'name' },
  { field: 'kind', width: 100 },
  { field: 'siteName', title: '站点', width: 160 },
  { field: 'dutyCount', width: 100 },
  { field: 'chiefCount', width: 110 },
  { field: 'hours', width: 130, render: ({ hours }) => formatTenths(hours) },
])

/** 工作量统计: how often and how long each watches. */
export const Workloads = () => {
  const table = useQueryTable(listWorkload)
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listWorkload} field="batchId" {...allBatches} />
        <OptionFilter of={listWorkload} field="siteId" {...sites} />
        <EnumFilter of={listWorkload} field="kind" />
        <DateRangeFilter of={listWorkload} from="from" to="to" label="日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        tools={<ExportButton do={exportWorkload} table={table} />}
        empty="还没有监考安排。"
      />
    </>
  )
}
