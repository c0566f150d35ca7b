import { Form, Radio } from '@arco-design/web-react'
import type { BulkResult } from '@/api/types/shared'
import { Tuition } from '@/basic_data/Tuition'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { markRegistrationFees } from './api'
import { feeOf, type TypedFee } from './registrationRules'

/** Whose fee is marked; one person is named. */
export interface Payers {
  items: readonly { id: number; version: number }[]
  name?: string
  /** The one person has paid already. */
  paid?: boolean
  done: (failed?: BulkResult['failed']) => void
  /** By what a person is known in a list of failures. */
  numberOf?: (row: { id: number }) => string | undefined
}

const Field = fieldsOf(markRegistrationFees)

/** What was paid, of who has paid. */
const Payment = ({ single }: { single: boolean }) => {
  const { form } = Form.useFormContext()
  const feePaid: boolean | undefined = Form.useWatch('feePaid', form)
  if (!feePaid) return <p className="form-hint">实缴金额、日期和流水号一并清除；在线支付的不能取消，请办理退费。</p>
  return (
    <>
      <Field name="paidAmount" label="实缴金额(元)" required help={single ? '' : '每人的实缴金额'}>
        <Tuition />
      </Field>
      <Field name="paidAt" required help="" />
      {single && <Field name="tradeNo" help="收据号或银行流水号" />}
    </>
  )
}

const marking = (payers: Payers | undefined): FormAction<BulkResult> => {
  const mark = formAction(markRegistrationFees, '已保存缴费标记', { items: payers?.items })
  return { ...mark, send: (values: TypedFee, request) => mark.send(feeOf(values), request) }
}

/** 缴费标记: who has paid how much, or has not. */
export const FeeForm = ({ record, ...drawer }: DrawerProps<Payers>) => (
  <FormDrawer<TypedFee, BulkResult>
    {...drawer}
    record={undefined}
    initial={{ feePaid: !record?.paid, paidAt: formatTime(new Date(), 'YYYY-MM-DD') }}
    title={record?.name ? `缴费标记 ${record.name}` : `标记${record?.items.length ?? 0}人的缴费`}
    action={() => marking(record)}
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('缴费标记', result, record?.numberOf)
    }}
  >
    <Field name="feePaid" label="缴费" help="">
      <Radio.Group
        options={[
          { value: true, label: '已缴费' },
          { value: false, label: '未缴费，取消标记' },
        ]}
      />
    </Field>
    <Payment single={record?.items.length === 1} />
  </FormDrawer>
)
