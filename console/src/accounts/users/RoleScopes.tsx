import { Form } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { RoleTargets } from '@/api/types/accounts'
import { basicOptions } from '@/basic_data/BasicSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { type RolesOf, useRoles } from './roles'
import './users.css'

type Scope = RoleTargets

interface TargetsProps {
  type: 'site' | 'class'
  label: string
  placeholder: string
  value: number[]
  onChange: (ids: number[]) => void
}

/** Sites or classes, searched on the server. */
export const Targets = ({ type, ...rest }: TargetsProps) => (
  <SeveralOptions {...rest} options={listOptions} query={basicOptions(type)} />
)

interface RoleScopesProps {
  of: RolesOf
  value?: Scope[]
  onChange?: (scopes: Scope[]) => void
  roleIds: readonly number[]
}

/** 数据范围: for each chosen role that reaches named sites or classes, which ones it reaches for this person. */
const Scopes = ({ of, value = [], onChange, roleIds }: RoleScopesProps) => {
  const { roles } = useRoles(of)
  const narrow = roles.filter((role) => roleIds.includes(role.id) && role.dataScope !== 'whole_school')
  if (narrow.length === 0) return <span className="nothing">所选角色的数据范围为全校，无需指定</span>
  return (
    <>
      {narrow.map((role) => {
        const type = role.dataScope === 'named_sites' ? 'site' : 'class'
        const label = `${role.roleName}的${type === 'site' ? '站点' : '班级'}`
        const own = value.find(({ roleId }) => roleId === role.id)
        const others = value.filter(({ roleId }) => roleId !== role.id)
        const change = (ids: number[]) => {
          const targets = type === 'site' ? { siteIds: ids, classIds: [] } : { siteIds: [], classIds: ids }
          onChange?.([...others, { roleId: role.id, ...targets }])
        }
        return (
          <div key={role.id} className="role-scope">
            <span className="role-scope-label">{label}</span>
            <Targets
              type={type}
              label={label}
              placeholder="留空时为角色自身的范围"
              value={(type === 'site' ? own?.siteIds : own?.classIds) ?? []}
              onChange={change}
            />
          </div>
        )
      })}
    </>
  )
}

const Watched = (props: Omit<RoleScopesProps, 'roleIds'>) => {
  const { form } = Form.useFormContext()
  const roleIds: number[] | undefined = Form.useWatch('roleIdList', form)
  return <Scopes {...props} roleIds={roleIds ?? []} />
}

/** The field `scopes` of a form that has `roleIdList`; only inside a school, whose sites and classes can be named. */
export const RoleScopes = ({ of }: { of: RolesOf }) => (
  <Form.Item field="scopes" label="数据范围">
    <Watched of={of} />
  </Form.Item>
)

/** What is sent: only the targets of roles that are still chosen. */
export const chosenScopes = (roleIds: readonly number[], scopes: readonly Scope[] | null | undefined): Scope[] =>
  (scopes ?? []).filter(({ roleId }) => roleIds.includes(roleId))
