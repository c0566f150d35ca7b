import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  allocateRoleRights,
  deleteRole,
  editRole,
  listRoles,
  saveRole,
  setRoleScope,
  switchRole,
  viewRoleRights,
  viewRoleScope,
} from '../api'
import { ExportRights } from './ExportRights'
import { RightsDrawer } from './RightsDrawer'
import { type RoleDraft, RoleForm } from './RoleForm'
import { RoleScopeForm } from './RoleScopeForm'

type Role = RowOf<typeof listRoles>

const columns = columnsOf(listRoles, [
  { field: 'roleName', width: 180, fixed: 'left' },
  { field: 'kind', tones: { template: 'busy' } },
  { field: 'dataScope', width: 120, help: '角色能看到哪些学生的数据；平台角色为账号可管的全部院校' },
  { field: 'accountCount', help: '持有该角色的账号，院校内只计本校' },
  'permissionCount',
  'builtIn',
  'enabled',
  { field: 'remark', width: 220 },
])

/** 角色管理: of the platform with the templates, or of one school. */
export const RolesPage = () => {
  const table = useQueryTable(listRoles)
  const form = useDrawer<RoleDraft>()
  const rights = useDrawer<Role>()
  const scope = useDrawer<RowOf<typeof viewRoleScope>>()
  const inSchool = useIdentity((state) => state.account?.area) === 'school'
  const readOnly = (role: Role) =>
    inSchool && role.kind !== 'own' ? '院校模板由平台维护，请复制为本校角色后修改' : undefined
  const openScope = async (role: Role) => scope.open(await call(viewRoleScope, { query: { id: role.id } }))
  return (
    <Page
      title="角色管理"
      help={
        inSchool
          ? '本校的角色和平台提供的模板；模板不能修改，可以复制后调整。'
          : '平台自己的角色，以及提供给各院校的模板。'
      }
    >
      <FilterBar table={table}>
        <TextFilter of={listRoles} field="roleName" />
        <EnumFilter of={listRoles} field="kind" />
        <EnabledFilter of={listRoles} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(role) => role.roleName}
        primary={
          <Can do={saveRole}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
              新增角色
            </Button>
          </Can>
        }
        tools={<ExportRights />}
        actionsWidth={240}
        actions={(role) => [
          { label: '编辑', do: editRole, disabled: readOnly(role), onClick: () => form.open({ role }) },
          {
            label: readOnly(role) ? '查看权限' : '分配权限',
            do: readOnly(role) ? viewRoleRights : allocateRoleRights,
            onClick: () => rights.open(role),
          },
          ...(role.kind === 'platform'
            ? []
            : [{ label: '数据范围', do: setRoleScope, disabled: readOnly(role), onClick: () => openScope(role) }]),
          { label: '复制', do: saveRole, onClick: () => form.open({ copied: role }) },
          step(switchRole, {
            label: role.enabled ? '停用' : '启用',
            danger: role.enabled,
            with: { query: { id: role.id, enabled: !role.enabled } },
            disabled: readOnly(role) ?? (role.builtIn && role.enabled ? '内置角色不能停用' : undefined),
            confirm: role.enabled
              ? {
                  title: `停用角色“${role.roleName}”？`,
                  content: `${role.accountCount}个账号会立即失去由它得到的权限。`,
                }
              : undefined,
            done: role.enabled ? `已停用“${role.roleName}”` : `已启用“${role.roleName}”`,
            undo: () => undoBy(switchRole, { query: { id: role.id, enabled: role.enabled } }),
          }),
          step(deleteRole, {
            label: '删除',
            danger: true,
            with: { query: { id: role.id } },
            disabled: readOnly(role) ?? (role.builtIn ? '内置数据不能删除' : undefined),
            confirm: { title: `删除角色“${role.roleName}”？`, content: '删除后不能恢复。' },
            done: `已删除“${role.roleName}”`,
          }),
        ]}
        empty="没有角色。点击“新增角色”，或复制一个模板。"
      />
      <RoleForm key={`form-${form.key}`} {...form.props} />
      <RoleScopeForm key={`scope-${scope.key}`} {...scope.props} />
      <RightsDrawer
        key={`rights-${rights.key}`}
        {...rights.props}
        readOnly={rights.props.record && readOnly(rights.props.record)}
      />
    </Page>
  )
}
