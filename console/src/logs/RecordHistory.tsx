import { Button, Empty, Skeleton } from '@arco-design/web-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { OperationMeta } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { listRecordChanges } from './api'
import { changedText } from './changedText'

const PAGE = 20

interface RecordHistoryProps {
  /** The record's table, as the server knows it. */
  of: string
  id: number
}

/** 操作日志 of one record: who changed which fields, the newest first. */
export const RecordHistory = ({ of: entityType, id }: RecordHistoryProps) => {
  const call = useCall()
  const history = useInfiniteQuery({
    queryKey: [listRecordChanges.path, entityType, id],
    queryFn: ({ pageParam }) =>
      call(listRecordChanges, { body: { entityType, entityId: id, pageCurrent: pageParam, pageSize: PAGE } }),
    initialPageParam: 1,
    getNextPageParam: ({ pageCurrent, totalPage }) => (pageCurrent < totalPage ? pageCurrent + 1 : undefined),
  })
  if (history.isPending) return <Skeleton text={{ rows: 4 }} animation />
  if (history.isError) return <Failed error={history.error} retry={() => history.refetch()} />
  const changes = history.data.pages.flatMap((page) => page.list)
  if (changes.length === 0) return <Empty description="还没有操作记录" />
  return (
    <>
      <ol className="history" aria-label="操作日志">
        {changes.map((change) => (
          <li key={change.id}>
            <strong>{change.action}</strong> {formatTime(change.at)} {change.actorName}
            {change.onBehalfOf && `（${change.onBehalfOf}）`}
            {change.fields.map((field) => (
              <p key={field.field} title={field.field}>
                {field.label}：{changedText(field.before)} → {changedText(field.after)}
              </p>
            ))}
          </li>
        ))}
      </ol>
      {history.hasNextPage && (
        <Button type="text" loading={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
          更早的记录
        </Button>
      )}
    </>
  )
}

/** The same below the fields of a row's detail, for those who may open the record. */
export const historyOf = (view: OperationMeta, table: string) => (row: { id: number }) => (
  <Can do={view}>
    <section aria-label="操作日志">
      <h3>操作日志</h3>
      <RecordHistory of={table} id={row.id} />
    </section>
  </Can>
)
