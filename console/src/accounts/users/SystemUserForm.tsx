import { Form, Select } from '@arco-design/web-react'
import { useState } from 'react'
import { call } from '@/api/client'
import { useOptions } from '@/api/options'
import type { components } from '@/api/schema'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { listAvailableSchools } from '@/schools/api'
import { editSystemUser, saveSystemUser, viewSystemUser } from '../api'
import { ExpiryInput } from './ExpiryInput'
import { InitialPassword, type Issued } from './InitialPassword'
import { RoleSelect } from './RoleSelect'

export type SystemUser = components['schemas']['SystemUser']
type Saved = { id: number; initialPassword?: string | null }

const Field = fieldsOf(saveSystemUser)

interface SchoolsSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** The schools that an operator may act for. */
const SchoolsSelect = ({ value = [], onChange, 'aria-label': label }: SchoolsSelectProps) => {
  const [text, setText] = useState('')
  const found = useOptions(listAvailableSchools, { keyword: useSettled(text) || undefined })
  const all = useOptions(listAvailableSchools, { keyword: undefined })
  const known = new Map([...(all.data ?? []), ...(found.data ?? [])].map(({ code, desc }) => [code, desc]))
  const shown = [...new Set([...value, ...(found.data ?? []).map(({ code }) => code)])]
  return (
    <Select
      aria-label={label}
      mode="multiple"
      allowClear
      showSearch
      filterOption={false}
      placeholder="请选择"
      loading={found.isFetching}
      value={value}
      onSearch={setText}
      onChange={onChange}
      notFoundContent="没有找到，请换一个词"
      options={shown.map((id) => ({ value: id, label: known.get(id) ?? `院校${id}` }))}
    />
  )
}

/** Shown only when the schools are listed. */
const ListedSchools = () => {
  const { form } = Form.useFormContext()
  const scope: string | undefined = Form.useWatch('schoolScope', form)
  return scope === 'listed' ? (
    <Field name="schoolIds" required>
      <SchoolsSelect />
    </Field>
  ) : null
}

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
            send: async (values) => {
              const saved = await saving.send(values)
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
        <ListedSchools />
        <Field name="gmtExpires" label="有效期至">
          <ExpiryInput />
        </Field>
        <Field name="remark" />
      </FormDrawer>
      {issued && <InitialPassword issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}
