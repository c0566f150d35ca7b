import { Button, Space } from '@arco-design/web-react'
import { IconImport, IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '@/api/client'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  allocateSystemUserRoles,
  deleteSystemUser,
  editSystemUser,
  exportSystemUsers,
  importSystemUsers,
  kickSystemUser,
  listSystemUsers,
  resetSystemUserPassword,
  saveSystemUser,
  switchSystemUser,
  unlockSystemUser,
  viewSystemUser,
} from '../api'
import { type Account, Names, State } from './account'
import { ResetPassword } from './ResetPassword'
import { RoleFilter } from './RoleFilter'
import { type SystemUser, SystemUserForm } from './SystemUserForm'
import { SystemUserRoles } from './SystemUserRoles'

const columns = columnsOf(listSystemUsers, [
  { field: 'loginName', width: 140, fixed: 'left' },
  { field: 'realName', width: 110 },
  {
    field: 'phone',
    width: 150,
    render: (row) => <Masked entity="systemUser" id={row.id} field="phone" label="手机号" value={row.phone} />,
  },
  { field: 'userType', hidden: true },
  { field: 'roleNames', width: 180, render: (row) => <Names names={row.roleNames} none="未分配" /> },
  {
    field: 'schoolNames',
    title: '可管院校',
    width: 140,
    render: (row) => (row.schoolScope === 'all' ? '全部' : <Names names={row.schoolNames} />),
  },
  { field: 'enabled', render: (row) => <State account={row} /> },
  { field: 'gmtExpires', help: '留空为长期有效' },
  'lastLoginAt',
  { field: 'locked', width: 80 },
  { field: 'totpEnabled', width: 100, hidden: true },
  { field: 'email', hidden: true },
  { field: 'gender', hidden: true },
  { field: 'builtIn', hidden: true },
  { field: 'remark', hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 平台账号: the operator's own people. */
export const SystemUsers = () => {
  const table = useQueryTable(listSystemUsers)
  const form = useDrawer<SystemUser>()
  const roles = useDrawer<SystemUser>()
  const reset = useDrawer<Account>()
  const navigate = useNavigate()
  const opening = useMutation({
    mutationFn: ({ id }: { id: number; into: typeof form }) => call(viewSystemUser, { query: { userId: id } }),
    onSuccess: (user, { into }) => into.open(user),
  })
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listSystemUsers} field="loginName" />
        <TextFilter of={listSystemUsers} field="realName" />
        <TextFilter of={listSystemUsers} field="phone" />
        <EnabledFilter of={listSystemUsers} field="enabled" />
        <RoleFilter of={listSystemUsers} field="roleId" roles="platform" />
        <EnumFilter of={listSystemUsers} field="expiry" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(user) => user.loginName}
        primary={
          <Can do={saveSystemUser}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增账号
            </Button>
          </Can>
        }
        tools={
          <Space size={4}>
            <Can do={importSystemUsers}>
              <Button icon={<IconImport />} onClick={() => navigate(paths.userUpload)}>
                批量导入
              </Button>
            </Can>
            <ExportButton do={exportSystemUsers} table={table} />
          </Space>
        }
        actionsWidth={210}
        actions={(user) => [
          { label: '编辑', do: editSystemUser, onClick: () => opening.mutate({ id: user.id, into: form }) },
          {
            label: '分配角色',
            do: allocateSystemUserRoles,
            onClick: () => opening.mutate({ id: user.id, into: roles }),
          },
          { label: '重置密码', do: resetSystemUserPassword, onClick: () => reset.open(user) },
          step(switchSystemUser, {
            label: user.enabled ? '停用' : '启用',
            danger: user.enabled,
            with: { query: { userId: user.id, enabled: !user.enabled } },
            disabled: user.builtIn && user.enabled ? '内置账号不能停用' : undefined,
            confirm: user.enabled
              ? { title: `停用账号“${user.loginName}”？`, content: '该账号会立即退出，且不能再登录。' }
              : undefined,
            done: user.enabled ? `已停用“${user.loginName}”` : `已启用“${user.loginName}”`,
            undo: () => undoBy(switchSystemUser, { query: { userId: user.id, enabled: user.enabled } }),
          }),
          ...(user.locked
            ? [
                step(unlockSystemUser, {
                  label: '解锁',
                  with: { query: { userId: user.id } },
                  done: `已解锁“${user.loginName}”`,
                }),
              ]
            : []),
          step(kickSystemUser, {
            label: '强制下线',
            danger: true,
            with: { query: { userId: user.id } },
            confirm: { title: `强制“${user.loginName}”下线？`, content: '该账号会立即退出，可以重新登录。' },
            done: `已强制“${user.loginName}”下线`,
          }),
          step(deleteSystemUser, {
            label: '删除',
            danger: true,
            with: { query: { id: user.id } },
            disabled: user.builtIn ? '内置账号不能删除' : undefined,
            confirm: {
              title: `删除账号“${user.loginName}”？`,
              content: '该账号会立即退出，角色随之解除；日志保留其姓名。',
            },
            done: `已删除“${user.loginName}”`,
          }),
        ]}
        empty="还没有平台账号。点击“新增账号”，或批量导入。"
      />
      <SystemUserForm key={`form-${form.key}`} {...form.props} />
      <SystemUserRoles key={`roles-${roles.key}`} {...roles.props} />
      <ResetPassword key={`reset-${reset.key}`} operation={resetSystemUserPassword} {...reset.props} />
    </>
  )
}
