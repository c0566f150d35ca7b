import type { RowOf } from '@/api/operation'
import { yuanColumn } from '@/catalogue/courseContent'
import { placeOfOrder } from '@/catalogue/places'
import { DrawerList } from '@/kit/DrawerList'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listOrders } from './api'
import { orderTones } from './tones'

type Order = RowOf<typeof listOrders>

interface OrderRowsProps {
  /** Those of one buyer, or of one lecturer, whose part is told then. */
  of: { learnerId: number } | { lecturerId: number }
}

/** The orders of somebody, in the file of another screen. */
export const OrderRows = ({ of }: OrderRowsProps) => {
  const part = 'lecturerId' in of ? [yuanColumn('讲师分成(元)', 'lecturerProfit', 120)] : []
  return (
    <DrawerList
      of={listOrders}
      filter={of}
      empty="还没有订单"
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
