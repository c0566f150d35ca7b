import { Button, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { ScheduledJobState } from '@/api/types/monitor'
import { Can } from '@/kit/Can'
import { formatNumber, formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { type Tone, Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { listScheduledJobs, runScheduledJob } from './api'
import { REFRESH_MS } from './refresh'

type State = ScheduledJobState

const states: Record<State, [words: string, tone: Tone]> = {
  never: ['未执行', 'quiet'],
  queued: ['排队中', 'quiet'],
  running: ['执行中', 'busy'],
  done: ['已完成', 'good'],
  failed: ['失败', 'bad'],
  cancelled: ['已取消', 'quiet'],
}

/** 任务: what comes round by itself, and what failed in seven days. */
export const Jobs = () => {
  const jobs = useQuery({
    queryKey: [listScheduledJobs.path],
    queryFn: () => call(listScheduledJobs),
    refetchInterval: REFRESH_MS,
  })
  const run = useAction(runScheduledJob, { done: '已开始执行' })
  return (
    <>
      <Table
        rowKey="kind"
        size="small"
        loading={jobs.isPending}
        noDataElement={jobs.isError ? <Failed error={jobs.error} retry={() => jobs.refetch()} /> : undefined}
        data={jobs.data?.scheduled ?? []}
        pagination={false}
        columns={[
          { title: '任务', dataIndex: 'title' },
          { title: '执行时间', dataIndex: 'when', width: 130 },
          {
            title: '状态',
            width: 100,
            render: (_, row) => <Word tone={states[row.state][1]}>{states[row.state][0]}</Word>,
          },
          { title: '最近执行', width: 180, render: (_, row) => formatTime(row.lastStartedAt) || '—' },
          {
            title: '耗时',
            width: 110,
            align: 'right',
            render: (_, row) => (row.durationMs == null ? '—' : `${formatNumber(row.durationMs)} 毫秒`),
          },
          { title: '结果', dataIndex: 'message' },
          {
            title: '操作',
            width: 110,
            render: (_, row) => (
              <Can do={runScheduledJob}>
                <Button
                  type="text"
                  size="small"
                  disabled={row.state === 'running' || row.state === 'queued'}
                  onClick={() => run.mutate({ body: { name: row.kind } })}
                >
                  立即执行
                </Button>
              </Can>
            ),
          },
        ]}
      />
      <h2 className="monitor-head">7天内失败的任务（{formatNumber(jobs.data?.failedCount ?? 0)}）</h2>
      <Table
        rowKey="id"
        size="small"
        data={jobs.data?.failed ?? []}
        pagination={false}
        noDataElement="7天内没有失败的任务"
        columns={[
          { title: '任务', dataIndex: 'title' },
          { title: '院校', render: (_, row) => row.schoolName ?? '平台' },
          { title: '发起人', dataIndex: 'actorName' },
          { title: '结束时间', render: (_, row) => formatTime(row.finishedAt) },
          { title: '原因', dataIndex: 'message' },
        ]}
      />
    </>
  )
}
