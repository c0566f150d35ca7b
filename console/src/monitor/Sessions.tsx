import { Button, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { cancelStatement, listDatabaseSessions } from './api'
import { REFRESH_MS } from './refresh'
import { blockTree } from './tree'

const NOTHING = <span className="nothing">—</span>

/** 会话与锁: who works, and who waits for whom as a tree. */
export const Sessions = () => {
  const sessions = useQuery({
    queryKey: [listDatabaseSessions.path],
    queryFn: () => call(listDatabaseSessions),
    refetchInterval: REFRESH_MS,
  })
  const cancel = useAction(cancelStatement, { done: '已取消语句' })
  const rows = blockTree(sessions.data ?? [])
  return (
    <Table
      key={rows.length}
      rowKey="key"
      size="small"
      loading={sessions.isPending}
      noDataElement={sessions.isError ? <Failed error={sessions.error} retry={() => sessions.refetch()} /> : undefined}
      data={rows}
      defaultExpandAllRows
      pagination={false}
      scroll={{ x: 1100 }}
      columns={[
        { title: '进程号', dataIndex: 'pid', width: 130, fixed: 'left' },
        { title: '院校', width: 170, render: (_, row) => row.schoolName ?? NOTHING },
        {
          title: '状态',
          width: 110,
          render: (_, row) => (
            <Word tone={row.blockedBy.length > 0 ? 'bad' : row.cancellable ? 'busy' : 'quiet'}>
              {row.blockedBy.length > 0 ? '被阻塞' : row.state}
            </Word>
          ),
        },
        { title: '开始时间', width: 180, render: (_, row) => formatTime(row.since) || NOTHING },
        { title: '等待', width: 150, render: (_, row) => row.waitingFor ?? NOTHING },
        { title: '内存(MB)', width: 90, align: 'right', render: (_, row) => row.memoryMb ?? NOTHING },
        {
          title: '语句',
          width: 360,
          render: (_, row) => <code className="monitor-statement">{row.statement ?? '—'}</code>,
        },
        {
          title: '操作',
          width: 100,
          fixed: 'right',
          render: (_, row) => (
            <Can do={cancelStatement}>
              <Button
                type="text"
                size="small"
                status="danger"
                disabled={!row.cancellable}
                title={row.cancellable ? undefined : '没有正在执行的语句，或不是本系统的会话'}
                onClick={async () => {
                  const sure = await confirm({
                    title: `取消进程 ${row.pid} 的语句？`,
                    content: '正在等待它的人会得到失败的提示；连接保留。',
                    okText: '取消语句',
                    danger: true,
                  })
                  if (sure) cancel.mutate({ body: { pid: row.pid } })
                }}
              >
                取消语句
              </Button>
            </Can>
          ),
        },
      ]}
    />
  )
}
