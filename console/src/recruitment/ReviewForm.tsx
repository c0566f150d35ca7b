import type { RowOf } from '@/api/operation'
import type { BulkResult } from '@/api/types/shared'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { undoBy } from '@/kit/undo'
import type { DrawerProps } from '@/kit/useDrawer'
import { cancelPreRegistration, type listPreRegistrations, reopenPreRegistration, reviewPreRegistrations } from './api'

type Row = RowOf<typeof listPreRegistrations>

/** The people whom a step is for. */
export type Ticked = Selected<{ id: number; version: number }, object>

/** Lets the ticks go, and shows who was left as they were. */
export const settled = (label: string, ticked: Ticked | undefined) => (result: BulkResult) => {
  ticked?.done(result.failed)
  if (result.failed.length > 0) tellFailures(label, result)
}

const Returned = fieldsOf(reviewPreRegistrations)

/** 批量退回 with the reason. */
export const ReturnForm = ({ record, ...drawer }: DrawerProps<Ticked>) => (
  <FormDrawer<{ remark?: string | null }, BulkResult>
    {...drawer}
    record={undefined}
    title={`退回${record?.count ?? 0}条预报名`}
    action={() =>
      formAction(reviewPreRegistrations, afterwards(record, '批量退回已完成'), { ...record?.rows, result: 'return' })
    }
    onSaved={settled('批量退回', record)}
  >
    <Returned name="remark" label="退回原因" required help="报名人修改资料时可以看到" />
  </FormDrawer>
)

const Cancelled = fieldsOf(cancelPreRegistration)

/** 取消预报名 with the reason. */
export const CancelForm = ({ record, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<{ remark?: string | null }, { id: number }>
    {...drawer}
    record={undefined}
    title={record ? `取消预报名 ${record.name}` : ''}
    action={() => ({
      ...formAction(cancelPreRegistration, '已取消预报名', { id: record?.id, version: record?.version }),
      undo: () => record && undoBy(reopenPreRegistration, { body: { id: record.id, version: record.version + 1 } }),
    })}
  >
    <Cancelled name="remark" label="取消原因" help="取消后不再审核，可恢复待审" />
  </FormDrawer>
)
