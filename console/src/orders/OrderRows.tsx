import { Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { yuanColumn } from '@/catalogue/courseContent'
import { placeOfOrder } from '@/catalogue/places'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Failed } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listOrders } from './api'
import { orderTones } from './tones'

type Order = RowOf<typeof listOrders>

const PAGE = 20

interface OrderRowsProps {
  /** Those of one buyer, or of one lecturer, whose part is told then. */
  of: { learnerId: number } | { lecturerId: number }
}

/** The orders of somebody, in the file of another screen. */
export const OrderRows = ({ of }: OrderRowsProps) => {
  const request = useRequest()
  const [pageCurrent, setPage] = useState(1)
  const query = useQuery({
    queryKey: [listOrders.path, of, pageCurrent],
    queryFn: ({ signal }) => request(listOrders, { body: { ...of, pageCurrent, pageSize: PAGE } }, { signal }),
  })
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  const part = 'lecturerId' in of ? [yuanColumn('讲师分成(元)', 'lecturerProfit', 120)] : []
  return (
    <Table<Order>
      rowKey="id"
      size="small"
      loading={query.isPending}
      data={query.data?.list ?? []}
      border={{ wrapper: true }}
      pagination={{
        current: pageCurrent,
        pageSize: PAGE,
        total: query.data?.totalCount ?? 0,
        onChange: setPage,
        hideOnSinglePage: true,
      }}
      noDataElement={<Empty description="没有订单" />}
      columns={[
        {
          title: '订单号',
          dataIndex: 'orderNo',
          width: 180,
          render: (_: unknown, { orderNo, id }: Order) => (
            <Lead do={listOrders} to={placeOfOrder(orderNo, id)}>
              {orderNo}
            </Lead>
          ),
        },
        { title: '商品', dataIndex: 'productName' },
        yuanColumn('实付(元)', 'pricePaid'),
        yuanColumn('已退(元)', 'refundedAmount'),
        ...part,
        {
          title: '状态',
          dataIndex: 'orderStatus',
          width: 90,
          render: (status: Order['orderStatus']) => (
            <Word tone={orderTones[status]}>{labelOf(listOrders, 'orderStatus', status)}</Word>
          ),
        },
        { title: '下单时间', dataIndex: 'createdAt', width: 170, render: (at: string) => formatTime(at) },
      ]}
    />
  )
}
