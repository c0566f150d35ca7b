import type { Saved } from '@/api/types/shared'
import { StudentSelect } from '@/course_selection/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { saveSuperviseCase } from './api'

const Field = fieldsOf(saveSuperviseCase)

/** 人工关注: somebody whom no rule finds. */
export const ManualForm = ({ record: _none, ...drawer }: DrawerProps<object>) => (
  <FormDrawer<object, Saved>
    {...drawer}
    record={undefined}
    initial={{ level: 'orange' }}
    title="人工关注"
    action={() => formAction(saveSuperviseCase, '已加入督学')}
  >
    <Field name="studentId">
      <StudentSelect />
    </Field>
    <Field name="level" />
    <Field name="content" help="2至200个字符；学生已有案例时加入该案例" />
  </FormDrawer>
)
