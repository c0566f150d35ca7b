import { Alert } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { archiveSchool, type listSchools } from './api'

type School = RowOf<typeof listSchools>

const Field = fieldsOf(archiveSchool)

export const ArchiveSchool = ({ record, ...drawer }: DrawerProps<School>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={`归档院校 ${record?.name ?? ''}`}
    width={480}
    action={(school) => formAction(archiveSchool, `已归档“${school?.name}”`, school)}
  >
    <Alert
      className="form-lead"
      type="warning"
      content="归档后院校只能查看，不再出现在平台的各个列表中，院校人员和学生不能登录。可以取消归档；归档满30天并导出数据后可以删除。"
    />
    <Field name="reason" label="归档原因" />
  </FormDrawer>
)
