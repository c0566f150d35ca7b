import type { BulkResult } from '@/api/types/shared'
import { afterwards } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { registerStudents } from './api'
import type { Students } from './DivideForm'

const Field = fieldsOf(registerStudents)

/** 标记已注册: the ticked students who wait for registration are registered as of a day. */
export const RegisterForm = ({ record, ...drawer }: DrawerProps<Students>) => (
  <FormDrawer<{ registeredOn?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={`标记${record?.count ?? 0}名学生已注册`}
    initial={{ registeredOn: formatTime(new Date(), 'YYYY-MM-DD') }}
    action={() => formAction(registerStudents, afterwards(record, '已标记'), record?.rows)}
    onSaved={(result) => {
      record?.done()
      if (result.failed.length > 0) tellFailures('标记已注册', result)
    }}
  >
    <Field name="registeredOn" help="有学号的待注册学生转为在籍" />
  </FormDrawer>
)
