import { useIdentity } from '@/api/identity'
import type { BodyOf, Operation, RowOf } from '@/api/operation'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { type PageOf, useQueryTable } from '@/kit/useQueryTable'
import { SchoolFilter } from '@/schools/SchoolFilter'
import { exportOperationLogs, listSystemLogs, listUserLogs } from './api'
import { CheckLogs } from './CheckLogs'
import { OperationLogFile } from './OperationLogFile'
import { codes, codeWords, isDone } from './resultCodes'

type OperationLog = RowOf<typeof listSystemLogs>
type OperationLogFilter = BodyOf<typeof listSystemLogs>
type List = Operation<undefined, OperationLogFilter, PageOf<OperationLog>>

const columnsFor = (list: List) =>
  columnsOf(list, [
    { field: 'at', fixed: 'left' },
    {
      field: 'resultCode',
      title: '结果',
      width: 150,
      fixed: 'left',
      render: ({ resultCode }) => <Word tone={isDone(resultCode) ? 'good' : 'bad'}>{codeWords(resultCode)}</Word>,
    },
    { field: 'actorName', width: 150 },
    { field: 'actorType', hidden: true },
    { field: 'schoolName', width: 180 },
    { field: 'module', width: 110 },
    { field: 'operation', width: 190 },
    { field: 'target', width: 150 },
    { field: 'durationMs', width: 110 },
    { field: 'ip', width: 140 },
    { field: 'path', width: 260, hidden: true },
    { field: 'sensitive', help: '导出，或查看完整的个人信息', width: 100, hidden: true },
    { field: 'onBehalfOf', width: 220, hidden: true },
    { field: 'traceId', width: 170, hidden: true },
  ])
const systemColumns = columnsFor(listSystemLogs)
const userColumns = columnsFor(listUserLogs)

interface OperationLogsProps {
  title: string
  help: string
  of: List
  list: 'system' | 'user'
  columns: ReturnType<typeof columnsFor>
}

const OperationLogs = ({ title, help, of, list, columns }: OperationLogsProps) => {
  const table = useQueryTable(of)
  const inside = useIdentity((state) => state.account?.area) === 'school'
  return (
    <Page title={title} help={`${help}；默认显示最近7天，一次最多查询92天。`} personal>
      <FilterBar table={table}>
        <DateRangeFilter of={of} from="startsOn" to="endsOn" label="时间" />
        <TextFilter of={of} field="keyword" />
        <EnumFilter of={of} field="module" />
        <TextFilter of={of} field="operation" />
        {list === 'user' && <EnumFilter of={of} field="actorType" />}
        {!inside && <SchoolFilter of={of} field="schoolId" />}
        <SelectFilter of={of} field="resultCode" label="结果" options={codes} />
        <TextFilter of={of} field="path" />
        <TextFilter of={of} field="traceId" />
        <TextFilter of={of} field="sessionId" />
        <SelectFilter
          of={of}
          field="onBehalf"
          label="代操作"
          options={[{ value: 'true', label: '平台人员进入院校后' }]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={inside ? columns.filter(({ key }) => key !== 'schoolName') : columns}
        nameOf={(log) => `${log.operation} ${formatTime(log.at)}`}
        file={(log) => <OperationLogFile id={log.id} showSession={(sessionId) => table.setFilters({ sessionId })} />}
        tools={
          <>
            {list === 'system' && <CheckLogs />}
            <ExportButton do={exportOperationLogs} table={{ body: { ...table.body, list }, total: table.total }} />
          </>
        }
        empty="最近7天没有操作记录。可以选择更早的时间。"
      />
    </Page>
  )
}

/** 系统操作日志: what platform staff and jobs did. */
export const SystemLogsPage = () => (
  <OperationLogs
    title="系统操作日志"
    help="平台人员与后台任务的操作"
    of={listSystemLogs}
    list="system"
    columns={systemColumns}
  />
)

/** 用户操作日志: what everybody else did, and operators inside a school. */
export const UserLogsPage = () => (
  <OperationLogs
    title="用户操作日志"
    help="院校人员的操作，以及平台人员进入院校后的操作"
    of={listUserLogs}
    list="user"
    columns={userColumns}
  />
)
