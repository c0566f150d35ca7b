import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { yuanOf } from '@/catalogue/courseContent'
import { placeOfLearner } from '@/catalogue/places'
import { byState, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Loaded } from '@/kit/Loaded'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { listLearners } from '@/learners/api'
import {
  closeOrder,
  editOrder,
  exportOrders,
  listOrders,
  payOrderOffline,
  queryOrderPay,
  refundOrder,
  saveOrder,
  viewOrderSums,
} from './api'
import { OrderFile } from './OrderFile'
import { ManualOrderForm, OfflinePaymentForm, RefundForm, RemarkForm } from './OrderForms'
import { orderTones } from './tones'
import './orders.css'

type Order = RowOf<typeof listOrders>

const columns = columnsOf(listOrders, [
  { field: 'orderNo', width: 190, fixed: 'left' },
  { field: 'orderStatus', width: 90, fixed: 'left', tones: orderTones },
  {
    field: 'nickname',
    title: '用户',
    width: 120,
    render: ({ nickname, learnerId }) => (
      <Lead do={listLearners} to={placeOfLearner(learnerId, nickname)}>
        {nickname ?? `编号${learnerId}`}
      </Lead>
    ),
  },
  { field: 'productName', title: '商品', width: 200 },
  { field: 'pricePaid', title: '实付(元)', width: 100, render: ({ pricePaid }) => yuanOf(pricePaid) },
  {
    field: 'refundedAmount',
    title: '已退(元)',
    width: 100,
    render: ({ refundedAmount }) => yuanOf(refundedAmount),
  },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="order_info" id={row.id} field="phone" label="手机号" value={row.phone} />,
  },
  { field: 'productType', width: 90 },
  { field: 'priceOriginal', title: '原价(元)', width: 100, render: ({ priceOriginal }) => yuanOf(priceOriginal) },
  {
    field: 'discount',
    title: '优惠(元)',
    width: 100,
    help: '原价与实付之差',
    render: ({ discount }) => yuanOf(discount),
  },
  { field: 'payType', width: 100 },
  { field: 'source', width: 100 },
  { field: 'abnormal', width: 110, tones: { none: 'quiet', amount_mismatch: 'bad', late_paid: 'warning' } },
  { field: 'createdAt', width: 180 },
  { field: 'paidAt', width: 180 },
  { field: 'priceSale', title: '优惠价(元)', width: 110, hidden: true, render: ({ priceSale }) => yuanOf(priceSale) },
  { field: 'lecturerName', width: 100, hidden: true },
  { field: 'seckillName', width: 150, hidden: true },
  { field: 'couponName', width: 150, hidden: true },
  { field: 'channelName', width: 140, hidden: true },
  { field: 'tradeNo', width: 220, hidden: true },
  { field: 'promoterName', width: 120, hidden: true },
  { field: 'remarkAdmin', width: 220, hidden: true },
  { field: 'closedAt', hidden: true },
  { field: 'settledAt', hidden: true },
])

/** What the orders of the filter come to. */
const Sums = ({ filter }: { filter: object }) => {
  const request = useRequest()
  const allowed = useAllowed()(viewOrderSums)
  const sums = useQuery({
    queryKey: [listOrders.path, viewOrderSums.path, filter],
    queryFn: ({ signal }) => request(viewOrderSums, { body: filter }, { signal }),
    enabled: allowed,
    placeholderData: keepPreviousData,
  })
  if (!allowed) return null
  return (
    <Loaded query={sums} rows={1}>
      {({ orders, paid, refunded }) => (
        <p className="order-sums">
          <span>订单：{formatNumber(orders)}个</span>
          <span>实付：{yuanOf(paid)}元</span>
          <span>已退：{yuanOf(refunded)}元</span>
        </p>
      )}
    </Loaded>
  )
}

const nameOf = ({ orderNo }: Order) => orderNo

/** Why a step does not begin where the order stands. */
const unless = (row: Order, statuses: readonly Order['orderStatus'][], why: string) =>
  statuses.includes(row.orderStatus) ? undefined : why

/** 订单管理: what learners buy. */
export const OrdersPage = () => {
  const table = useQueryTable(listOrders)
  const manual = useDrawer<never>()
  const offline = useDrawer<Order>()
  const refund = useDrawer<Order>()
  const remark = useDrawer<Order>()
  const actionsOf = (row: Order): RowAction[] => {
    const paying: RowAction = {
      label: '线下收款',
      do: payOrderOffline,
      disabled: unless(row, ['pending', 'closed'], '订单已支付'),
      onClick: () => offline.open(row),
    }
    const closing = step(closeOrder, {
      label: '关闭',
      danger: true,
      disabled: unless(row, ['pending'], '待支付的订单才能关闭'),
      with: { body: { id: row.id, version: row.version } },
      confirm: { title: `关闭订单“${nameOf(row)}”？`, content: '学员不能再支付；占用的优惠券和库存释放。' },
      done: '已关闭订单',
    })
    const others: RowAction[] = [
      step(queryOrderPay, {
        label: '查询支付',
        disabled:
          unless(row, ['pending', 'closed'], '订单已支付，无需查询') ?? (row.payType ? undefined : '学员尚未发起支付'),
        with: { body: { id: row.id } },
        done: ({ done }) => (done > 0 ? '付款已到账' : '服务商没有收到付款'),
      }),
      {
        label: '退款',
        do: refundOrder,
        danger: true,
        disabled: unless(row, ['paid'], '已支付的订单才能退款'),
        onClick: () => refund.open(row),
      },
      { label: '备注', do: editOrder, onClick: () => remark.open(row) },
    ]
    // What waits for its money is paid or closed.
    return row.orderStatus === 'pending'
      ? [paying, closing, ...byState(others)]
      : byState([paying, ...others.slice(0, 2), closing, ...others.slice(2)])
  }
  return (
    <Page title="订单管理" help="未支付的订单到时自动关闭；收入在支付后冻结，过了结算天数才可提现。" personal>
      <Segments table={table} field="orderStatus" label="订单状态" />
      <FilterBar table={table}>
        <TextFilter of={listOrders} field="orderNo" />
        <TextFilter of={listOrders} field="phone" />
        <TextFilter of={listOrders} field="productName" />
        <EnumFilter of={listOrders} field="productType" />
        <EnumFilter of={listOrders} field="payType" />
        <EnumFilter of={listOrders} field="source" />
        <EnumFilter of={listOrders} field="abnormal" />
        <DateRangeFilter of={listOrders} from="createdFrom" to="createdTo" label="下单日期" />
        <DateRangeFilter of={listOrders} from="paidFrom" to="paidTo" label="支付日期" />
      </FilterBar>
      <Sums filter={filterOf(table.body)} />
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveOrder}>
            <Button type="primary" icon={<IconPlus />} onClick={() => manual.open()}>
              手工开单
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportOrders} table={table} />}
        file={(row) => <OrderFile id={row.id} />}
        actionsWidth={240}
        actions={actionsOf}
        empty="还没有订单。学员在网站下单，也可以手工开单。"
      />
      <ManualOrderForm key={manual.key} {...manual.props} />
      <OfflinePaymentForm key={`offline-${offline.key}`} {...offline.props} />
      <RefundForm key={`refund-${refund.key}`} {...refund.props} />
      <RemarkForm key={`remark-${remark.key}`} {...remark.props} />
    </Page>
  )
}
