import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateSuperviseCases } from './api'

const Field = fieldsOf(allocateSuperviseCases)

/** Which cases are handed over. */
export interface HandedOver {
  items: readonly { id: number; version: number }[]
  /** Of one alone. */
  name?: string
  /** The ticks have served. */
  done?: () => void
}

/** 转交: to a manager of the student's site; of several each is told by itself. */
export const AllocationForm = ({ record: handed, ...drawer }: DrawerProps<HandedOver>) => (
  <FormDrawer<object, BulkResult>
    {...drawer}
    record={undefined}
    title={handed?.name ? `转交${handed.name}的督学案例` : `转交${handed?.items.length ?? 0}个督学案例`}
    okText="转交"
    action={() =>
      formAction(allocateSuperviseCases, ({ done }) => `已转交${done}个案例`, { items: handed?.items ?? [] })
    }
    onSaved={(result) => {
      handed?.done?.()
      if (result.failed.length > 0) tellFailures('转交', result)
    }}
  >
    <Field name="managerId" help="负责学生所在站点的在职班主任">
      <BasicSelect type="classManager" />
    </Field>
    <Field name="remark" />
  </FormDrawer>
)
