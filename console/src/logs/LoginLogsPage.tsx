import { useNavigate } from 'react-router'
import { useIdentity } from '@/api/identity'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { SchoolFilter } from '@/schools/SchoolFilter'
import { exportLoginLogs, listLoginLogs, listUserLogs } from './api'

const columns = columnsOf(listLoginLogs, [
  { field: 'at', fixed: 'left' },
  { field: 'result', width: 75, fixed: 'left', tones: { succeeded: 'good', failed: 'bad' } },
  { field: 'identity', width: 95 },
  { field: 'loginName', width: 125 },
  { field: 'realName', width: 95 },
  { field: 'schoolName', width: 165 },
  { field: 'event', width: 95 },
  { field: 'reason', width: 150 },
  { field: 'ip', width: 130 },
  { field: 'device', width: 75 },
  { field: 'userAgent', width: 320, hidden: true },
  { field: 'sessionCode', width: 110, hidden: true },
  { field: 'operationCount', width: 90, hidden: true },
  { field: 'endedAt', hidden: true },
  { field: 'sessionMinutes', width: 140, hidden: true },
  { field: 'endReason', width: 130, hidden: true },
])
const columnsInside = columns.filter(({ key }) => key !== 'schoolName')

/** 登录日志: who came in, who was refused, and how it ended. */
export const LoginLogsPage = () => {
  const table = useQueryTable(listLoginLogs)
  const navigate = useNavigate()
  const inside = useIdentity((state) => state.account?.area) === 'school'
  return (
    <Page title="登录日志" help="账号的登录、退出与进入院校；默认显示最近7天，一次最多查询92天。" personal>
      <FilterBar table={table}>
        <DateRangeFilter of={listLoginLogs} from="startsOn" to="endsOn" label="时间" />
        <TextFilter of={listLoginLogs} field="keyword" />
        <EnumFilter of={listLoginLogs} field="event" />
        <EnumFilter of={listLoginLogs} field="result" />
        <EnumFilter of={listLoginLogs} field="identity" />
        {!inside && <SchoolFilter of={listLoginLogs} field="schoolId" />}
        <TextFilter of={listLoginLogs} field="ip" />
        <SelectFilter
          of={listLoginLogs}
          field="unusual"
          label="异常"
          options={[{ value: 'true', label: '失败或在0点至6点' }]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={inside ? columnsInside : columns}
        nameOf={(log) => `${log.loginName} ${formatTime(log.at)}`}
        actions={({ sessionId }) =>
          sessionId
            ? [
                {
                  label: '查看操作',
                  do: listUserLogs,
                  onClick: () => navigate(`${paths.userLogs}?sessionId=${sessionId}`),
                },
              ]
            : []
        }
        tools={<ExportButton do={exportLoginLogs} table={table} />}
        empty="最近7天没有登录记录。可以选择更早的时间。"
      />
    </Page>
  )
}
