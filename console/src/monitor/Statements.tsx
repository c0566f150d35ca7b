import { Alert, Button, Select, Space, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import type { StatementOrder } from '@/api/types/monitor'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { useAction } from '@/kit/useAction'
import { listStatements, resetStatements } from './api'
import { REFRESH_MS } from './refresh'

type Order = StatementOrder

const orders: readonly { value: Order; label: string }[] = [
  { value: 'mean', label: '平均耗时' },
  { value: 'total', label: '总耗时' },
  { value: 'max', label: '最大耗时' },
  { value: 'calls', label: '次数' },
]

/** 慢语句: without their values, over all schools. */
export const Statements = () => {
  const [order, setOrder] = useState<Order>('mean')
  const statements = useQuery({
    queryKey: [listStatements.path, order],
    queryFn: () => call(listStatements, { query: { order } }),
    refetchInterval: REFRESH_MS,
  })
  const reset = useAction(resetStatements, { done: '已重置语句统计' })
  if (statements.data && !statements.data.available) {
    return (
      <Alert
        type="info"
        title="数据库未启用语句统计"
        content="请数据库管理员在 shared_preload_libraries 中加入 pg_stat_statements 并重启，再在扩展架构 ext 中创建该扩展。"
      />
    )
  }
  const hidden = statements.data?.list.some(({ statement }) => statement == null)
  return (
    <>
      <Space className="monitor-tools">
        <Select
          aria-label="排序"
          style={{ width: 140 }}
          value={order}
          options={[...orders]}
          onChange={(next: Order) => setOrder(next)}
        />
        <Can do={resetStatements}>
          <Button
            loading={reset.isPending}
            onClick={async () => {
              const sure = await confirm({
                title: '重置语句统计？',
                content: '所有次数和耗时从零开始统计。',
                okText: '重置',
                danger: true,
              })
              if (sure) reset.mutate({})
            }}
          >
            重置
          </Button>
        </Can>
      </Space>
      {hidden && (
        <Alert
          className="form-lead"
          type="warning"
          content="部分语句无权查看，请数据库管理员将 pg_read_all_stats 授予 chengjiao_platform。"
        />
      )}
      <Table
        rowKey={(row) => row.statement ?? `${row.calls}/${row.totalMs}`}
        size="small"
        loading={statements.isPending}
        noDataElement={
          statements.isError ? <Failed error={statements.error} retry={() => statements.refetch()} /> : undefined
        }
        data={statements.data?.list ?? []}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        columns={[
          {
            title: '语句',
            render: (_, row) => <code className="monitor-statement">{row.statement ?? '无权查看'}</code>,
          },
          { title: '次数', width: 110, align: 'right', render: (_, row) => formatNumber(row.calls) },
          { title: '平均(毫秒)', width: 110, align: 'right', render: (_, row) => formatNumber(row.meanMs) },
          { title: '最大(毫秒)', width: 110, align: 'right', render: (_, row) => formatNumber(row.maxMs) },
          { title: '总计(毫秒)', width: 120, align: 'right', render: (_, row) => formatNumber(row.totalMs) },
          { title: '平均行数', width: 100, align: 'right', render: (_, row) => formatNumber(row.rows) },
        ]}
      />
    </>
  )
}
