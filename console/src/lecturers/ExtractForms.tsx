import { Form } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
import { useAuditQueue } from '@/kit/auditQueue'
import type { Column } from '@/kit/columns'
import { DecideDrawer } from '@/kit/DecideDrawer'
import { Facts } from '@/kit/Facts'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import { auditExtract, type listExtracts, payExtract, viewExtract } from './api'

type Extract = RowOf<typeof listExtracts>
type Payment = BodyOf<typeof payExtract>

const PaymentField = fieldsOf(payExtract)

const nameOf = (row: Extract | undefined) => (row ? `${row.bankUserName} ${yuanOf(row.amount)}元` : '')

export const WAITING = 'pending'
export const isWaiting = ({ status }: Pick<Extract, 'status'>) => status === WAITING

interface DecideExtractProps extends DrawerProps<Extract> {
  /** What of a withdrawal is read. */
  columns: readonly Column<Extract>[]
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Extract[]
  waiting: number | undefined
}

/** 审核: whether an amount is paid out; nobody lets one out by a single key. */
export const DecideExtract = ({ columns, rows, waiting, ...drawer }: DecideExtractProps) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditExtract}
      of={row && { id: row.id, version: row.version }}
      title={`审核提现 ${nameOf(row)}`}
      name={nameOf(row)}
      note="不通过时必填，金额退回讲师账户"
      ask={(verdict) =>
        verdict === 'approved' ? { title: `通过“${nameOf(row)}”的提现？`, content: '通过后由另一人打款。' } : undefined
      }
    >
      {row && <Facts key={row.id} row={row} columns={columns} />}
    </DecideDrawer>
  )
}

/** 打款登记: what became of the payment. */
export const PayExtract = ({ record, ...drawer }: DrawerProps<Extract>) => (
  <FormDrawer<Partial<Payment>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version, success: true }}
    title={`打款登记 ${nameOf(record)}`}
    okText="登记"
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
