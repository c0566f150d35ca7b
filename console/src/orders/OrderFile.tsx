import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { yuanColumn, yuanOf } from '@/catalogue/courseContent'
import { placeOfLearner, placeOfProduct } from '@/catalogue/places'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { type Tone, Word } from '@/kit/Status'
import { TabPanels } from '@/kit/TabList'
import { listLearners } from '@/learners/api'
import { historyOf } from '@/logs/RecordHistory'
import { listOf } from '@/marketing/products'
import { listOrders, viewOrder } from './api'
import { priceLines } from './price'
import { orderTones } from './tones'
import './orders.css'

type Detail = RowOf<typeof viewOrder>
type Payment = Detail['payments'][number]
type Refund = Detail['refunds'][number]

const word = (
  field: 'productType' | 'orderStatus' | 'source' | 'abnormal' | 'payType',
  value: string | null | undefined,
) => (value ? labelOf(listOrders, field, value) : '—')
const at = (time: string | null | undefined) => (time ? formatTime(time) : '—')

/** The words of what became of money: closed sets of the server. */
const outcomes: Record<Payment['outcome'], string> = {
  paid: '已入账',
  amount_mismatch: '金额不符',
  returned: '原路退回',
}
const refundStates: Record<Refund['status'], string> = {
  processing: '退款中',
  success: '退款成功',
  failed: '退款失败',
}

const outcomeTones: Record<Payment['outcome'], Tone> = { paid: 'good', amount_mismatch: 'bad', returned: 'quiet' }
const refundTones: Record<Refund['status'], Tone> = { processing: 'busy', success: 'good', failed: 'bad' }

const Overview = ({ of: order }: { of: Detail }) => (
  <>
    <dl className="price-lines" aria-label="价格构成">
      {priceLines(order).flatMap(({ label, fen }) => [
        <dt key={`${label}-name`}>{label}</dt>,
        <dd key={`${label}-amount`}>{yuanOf(fen)}元</dd>,
      ])}
    </dl>
    <Descriptions
      column={1}
      data={[
        { label: '订单号', value: order.orderNo },
        {
          label: '订单状态',
          value: <Word tone={orderTones[order.orderStatus]}>{word('orderStatus', order.orderStatus)}</Word>,
        },
        {
          label: '用户',
          value: (
            <Lead do={listLearners} to={placeOfLearner(order.learnerId, order.nickname)}>
              {order.nickname ?? `编号${order.learnerId}`}
            </Lead>
          ),
        },
        {
          label: '手机号',
          value: <Masked entity="order_info" id={order.id} field="phone" label="手机号" value={order.phone} />,
        },
        {
          label: '商品',
          value: (
            <>
              <Lead
                do={listOf(order.productType)}
                to={placeOfProduct(order.productType, order.productId, order.productName)}
              >
                {order.productName}
              </Lead>
              （{word('productType', order.productType)}）
            </>
          ),
        },
        { label: '来源', value: word('source', order.source) },
        { label: '支付方式', value: [word('payType', order.payType), order.channelName].filter(Boolean).join('，') },
        { label: '交易流水号', value: order.tradeNo ?? '—' },
        { label: '异常', value: word('abnormal', order.abnormal) },
        { label: '下单时间', value: at(order.createdAt) },
        { label: '支付截止时间', value: at(order.payBefore) },
        { label: '支付时间', value: at(order.paidAt) },
        { label: '关闭时间', value: at(order.closedAt) },
        { label: '后台备注', value: order.remarkAdmin ?? '—' },
      ]}
    />
  </>
)

const Payments = ({ of: order }: { of: Detail }) => (
  <Table<Payment>
    size="small"
    rowKey="id"
    data={order.payments}
    pagination={false}
    noDataElement={<Empty description="还没有到账" />}
    columns={[
      { title: '支付通道', dataIndex: 'channelName' },
      { title: '交易流水号', dataIndex: 'tradeNo' },
      yuanColumn('金额(元)', 'amount'),
      {
        title: '处理结果',
        dataIndex: 'outcome',
        width: 100,
        render: (outcome: Payment['outcome']) => <Word tone={outcomeTones[outcome]}>{outcomes[outcome]}</Word>,
      },
      { title: '付款时间', dataIndex: 'paidAt', width: 170, render: (time: string) => formatTime(time) },
    ]}
  />
)

const Refunds = ({ of: order }: { of: Detail }) => (
  <Table<Refund>
    size="small"
    rowKey="id"
    data={order.refunds}
    pagination={false}
    noDataElement={<Empty description="没有退款" />}
    columns={[
      yuanColumn('退款金额(元)', 'amount', 120),
      {
        title: '状态',
        dataIndex: 'status',
        render: (status: Refund['status'], { failReason }: Refund) => (
          <>
            <Word tone={refundTones[status]}>{refundStates[status]}</Word>
            {failReason && `：${failReason}`}
          </>
        ),
      },
      { title: '原因', dataIndex: 'reason' },
      {
        title: '收回(元)',
        dataIndex: 'platformBack',
        render: (_: unknown, { commissionBack, lecturerBack, platformBack }: Refund) =>
          `佣金${yuanOf(commissionBack)}，讲师${yuanOf(lecturerBack)}，平台${yuanOf(platformBack)}`,
      },
      { title: '经办人', dataIndex: 'operatorName', render: (name?: string | null) => name ?? '系统' },
      { title: '申请时间', dataIndex: 'createdAt', width: 170, render: (time: string) => formatTime(time) },
    ]}
  />
)

const Split = ({ of: order }: { of: Detail }) => (
  <Descriptions
    column={1}
    data={[
      { label: '推广人', value: order.promoterName ?? '—' },
      { label: '佣金', value: `${yuanOf(order.commission)}元` },
      { label: '讲师', value: order.lecturerName ?? '—' },
      { label: '讲师分成', value: `${yuanOf(order.lecturerProfit)}元` },
      { label: '平台收入', value: `${yuanOf(order.platformProfit)}元` },
      { label: '手续费', value: `${yuanOf(order.feeAmount)}元，由平台承担` },
      { label: '结算', value: order.settledAt ? formatTime(order.settledAt) : '尚未结算，收入冻结中' },
    ]}
  />
)

const history = historyOf(viewOrder, 'order_info')

/** An order in full: how its price came about, what came for it, what went back, and who gets which part. */
export const OrderFile = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listOrders.path, viewOrder.path, id],
    queryFn: () => call(viewOrder, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {(order) => (
        <TabPanels
          label="订单"
          panels={[
            { title: '订单', content: <Overview of={order} /> },
            { title: '到账', content: <Payments of={order} /> },
            { title: '退款', content: <Refunds of={order} /> },
            { title: '分成', content: <Split of={order} /> },
            { title: '操作日志', content: history({ id }), late: true },
          ]}
        />
      )}
    </Loaded>
  )
}
