import { listOptions } from '@/api/infra'
import { basicOptions } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateSchoolUserRoles, editSchoolUserRoles } from '../api'
import { chosenScopes, RoleScopes } from './RoleScopes'
import { RoleSelect } from './RoleSelect'
import type { SchoolUser } from './SchoolUserForm'

type Binding = SchoolUser['bindings'][number]

/** What a form of roles begins with. */
const held = (binding: Binding | undefined) => ({
  roleIdList: binding?.roles.map(({ roleId }) => roleId) ?? [],
  scopes: binding?.roles.map(({ roleId, siteIds, classIds }) => ({ roleId, siteIds, classIds })) ?? [],
})
type Held = ReturnType<typeof held>

const onlyChosen = (values: object): object =>
  'roleIdList' in values && Array.isArray(values.roleIdList) && 'scopes' in values && Array.isArray(values.scopes)
    ? { ...values, scopes: chosenScopes(values.roleIdList, values.scopes) }
    : values

const Field = fieldsOf(allocateSchoolUserRoles)

/** 分配角色 inside a school, with the sites or classes that each role reaches. */
export const SchoolUserRoles = ({ record, ...drawer }: DrawerProps<SchoolUser>) => {
  const before = record && { ...held(record.bindings[0]), userId: record.id, version: record.version }
  return (
    <FormDrawer<Held & { userId: number; version: number }, { id: number }>
      {...drawer}
      record={before}
      title={`分配角色 ${record?.loginName ?? ''}`}
      width={560}
      action={(user) => {
        const saving = formAction(allocateSchoolUserRoles, '已分配角色', user)
        return { ...saving, send: (values, request) => saving.send(onlyChosen(values), request) }
      }}
    >
      <Field name="roleIdList" help="保存后立即生效；只能分配您自己拥有的权限">
        <RoleSelect of={{ school: undefined }} />
      </Field>
      <RoleScopes of={{ school: undefined }} />
    </FormDrawer>
  )
}

const BindingField = fieldsOf(editSchoolUserRoles)

/** 编辑院校角色 at the platform. Sites and classes are named inside the school; those named there stay. */
export const BindingRoles = ({ record, ...drawer }: DrawerProps<Binding>) => {
  const before = record && {
    ...held(record),
    id: record.id,
    teacherId: record.teacherId ?? undefined,
    version: record.version,
  }
  return (
    <FormDrawer<Held & { id: number; teacherId?: number; version: number }, { id: number }>
      {...drawer}
      record={before}
      title={`编辑院校角色 ${record?.schoolName ?? ''}`}
      width={480}
      action={(binding) => {
        const saving = formAction(editSchoolUserRoles, '已保存院校角色', binding)
        return {
          ...saving,
          send: (values, request) => saving.send(onlyChosen({ ...values, scopes: binding?.scopes ?? [] }), request),
        }
      }}
    >
      <BindingField name="roleIdList" help="角色指定的站点和班级请进入院校后设置">
        <RoleSelect of={{ school: record?.schoolId }} />
      </BindingField>
      <BindingField name="teacherId" help="该账号是本校的哪位教师">
        <OptionSelect
          label="教师"
          options={listOptions}
          query={(keyword) => ({ ...basicOptions('teacher')(keyword), schoolId: record?.schoolId })}
        />
      </BindingField>
    </FormDrawer>
  )
}
