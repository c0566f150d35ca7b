import type { BulkResult } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { setClassManager } from '@/people/api'
import { BasicSelect } from './BasicSelect'

/** The classes that are to get one manager. */
export interface Appointment {
  items: { id: number; version: number }[]
  /** Where they are, if at one site: its managers alone are offered then. */
  siteId?: number
  /** The ticks have served. */
  done: () => void
}

const Field = fieldsOf(setClassManager)

/** 设置班主任: the ticked classes to one manager. */
export const AppointManager = ({ record, ...drawer }: DrawerProps<Appointment>) => (
  <FormDrawer<{ managerId?: number }, BulkResult>
    {...drawer}
    record={undefined}
    title={`为${record?.items.length ?? 0}个班级设置班主任`}
    action={() => formAction(setClassManager, '设置班主任已完成', { items: record?.items })}
    onSaved={(result) => {
      record?.done()
      if (result.failed.length > 0) tellFailures('设置班主任', result)
    }}
  >
    <Field name="managerId" required help="须负责班级所在的站点；班级已有班主任的，由所选班主任接管">
      <BasicSelect type="classManager" parentId={record?.siteId} />
    </Field>
  </FormDrawer>
)
