import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { listSchoolSchemas } from './api'
import { REFRESH_MS } from './refresh'

const columns = columnsOf(listSchoolSchemas, [
  { field: 'name', width: 200, fixed: 'left' },
  { field: 'schemaName', width: 120 },
  { field: 'sizeMb', width: 110 },
  { field: 'tableCount', width: 80 },
  {
    field: 'largestTables',
    width: 260,
    render: (row) => row.largestTables.map(({ name, sizeMb }) => `${name} ${formatNumber(sizeMb)}MB`).join('、') || '—',
  },
  { field: 'estimatedRows', width: 110, help: '数据库统计的估计值' },
  { field: 'deadRowPercent', width: 110 },
  { field: 'transactionsPerMinute', width: 110, help: '本服务进程在最近一分钟内' },
  'lastActiveAt',
  { field: 'schemaVersion', width: 100 },
])

/** 院校库: how much each school's schema holds. */
export const Schools = () => {
  const table = useQueryTable(listSchoolSchemas, { refetchInterval: () => REFRESH_MS })
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listSchoolSchemas} field="keyword" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(school) => school.name}
        empty="还没有院校。在“院校列表”中开通第一所。"
      />
    </>
  )
}
