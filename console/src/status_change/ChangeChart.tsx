import { Empty } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { TabList } from '@/kit/TabList'
import { usePlaces } from '@/kit/usePlaces'
import type { SharedPath } from '@/paths'
import { countChanges } from './api'
import { daysOfMonth, leavingTabs, type Type } from './changeRules'
import '@/kit/figures.css'
import './statusChange.css'

type Asked = BodyOf<typeof countChanges>
type Line = DataOf<typeof countChanges>['list'][number]

/** How the changes of a list are counted beside it. */
const ways = [
  ['month', '按生效月份'],
  ['flow', '按专业流向'],
] as const
type Way = (typeof ways)[number][0]

interface ChangeChartProps {
  place: SharedPath
  type: Type
  /** What the list was asked for; the figures are of the same changes. */
  table: { body: object; filters: Record<string, string> }
}

/** The changes beside their list: how many took effect in a month, and from which major to which. */
export const ChangeChart = ({ place, type, table }: ChangeChartProps) => {
  const request = useRequest()
  const places = usePlaces()
  const [by, setBy] = useState<Way>('month')
  const filter = Object.fromEntries(Object.entries(table.body).filter(([name]) => name in countChanges.fields))
  const body: Asked = { ...filter, by }
  const told = useQuery({
    queryKey: [countChanges.path, body],
    queryFn: ({ signal }) => request(countChanges, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const tab = leavingTabs.some(([each]) => each === type) && type !== 'dropout' ? { tab: type } : {}
  const leading = (filters: Record<string, string>) => places(place, { ...tab, ...table.filters, ...filters })
  const point = ({ key, name, toKey, toName, count }: Line) =>
    by === 'month'
      ? { name, value: count, link: key ? leading(daysOfMonth(key)) : undefined }
      : { name: `${name} → ${toName ?? ''}`, value: count, link: toKey ? leading({ majorId: toKey }) : undefined }
  return (
    <aside className="change-chart" aria-label="异动统计">
      {type === 'professional' && <TabList label="统计方式" tabs={ways} value={by} onChange={setBy} />}
      <Loaded query={told} rows={4}>
        {({ list, total }) => (
          <div className={told.isPlaceholderData ? 'table-stale' : undefined}>
            {list.length === 0 ? (
              <Empty description="还没有可统计的异动" />
            ) : (
              <Chart
                data={{
                  title: ways.find(([way]) => way === by)?.[1] ?? '',
                  unit: '条',
                  kind: 'bar',
                  series: [{ name: '异动', points: list.map(point) }],
                }}
              />
            )}
            <p className="form-hint">
              {`共${formatNumber(total)}条，条件与列表相同；`}
              {by === 'month' ? '没有生效日期的计入“未定”；' : '点击查看现专业为新专业的异动；'}
              {`截至 ${formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}`}
            </p>
          </div>
        )}
      </Loaded>
    </aside>
  )
}
