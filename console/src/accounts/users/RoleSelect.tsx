import { Select } from '@arco-design/web-react'
import { type Role, type RolesOf, useRoles } from './roles'

interface RoleSelectProps {
  of: RolesOf
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Where a role comes from, for people who see several of one name. */
const kindOf = ({ clientType, template }: Role) => {
  if (clientType === 0) return '平台'
  return template ? '院校模板' : '本校'
}

/** One or more roles. */
export const RoleSelect = ({ of, value, onChange, 'aria-label': label }: RoleSelectProps) => {
  const { roles, isFetching } = useRoles(of)
  return (
    <Select
      aria-label={label}
      mode="multiple"
      allowClear
      placeholder="请选择"
      loading={isFetching}
      // Names come with the list; numbers alone would tell nothing.
      value={roles.length > 0 ? value : []}
      onChange={onChange}
      filterOption={(text, { props }) =>
        typeof props === 'object' && props !== null && 'children' in props && String(props.children).includes(text)
      }
      notFoundContent="没有可分配的角色，请先在角色管理中新增"
    >
      {roles.map((role) => (
        <Select.Option key={role.id} value={role.id}>
          {`${role.roleName}（${kindOf(role)}）`}
        </Select.Option>
      ))}
    </Select>
  )
}
