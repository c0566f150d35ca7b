import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { call } from '@/api/client'
import { type RowAction, step } from '@/kit/actions'
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
import { SchoolFilter } from '@/schools/SchoolFilter'
import {
  allocateSchoolUserRoles,
  bindSchoolUser,
  deleteSystemUser,
  editSchoolUser,
  exportSchoolUsers,
  kickSchoolUser,
  listSchoolUsers,
  resetSchoolUserPassword,
  saveSchoolUser,
  switchSchoolUser,
  unbindSchoolUser,
  unlockSchoolUser,
  viewSchoolUser,
} from '../api'
import { type Account, Names, State } from './account'
import { Bindings } from './Bindings'
import { Invitations } from './Invitations'
import { ResetPassword } from './ResetPassword'
import { RoleFilter } from './RoleFilter'
import { type SchoolUser, SchoolUserForm } from './SchoolUserForm'
import { SchoolUserRoles } from './SchoolUserRoles'

const names = columnsOf(listSchoolUsers, [
  { field: 'loginName', width: 140, fixed: 'left' },
  { field: 'realName', width: 110 },
  { field: 'enabled', fixed: 'left', render: (row) => <State account={row} /> },
  {
    field: 'phone',
    width: 150,
    render: (row) => <Masked entity="schoolUser" id={row.id} field="phone" label="手机号" value={row.phone} />,
  },
  { field: 'userType', width: 100, hidden: true },
  { field: 'roleNames', width: 180, render: (row) => <Names names={row.roleNames} none="未分配" /> },
])
const standing = columnsOf(listSchoolUsers, [
  { field: 'gmtExpires', help: '留空为长期有效' },
  'lastLoginAt',
  { field: 'locked', width: 80 },
  { field: 'totpEnabled', width: 100, hidden: true },
  { field: 'email', hidden: true },
  { field: 'gender', hidden: true },
  { field: 'remark', hidden: true },
  { field: 'createdAt', hidden: true },
])
const columns = {
  inside: [...names, ...columnsOf(listSchoolUsers, [{ field: 'isAdmin', title: '管理员', width: 80 }]), ...standing],
  outside: [
    ...names,
    ...columnsOf(listSchoolUsers, [
      { field: 'schoolNames', width: 170, render: (row) => <Names names={row.schoolNames} none="未绑定" /> },
    ]),
    ...standing,
  ],
}

/** 院校账号: in the school area those that are bound here, for operators those of their schools. */
export const SchoolUsers = ({ inside }: { inside: boolean }) => {
  const table = useQueryTable(listSchoolUsers)
  const form = useDrawer<SchoolUser>()
  const roles = useDrawer<SchoolUser>()
  const reset = useDrawer<Account>()
  const bindings = useDrawer<Account>()
  const opening = useMutation({
    mutationFn: ({ id }: { id: number; into: typeof form }) => call(viewSchoolUser, { query: { userId: id } }),
    onSuccess: (user, { into }) => into.open(user),
  })
  const rights = (user: Account): RowAction[] =>
    inside
      ? [
          {
            label: '分配角色',
            do: allocateSchoolUserRoles,
            onClick: () => opening.mutate({ id: user.id, into: roles }),
          },
        ]
      : [{ label: '绑定院校', do: bindSchoolUser, onClick: () => bindings.open(user) }]
  const ending = (user: Account): RowAction[] => {
    if (!inside) {
      return [
        step(deleteSystemUser, {
          label: '删除',
          danger: true,
          with: { query: { id: user.id } },
          confirm: {
            title: `删除账号“${user.loginName}”？`,
            content: '该账号会立即退出，院校绑定和角色随之解除；日志保留其姓名。',
          },
          done: `已删除“${user.loginName}”`,
        }),
      ]
    }
    return user.bindingId
      ? [
          step(unbindSchoolUser, {
            label: '解除绑定',
            danger: true,
            with: { query: { id: user.bindingId } },
            confirm: {
              title: `解除“${user.realName}”的绑定？`,
              content: '该账号会立即退出本院校，在本院校的角色随之解除。',
            },
            done: `已解除“${user.realName}”的绑定`,
          }),
        ]
      : []
  }
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listSchoolUsers} field="loginName" />
        <TextFilter of={listSchoolUsers} field="realName" />
        <TextFilter of={listSchoolUsers} field="phone" />
        {inside ? (
          <EnabledFilter of={listSchoolUsers} field="enabled" />
        ) : (
          <SchoolFilter of={listSchoolUsers} field="schoolId" />
        )}
        <RoleFilter of={listSchoolUsers} field="roleId" roles={{ school: undefined }} />
        {!inside && <EnabledFilter of={listSchoolUsers} field="enabled" />}
        <EnumFilter of={listSchoolUsers} field="expiry" />
      </FilterBar>
      {inside && <Invitations />}
      <QueryTable
        table={table}
        columns={inside ? columns.inside : columns.outside}
        nameOf={(user) => user.loginName}
        primary={
          <Can do={saveSchoolUser}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增账号
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSchoolUsers} table={table} />}
        actionsWidth={210}
        actions={(user) => [
          { label: '编辑', do: editSchoolUser, onClick: () => opening.mutate({ id: user.id, into: form }) },
          ...rights(user),
          { label: '重置密码', do: resetSchoolUserPassword, onClick: () => reset.open(user) },
          step(switchSchoolUser, {
            label: user.enabled ? '停用' : '启用',
            danger: user.enabled,
            with: { query: { userId: user.id, enabled: !user.enabled } },
            confirm: user.enabled
              ? {
                  title: `停用账号“${user.loginName}”？`,
                  content: inside
                    ? '该账号会立即退出本院校，且不能再登录本院校。'
                    : '该账号会立即退出，且不能再登录任何院校。',
                }
              : undefined,
            done: user.enabled ? `已停用“${user.loginName}”` : `已启用“${user.loginName}”`,
            undo: () => undoBy(switchSchoolUser, { query: { userId: user.id, enabled: user.enabled } }),
          }),
          ...(user.locked
            ? [
                step(unlockSchoolUser, {
                  label: '解锁',
                  with: { query: { userId: user.id } },
                  done: `已解锁“${user.loginName}”`,
                }),
              ]
            : []),
          step(kickSchoolUser, {
            label: '强制下线',
            danger: true,
            with: { query: { userId: user.id } },
            confirm: { title: `强制“${user.loginName}”下线？`, content: '该账号会立即退出，可以重新登录。' },
            done: `已强制“${user.loginName}”下线`,
          }),
          ...ending(user),
        ]}
        empty={
          inside
            ? '还没有账号。点击“新增账号”；已在其他院校工作的人员，填写其账号后可以邀请。'
            : '还没有院校账号。点击“新增账号”，选择院校后开通。'
        }
      />
      <SchoolUserForm key={`form-${form.key}`} inside={inside} {...form.props} />
      <SchoolUserRoles key={`roles-${roles.key}`} {...roles.props} />
      <ResetPassword key={`reset-${reset.key}`} operation={resetSchoolUserPassword} {...reset.props} />
      <Bindings key={`bindings-${bindings.key}`} {...bindings.props} />
    </>
  )
}
