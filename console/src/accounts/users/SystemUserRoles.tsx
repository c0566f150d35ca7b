import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateSystemUserRoles } from '../api'
import { RoleSelect } from './RoleSelect'
import type { SystemUser } from './SystemUserForm'

const Field = fieldsOf(allocateSystemUserRoles)

/** 分配角色 of a platform account. */
export const SystemUserRoles = ({ record, ...drawer }: DrawerProps<SystemUser>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title={`分配角色 ${record?.loginName ?? ''}`}
    width={480}
    action={(user) =>
      formAction(allocateSystemUserRoles, '已分配角色', user && { userId: user.id, version: user.version })
    }
  >
    <Field name="roleIdList" help="保存后立即生效；只能分配您自己拥有的权限">
      <RoleSelect of="platform" />
    </Field>
  </FormDrawer>
)
