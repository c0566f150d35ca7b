import { Button, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import { confirm } from '@/kit/confirm'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { endOwnSession, listOwnSessions } from '../api'
import { deviceOf } from './device'

/** 登录设备: where one is signed in. */
export const Sessions = () => {
  const sessions = useQuery({ queryKey: [listOwnSessions.path], queryFn: () => call(listOwnSessions) })
  const end = useAction(endOwnSession, { done: '已退出该设备' })
  return (
    <section aria-label="登录设备" className="own-wide">
      <h2>登录设备</h2>
      <Table
        rowKey="id"
        size="small"
        pagination={false}
        loading={sessions.isPending}
        noDataElement={
          sessions.isError ? <Failed error={sessions.error} retry={() => sessions.refetch()} /> : undefined
        }
        data={sessions.data ?? []}
        columns={[
          {
            title: '设备',
            render: (_, row) => (
              <>
                {deviceOf(row.userAgent)} {row.current && <Word tone="good">当前</Word>}
              </>
            ),
          },
          { title: '所在', render: (_, row) => row.schoolName ?? '平台' },
          { title: 'IP地址', dataIndex: 'ip' },
          { title: '登录时间', render: (_, row) => formatTime(row.issuedAt) },
          { title: '最近活动', render: (_, row) => formatTime(row.lastSeenAt) },
          {
            title: '操作',
            render: (_, row) => (
              <Button
                type="text"
                size="small"
                status="danger"
                disabled={row.current}
                title={row.current ? '当前登录请使用退出登录' : undefined}
                onClick={async () => {
                  const sure = await confirm({
                    title: '退出该设备的登录？',
                    content: `${deviceOf(row.userAgent)}，${row.ip}`,
                    okText: '退出',
                    danger: true,
                  })
                  if (sure) end.mutate({ query: { id: row.id } })
                }}
              >
                退出
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}
