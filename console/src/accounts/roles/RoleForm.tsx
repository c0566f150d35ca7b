import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editRole, type listRoles, saveRole, viewRole } from '../api'
import { KindSelect } from './KindSelect'

type Role = RowOf<typeof listRoles>

/** A role that is edited, or a new one, perhaps with the rights of another. */
export interface RoleDraft {
  role?: Role
  copied?: Role
}

const Field = fieldsOf(saveRole)

export const RoleForm = ({ record, ...drawer }: DrawerProps<RoleDraft>) => {
  const inSchool = useIdentity((state) => state.account?.area) === 'school'
  const role = record?.role
  const copied = record?.copied
  const kind = inSchool ? 'own' : (copied?.kind ?? 'template')
  return (
    <FormDrawer<Role, { id: number }>
      {...drawer}
      record={role}
      title={role ? `编辑角色 ${role.roleName}` : copied ? `复制角色 ${copied.roleName}` : '新增角色'}
      initial={{
        roleName: copied ? `${copied.roleName}（复制）` : undefined,
        kind,
        dataScope: copied?.dataScope ?? 'whole_school',
        totpRequired: copied?.totpRequired ?? false,
      }}
      action={(edited) =>
        edited
          ? formAction(editRole, '已保存角色', edited)
          : formAction(saveRole, '已新增角色', copied && { copyOf: copied.id })
      }
      reload={(edited) => call(viewRole, { query: { id: edited.id } })}
    >
      <Field name="roleName" />
      <Field name="kind" help={role ? '类型不能修改' : undefined}>
        <KindSelect inSchool={inSchool} disabled={inSchool || Boolean(role ?? copied)} />
      </Field>
      {!role && <Field name="dataScope" help="指定站点或班级时，在“数据范围”或分配给账号时选择是哪些" />}
      <Field name="totpRequired" help="拥有该角色的账号须先启用两步验证，才能办理业务" />
      <Field name="remark" />
    </FormDrawer>
  )
}
