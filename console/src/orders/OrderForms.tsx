import { Form } from '@arco-design/web-react'
import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
import { Yuan } from '@/catalogue/courseFields'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import { LearnerSelect } from '@/marketing/LearnerSelect'
import { ProductSelect, type ProductSelectProps } from '@/marketing/ProductSelect'
import { editOrder, type listOrders, payOrderOffline, refundOrder, saveOrder, viewOrder } from './api'

type Order = RowOf<typeof listOrders>
type Manual = Partial<BodyOf<typeof saveOrder>>
type Payment = Partial<BodyOf<typeof payOrderOffline>>
type Refund = Partial<BodyOf<typeof refundOrder>> & { id: number }
type Remark = BodyOf<typeof editOrder>

const ManualField = fieldsOf(saveOrder)
const PaymentField = fieldsOf(payOrderOffline)
const RefundField = fieldsOf(refundOrder)
const RemarkField = fieldsOf(editOrder)

/** The product, whose price is due unless another was agreed upon. */
const PricedProduct = (product: ProductSelectProps) => {
  const { form } = Form.useFormContext()
  return <ProductSelect {...product} onPrice={(pricePaid) => form.setFieldsValue({ pricePaid })} />
}

/** 手工开单: an order at a price that was agreed upon. */
export const ManualOrderForm = (drawer: DrawerProps<never>) => (
  <FormDrawer<Manual, { id: number }>
    {...drawer}
    title="手工开单"
    okText="开单"
    initial={{ productType: 'record' }}
    action={() => formAction(saveOrder, '已开单')}
  >
    <ManualField name="learnerId">
      <LearnerSelect />
    </ManualField>
    <ManualField name="productType">
      <ClearingSelect options={saveOrder.fields.productType?.options} clears={['productId', 'pricePaid']} />
    </ManualField>
    <Form.Item noStyle shouldUpdate>
      {({ productType }: Manual) => (
        <ManualField name="productId" label="商品">
          <PricedProduct kind={productType} />
        </ManualField>
      )}
    </Form.Item>
    <ManualField
      name="pricePaid"
      label="应付金额"
      help="选择商品后为其售价，可以修改；为0时立即生效，否则待学员支付或登记线下收款"
    >
      <Yuan />
    </ManualField>
  </FormDrawer>
)

/** 线下收款: what came by bank or in cash. */
export const OfflinePaymentForm = ({ record, ...drawer }: DrawerProps<Order>) => (
  <FormDrawer<Payment, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version }}
    title={`线下收款 ${record ? `${yuanOf(record.pricePaid)}元` : ''}`}
    action={(paid) => formAction(payOrderOffline, '已登记收款', paid)}
    reload={withVersionOf(viewOrder)}
    okText="登记收款"
  >
    <PaymentField
      name="tradeNo"
      help={record?.orderStatus === 'closed' ? '订单已关闭，登记后记为关闭后到账' : undefined}
    />
    <PaymentField name="paidAt" />
  </FormDrawer>
)

/** What became of a refund; why a provider refused it stands beside. */
const refunded = ({ status }: DataOf<typeof refundOrder>) => {
  if (status === 'success') return '已退款'
  return status === 'processing' ? '已提交退款，等待支付服务商处理' : '退款未成功，订单保持已支付'
}

/** 退款: as much as is left, or a part of it. */
export const RefundForm = ({ record, ...drawer }: DrawerProps<Order>) => {
  const left = record ? record.pricePaid - record.refundedAmount : 0
  return (
    <FormDrawer<Refund, DataOf<typeof refundOrder>>
      {...drawer}
      record={record && { id: record.id, version: record.version, amount: left }}
      title={`退款 ${record?.orderNo ?? ''}`}
      action={(refund) => formAction(refundOrder, refunded, refund)}
      reload={withVersionOf(viewOrder)}
      okText="退款"
      danger
    >
      <RefundField name="amount" label="退款金额" help={`可退${yuanOf(left)}元；全额退款收回学员的权益`}>
        <Yuan />
      </RefundField>
      <RefundField name="reason" />
    </FormDrawer>
  )
}

/** 订单备注, for colleagues. */
export const RemarkForm = ({ record, ...drawer }: DrawerProps<Order>) => (
  <FormDrawer<Remark, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version, remarkAdmin: record.remarkAdmin }}
    title={`订单备注 ${record?.orderNo ?? ''}`}
    action={(remark) => formAction(editOrder, '已保存备注', remark)}
    reload={async (remark, call) => {
      const { version, remarkAdmin } = await call(viewOrder, { query: { id: remark.id } })
      return { ...remark, version, remarkAdmin }
    }}
  >
    <RemarkField name="remarkAdmin" help="仅后台可见" />
  </FormDrawer>
)
