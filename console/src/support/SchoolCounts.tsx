import { Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import type { Desk } from './desks'
import './support.css'

/** 咨询 for operators, where schools answer their people themselves: how many wait in each of them. */
export const SchoolCounts = ({ desk }: { desk: Desk }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [desk.statistics.path, 'schools'],
    queryFn: ({ signal }) => request(desk.statistics, { body: { schoolsOnly: true } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ schools }) => (
        <section className="help-stat" aria-label="各院校咨询">
          <p className="form-hint">咨询由各院校回复，这里只看数量，每分钟统计一次。</p>
          {schools.length === 0 ? (
            <Empty description="各院校还没有此类咨询" />
          ) : (
            <Table
              size="small"
              rowKey="schoolId"
              pagination={false}
              data={schools}
              scroll={{ x: 640 }}
              columns={[
                { title: '院校', dataIndex: 'schoolName' },
                { title: '待回复', dataIndex: 'waiting', width: 100, align: 'right', render: formatNumber },
                { title: '已回复', dataIndex: 'replied', width: 100, align: 'right', render: formatNumber },
                { title: '已关闭', dataIndex: 'closed', width: 100, align: 'right', render: formatNumber },
                { title: '统计时间', dataIndex: 'computedAt', width: 180, render: (at: string) => formatTime(at) },
              ]}
            />
          )}
        </section>
      )}
    </Loaded>
  )
}
