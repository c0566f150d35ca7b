import { Modal, Select } from '@arco-design/web-react'
import { useRef } from 'react'
import type { BodyOf, RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { allocateFieldAttributes } from './api'
import type { FieldAttribute } from './FieldAttributeForm'
import { hasWords } from './StageForm'

type Allocation = BodyOf<typeof allocateFieldAttributes>
type Allocated = RowOf<typeof allocateFieldAttributes>

const Field = fieldsOf(allocateFieldAttributes)

interface FieldsSelectProps {
  fields: readonly FieldAttribute[]
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

const FieldsSelect = ({ fields, ...rest }: FieldsSelectProps) => (
  <Select
    {...rest}
    mode="multiple"
    placeholder="请选择"
    allowClear
    showSearch
    filterOption={hasWords}
    options={fields.map(({ id, label, fieldKey }) => ({ value: id, label: `${label} ${fieldKey}` }))}
  />
)

const told = ({ added, failed }: Allocated) => {
  const counts = Object.values(added)
  if (counts.length === 0 && failed.length > 0) return '没有院校收到字段'
  const sum = counts.reduce((total, count) => total + count, 0)
  return sum === 0 ? '所选院校已有这些字段，没有新增' : `已下发：${counts.length}所院校共新增${sum}个字段`
}

/** The schools that could not take the fields, each with its reason. */
const tellLeftOut = ({ failed }: Allocated) =>
  Modal.warning({
    title: `${failed.length}所院校没有下发`,
    okText: '知道了',
    content: failed.map(({ schoolId, schoolName, msg }) => (
      <p key={schoolId}>
        {schoolName ?? `院校${schoolId}`}：{msg}
      </p>
    )),
  })

/** 下发: fields of the template go to schools that lack them. */
export const AllocateFields = ({
  fields,
  record: _,
  ...drawer
}: DrawerProps<Allocation> & { fields: readonly FieldAttribute[] }) => {
  // What is said follows from the answer.
  const done = useRef('')
  return (
    <FormDrawer<Allocation, Allocated>
      {...drawer}
      record={undefined}
      title="下发字段"
      initial={{ ids: fields.filter(({ builtIn }) => !builtIn).map(({ id }) => id) }}
      action={() => formAction(allocateFieldAttributes, done.current)}
      onSaved={(answer) => {
        done.current = told(answer)
        if (answer.failed.length > 0) tellLeftOut(answer)
      }}
    >
      <Field name="ids" help="院校没有的字段新增到最后，已有的保持不变">
        <FieldsSelect fields={fields} />
      </Field>
      <Field name="schoolIds">
        <SchoolsSelect />
      </Field>
    </FormDrawer>
  )
}
