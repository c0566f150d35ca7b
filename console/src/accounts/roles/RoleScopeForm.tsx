import { Form, Radio } from '@arco-design/web-react'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { setRoleScope, viewRoleScope } from '../api'
import { Targets } from '../users/RoleScopes'

type RoleScope = RowOf<typeof viewRoleScope>

const Field = fieldsOf(setRoleScope)

const scopes = setRoleScope.fields.dataScope?.options ?? []

interface ScopeChoiceProps {
  value?: string
  onChange?: (scope: string) => void
}

/** Sites or classes of another kind of scope are forgotten when the scope changes. */
const ScopeChoice = ({ value, onChange }: ScopeChoiceProps) => {
  const { form } = Form.useFormContext()
  const choose = (scope: string) => {
    form.setFieldsValue({ siteIds: [], classIds: [] })
    onChange?.(scope)
  }
  return (
    <Radio.Group
      aria-label="数据范围"
      value={value}
      onChange={choose}
      options={scopes.map(([scope, words]) => ({ value: scope, label: words }))}
    />
  )
}

interface ChosenProps {
  value?: number[]
  onChange?: (ids: number[]) => void
}

const Sites = ({ value = [], onChange }: ChosenProps) => (
  <Targets type="site" label="站点" placeholder="请选择站点" value={value} onChange={(ids) => onChange?.(ids)} />
)
const Classes = ({ value = [], onChange }: ChosenProps) => (
  <Targets type="class" label="班级" placeholder="请选择班级" value={value} onChange={(ids) => onChange?.(ids)} />
)

/** The targets that go with the chosen scope; a template has none, because it belongs to no school. */
const Named = () => {
  const { form } = Form.useFormContext()
  const scope: string | undefined = Form.useWatch('dataScope', form)
  const inSchool = useIdentity((state) => state.account?.area) === 'school'
  if (scope === 'whole_school' || scope === undefined) return null
  if (!inSchool) return <p className="nothing">模板不属于任何院校，具体的站点和班级由院校分配给账号时指定。</p>
  return scope === 'named_sites' ? (
    <Field name="siteIds" help="留空时看不到任何学生，除非分配给账号时另行指定">
      <Sites />
    </Field>
  ) : (
    <Field name="classIds" help="留空时看不到任何学生，除非分配给账号时另行指定">
      <Classes />
    </Field>
  )
}

/** 数据范围: whose rows the role opens, for everybody who has it. */
export const RoleScopeForm = ({ record, ...drawer }: DrawerProps<RoleScope>) => (
  <FormDrawer
    {...drawer}
    record={record}
    title="数据范围"
    width={480}
    action={(scope) => formAction(setRoleScope, '已保存数据范围', scope)}
    reload={(scope) => call(viewRoleScope, { query: { id: scope.roleId } })}
  >
    <Field name="dataScope">
      <ScopeChoice />
    </Field>
    <Named />
  </FormDrawer>
)
