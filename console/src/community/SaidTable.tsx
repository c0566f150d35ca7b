import { Empty, Select, Table } from '@arco-design/web-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { OperationMeta } from '@/api/operation'
import type { RowAction } from '@/kit/actions'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import type { PageOf } from '@/kit/useQueryTable'
import { STATUS_TONES } from './standing'
import './community.css'

/** A comment or an answer. */
interface Said {
  id: number
  learnerName: string
  content: string
  auditStatus: 'pending' | 'approved' | 'rejected'
  auditOpinion?: string | null
  ip?: string | null
  createdAt: string
}

export const SAID_PAGE = 20

/** Which page of what others said is looked at. */
interface SaidPlace {
  page: number
  status?: Said['auditStatus']
}

/** What waits for a decision is shown first, where something does. */
export const firstPlace = (waiting: number): SaidPlace => (waiting > 0 ? { page: 1, status: 'pending' } : { page: 1 })

interface SaidTableProps<Row extends Said> {
  /** The list's operation, whose words are shown. */
  of: OperationMeta
  query: UseQueryResult<PageOf<Row>>
  place: SaidPlace
  go: (place: SaidPlace) => void
  /** Stands before what was said. */
  mark?: (row: Row) => ReactNode
  actions: (row: Row) => readonly RowAction[]
  empty: string
}

/** What others said below a blog or a question, the newest first. */
export const SaidTable = <Row extends Said>(props: SaidTableProps<Row>) => {
  const { of, query, place, go, mark, actions, empty } = props
  const options = of.fields.auditStatus?.options ?? []
  return (
    <>
      <div className="community-said-filter">
        <Select
          aria-label="审核状态"
          allowClear
          placeholder="全部审核状态"
          value={place.status}
          onChange={(status: SaidPlace['status']) => go({ page: 1, status })}
          options={options.map(([value, label]) => ({ value, label }))}
        />
      </div>
      {query.isError ? (
        <Failed error={query.error} retry={() => query.refetch()} />
      ) : (
        <Table<Row>
          rowKey="id"
          size="small"
          loading={query.isPending || query.isPlaceholderData}
          data={query.data?.list ?? []}
          border={{ wrapper: true }}
          pagination={{
            current: place.page,
            pageSize: SAID_PAGE,
            total: query.data?.totalCount ?? 0,
            onChange: (page) => go({ ...place, page }),
            // Whoever removed the last row of a later page goes back by it.
            hideOnSinglePage: place.page === 1,
          }}
          noDataElement={<Empty description={place.status ? '没有这种状态的内容' : empty} />}
          columns={[
            {
              title: '内容',
              dataIndex: 'content',
              render: (_: unknown, row: Row) => (
                <>
                  <p className="community-head">
                    {row.learnerName}，{formatTime(row.createdAt)}
                    {row.ip && `，发表地址 ${row.ip}`} {mark?.(row)}
                  </p>
                  <p className="community-said">{row.content}</p>
                  {row.auditOpinion && <p className="form-hint">审核意见：{row.auditOpinion}</p>}
                </>
              ),
            },
            {
              title: '审核状态',
              dataIndex: 'auditStatus',
              width: 90,
              render: (_: unknown, { auditStatus }: Row) => (
                <Word tone={STATUS_TONES[auditStatus]}>{labelOf(of, 'auditStatus', auditStatus)}</Word>
              ),
            },
            {
              title: '操作',
              dataIndex: 'actions',
              width: 190,
              render: (_: unknown, row: Row) => <RowActions actions={actions(row)} />,
            },
          ]}
        />
      )}
    </>
  )
}
