import { Form, Input, Select } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import type { RowOf } from '@/api/operation'
import type { FieldDictionary } from '@/api/types/field_attributes'
import type { Saved } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editFieldAttribute, listFieldAttributes, saveFieldAttribute } from './api'
import { hasWords } from './StageForm'
import type { Stage } from './stage'

export type FieldAttribute = RowOf<typeof listFieldAttributes>
export type Dictionary = FieldDictionary
type Control = FieldAttribute['control']

/** More fields than a stage has. */
export const ALL = 500

const Field = fieldsOf(saveFieldAttribute)

const chooses = (control: Control | undefined) => control === 'select' || control === 'multi_select'
const isText = (control: Control | undefined) => control === 'text' || control === 'textarea'

interface DictionaryChoiceProps {
  dictionaries: readonly Dictionary[]
  value?: string
  onChange?: (type: string | undefined) => void
  'aria-label'?: string
}

const DictionaryChoice = ({ dictionaries, ...rest }: DictionaryChoiceProps) => (
  <Select
    {...rest}
    placeholder="请选择"
    allowClear
    showSearch
    filterOption={hasWords}
    options={dictionaries.map(({ dictType, dictName }) => ({ value: dictType, label: dictName }))}
  />
)

/** What only some controls have. */
const OfControl = ({ dictionaries }: { dictionaries: readonly Dictionary[] }) => {
  const { form } = Form.useFormContext()
  const control: Control | undefined = Form.useWatch('control', form)
  if (chooses(control)) {
    return (
      <Field name="dictType" required help="选项是该字典中启用的数据">
        <DictionaryChoice dictionaries={dictionaries} />
      </Field>
    )
  }
  if (!isText(control)) return null
  return (
    <>
      <Field name="maxLength" help="最多的字符数，留空为2000" />
      <Field name="pattern" help="全部内容须符合的正则表达式，例如 [0-9]{2}">
        <Input maxLength={saveFieldAttribute.fields.pattern?.maxLength} allowClear />
      </Field>
    </>
  )
}

/** What the chosen control does not have goes, also where the record had it before. */
const fitted = (values: { control?: Control; dictType?: unknown; maxLength?: unknown; pattern?: unknown }) => ({
  ...values,
  dictType: chooses(values.control) ? values.dictType : null,
  maxLength: isText(values.control) ? values.maxLength : null,
  pattern: isText(values.control) ? values.pattern : null,
})

const saving = (field: FieldAttribute | undefined, stage: Stage): FormAction<Saved> => {
  const action = field
    ? formAction(editFieldAttribute, '已保存字段', field)
    : formAction(saveFieldAttribute, '已新增字段')
  return {
    ...action,
    send: (values, request) => {
      const fitting = field?.builtIn ? values : fitted(values)
      return action.send(field ? fitting : { stage, ...fitting }, request)
    },
  }
}

/** There is no call for a single field: a stage's are few. */
const again = async (field: FieldAttribute, call: Caller) => {
  const { list } = await call(listFieldAttributes, { body: { stage: field.stage, pageSize: ALL } })
  return list.find(({ id }) => id === field.id) ?? field
}

interface FieldAttributeFormProps extends DrawerProps<FieldAttribute> {
  stage: Stage
  dictionaries: readonly Dictionary[]
}

export const FieldAttributeForm = ({ record, stage, dictionaries, ...drawer }: FieldAttributeFormProps) => (
  <FormDrawer<FieldAttribute, Saved>
    {...drawer}
    record={record}
    width={720}
    title={record ? `编辑字段 ${record.label}` : '新增字段'}
    initial={{
      groupName: 'other',
      control: 'text',
      visible: true,
      required: false,
      studentEditable: true,
      enabled: true,
    }}
    action={(field) => saving(field, stage)}
    reload={again}
    keep={['groupName', 'control']}
  >
    {!record && <Field name="fieldKey" help="以 x_ 开头，后接小写字母、数字或下划线；保存后不能修改" />}
    <Field name="label" />
    <Field name="groupName" />
    <Field
      name="control"
      disabled={record?.builtIn}
      help={record?.builtIn ? '内置字段的控件由系统决定' : '已有数据后不能修改'}
    />
    {!record?.builtIn && <OfControl dictionaries={dictionaries} />}
    <Field name="helpText" help="显示在字段下方，内容不符合正则时也会提示" />
    <Field name="visible" />
    <Field name="required" help={record?.systemRequired ? '系统必填字段，必须显示和填写' : undefined} />
    <Field name="studentEditable" help="学员在客户端能否修改" />
    {!record && <Field name="enabled" />}
  </FormDrawer>
)
