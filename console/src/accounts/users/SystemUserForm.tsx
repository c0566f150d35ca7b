import { useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { editSystemUser, saveSystemUser, viewSystemUser } from '../api'
import { ExpiryInput } from './ExpiryInput'
import { InitialPassword, type Issued } from './InitialPassword'
import { RoleSelect } from './RoleSelect'
import { WhenSchoolsListed } from './WhenSchoolsListed'

export type SystemUser = RowOf<typeof viewSystemUser>
type Saved = { id: number; initialPassword?: string | null }

const Field = fieldsOf(saveSystemUser)

/** A platform account: new ones get roles and a password at once, later both have dialogs of their own. */
export const SystemUserForm = ({ record, ...drawer }: DrawerProps<SystemUser>) => {
  const [issued, setIssued] = useState<Issued>()
  return (
    <>
      <FormDrawer<SystemUser, Saved>
        {...drawer}
        record={record}
        width={720}
        title={record ? `编辑账号 ${record.loginName}` : '新增账号'}
        initial={{ schoolScope: 'all', gender: 'unknown' }}
        action={(user) => {
          if (user) return formAction(editSystemUser, '已保存账号', user)
          const saving = formAction(saveSystemUser, '已新增账号')
          return {
            ...saving,
            send: async (values, request) => {
              const saved = await saving.send(values, request)
              const loginName = 'loginName' in values ? String(values.loginName) : ''
              if (saved.initialPassword) setIssued({ loginName, password: saved.initialPassword })
              return saved
            },
          }
        }}
        reload={(user) => call(viewSystemUser, { query: { userId: user.id } })}
      >
        {!record && <Field name="loginName" />}
        <Field name="realName" />
        <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
        <Field name="email" help={record?.email ? '不修改时保留原邮箱' : undefined} />
        <Field name="gender" />
        {!record && (
          <Field name="roleIdList">
            <RoleSelect of="platform" />
          </Field>
        )}
        <Field name="schoolScope" />
        <WhenSchoolsListed>
          <Field name="schoolIds" required>
            <SchoolsSelect />
          </Field>
        </WhenSchoolsListed>
        <Field name="gmtExpires" label="有效期至">
          <ExpiryInput />
        </Field>
        <Field name="remark" />
      </FormDrawer>
      {issued && <InitialPassword issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}
