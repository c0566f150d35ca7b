import { Alert } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { type listSchools, suspendSchool } from './api'

type School = RowOf<typeof listSchools>

const Field = fieldsOf(suspendSchool)

export const SuspendSchool = ({ record, ...drawer }: DrawerProps<School>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={`停用院校 ${record?.name ?? ''}`}
    width={480}
    action={(school) => formAction(suspendSchool, `已停用“${school?.name}”`, school)}
  >
    <Alert
      className="form-lead"
      type="warning"
      content="停用后，院校人员和学生会立即退出且不能登录，数据保留。平台人员仍可进入查看，之后可以恢复。"
    />
    <Field name="reason" />
  </FormDrawer>
)
