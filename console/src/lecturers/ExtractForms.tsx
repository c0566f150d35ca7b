import { Form } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import { auditExtract, type listExtracts, payExtract, viewExtract } from './api'

type Extract = RowOf<typeof listExtracts>
type Decision = BodyOf<typeof auditExtract>
type Payment = BodyOf<typeof payExtract>

const DecisionField = fieldsOf(auditExtract)
const PaymentField = fieldsOf(payExtract)

const nameOf = (row: Extract | undefined) => (row ? `${row.bankUserName} ${yuanOf(row.amount)}元` : '')

/** 审核: whether an amount is paid out. */
export const DecideExtract = ({ record, ...drawer }: DrawerProps<Extract>) => (
  <FormDrawer<Partial<Decision>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version }}
    title={`审核提现 ${nameOf(record)}`}
    action={(decided) => formAction(auditExtract, '已审核', decided)}
    reload={withVersionOf(viewExtract)}
  >
    <DecisionField name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<Decision>) => (
        <DecisionField
          name="auditOpinion"
          required={auditStatus === 'rejected'}
          help="通过后由另一人打款；不通过时必填，金额退回讲师账户"
        />
      )}
    </Form.Item>
  </FormDrawer>
)

/** 打款登记: what became of the payment. */
export const PayExtract = ({ record, ...drawer }: DrawerProps<Extract>) => (
  <FormDrawer<Partial<Payment>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version, success: true }}
    title={`打款登记 ${nameOf(record)}`}
    action={(paid) => formAction(payExtract, '已登记', paid)}
    reload={withVersionOf(viewExtract)}
  >
    <PaymentField name="success" />
    <Form.Item noStyle shouldUpdate>
      {({ success }: Partial<Payment>) =>
        success ? (
          <PaymentField name="payNo" required />
        ) : (
          <PaymentField name="reason" required help="金额退回讲师账户" />
        )
      }
    </Form.Item>
  </FormDrawer>
)
