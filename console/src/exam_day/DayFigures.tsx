import { Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { countExamDay } from './api'
import { type Figure, totalsOf } from './dayRules'

const MINUTES = 'YYYY-MM-DD HH:mm'

/** 统计: of each site and session who should have come, who came, who did not, who broke the rules. */
export const DayFigures = ({ batchId }: { batchId: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [countExamDay.path, batchId],
    queryFn: ({ signal }) => request(countExamDay, { query: { batchId } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(rows) => {
        const total = totalsOf(rows)
        return (
          <>
            <p className="form-lead">
              应考{formatNumber(total.planned)}人次，实考{formatNumber(total.present)}人次，缺考
              {formatNumber(total.absent)}人次，违规{formatNumber(total.violations)}人次；只统计已登记的考场。
            </p>
            {rows.length > 0 && (
              <Chart
                data={{
                  title: '各站点缺考人次',
                  kind: 'bar',
                  unit: '人次',
                  series: [
                    {
                      name: '缺考',
                      points: [...new Set(rows.map(({ siteName }) => siteName))].map((name) => ({
                        name,
                        value: totalsOf(rows.filter(({ siteName }) => siteName === name)).absent,
                      })),
                    },
                  ],
                }}
              />
            )}
            <Table
              rowKey={({ siteId, sessionId }: Figure) => `${siteId}-${sessionId}`}
              size="small"
              border={{ wrapper: true }}
              pagination={{ pageSize: 50, hideOnSinglePage: true }}
              data={rows}
              noDataElement={<Empty description="本批次还没有编排座位的考场" />}
              columns={[
                { title: '站点', dataIndex: 'siteName' },
                { title: '场次', dataIndex: 'sessionCode', width: 80 },
                {
                  title: '开始时间',
                  width: 160,
                  render: (_: unknown, row: Figure) => formatTime(row.startsAt, MINUTES),
                },
                {
                  title: '应考',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, row: Figure) => formatNumber(row.planned),
                },
                {
                  title: '实考',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, row: Figure) => formatNumber(row.present),
                },
                {
                  title: '缺考',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, row: Figure) => formatNumber(row.absent),
                },
                {
                  title: '缺考率',
                  width: 90,
                  align: 'right',
                  render: (_: unknown, row: Figure) => formatPercent(row.absentRate),
                },
                {
                  title: '违规',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, row: Figure) => formatNumber(row.violations),
                },
              ]}
            />
          </>
        )
      }}
    </Loaded>
  )
}
