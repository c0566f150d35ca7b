import type { Stepped, Warned } from '@/api/types/shared'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import type { Row } from './admissionRules'
import { auditAdmission, auditAdmissions } from './api'

/** The people whom a step is for. */
export interface Ticked extends Selected<{ id: number; version: number }, object> {
  /** By what a person is known in a list of failures. */
  numberOf?: (row: { id: number }) => string | undefined
}

const Rejected = fieldsOf(auditAdmissions)

/** 批量不予入学 with the reason. */
export const RejectForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ remark?: string | null }, Stepped>
    {...drawer}
    record={undefined}
    title={`${record?.count ?? 0}人不予入学`}
    okText="不予入学"
    danger
    action={() =>
      formAction(auditAdmissions, afterwards(record, '批量不予入学已完成'), { ...record?.rows, result: 'reject' })
    }
    onSaved={(result) => {
      record?.done(result.failed)
      if (result.failed.length > 0) tellFailures('批量不予入学', result, record?.numberOf)
    }}
  >
    <Rejected name="remark" label="原因" required help="2至200个字符；不予入学后释放站点名额，可以撤销" />
  </FormDrawer>
)

const Revoked = fieldsOf(auditAdmission)

/** 撤销 of an audit with the reason; somebody who was to report is no longer. */
export const RevokeForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<{ remark?: string | null }, Warned>
    {...drawer}
    record={undefined}
    title={`撤销审核 ${record?.name ?? ''}`}
    okText="撤销审核"
    danger
    action={() =>
      formAction(auditAdmission, `已撤销“${record?.name}”的审核`, {
        id: record?.id,
        version: record?.version,
        result: 'revoke',
      })
    }
  >
    <Revoked
      name="remark"
      label="撤销原因"
      required
      help={
        record?.status === 'audited'
          ? '2至200个字符；待报到的报到数据移入报到回收站，已办理报到的不能撤销'
          : '2至200个字符；撤销后重新审核'
      }
    />
  </FormDrawer>
)
