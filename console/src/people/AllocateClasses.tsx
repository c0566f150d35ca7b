import { Checkbox } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { basicOptions } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { allocateClasses, type listClassManagers, viewClassManager } from './api'

type ClassManager = RowOf<typeof listClassManagers>

const Field = fieldsOf(allocateClasses)

interface TakeOverProps {
  value?: boolean
  onChange?: (value: boolean) => void
}

const TakeOver = ({ value, onChange }: TakeOverProps) => (
  <Checkbox checked={value ?? false} onChange={onChange}>
    所选班级已有其他班主任时，由该班主任接管
  </Checkbox>
)

/** Most managers have one site; then its classes alone are offered. */
const onlySite = (manager: ClassManager | undefined) => (manager?.siteIds.length === 1 ? manager.siteIds[0] : undefined)

/** 分配班级: all classes that the manager is to have. */
export const AllocateClasses = ({ record, ...drawer }: DrawerProps<ClassManager>) => (
  <FormDrawer<ClassManager, { id: number }>
    {...drawer}
    record={record}
    title={`分配班级 ${record?.name ?? ''}`}
    action={(manager) => formAction(allocateClasses, '已分配班级', manager)}
    reload={(manager, call) => call(viewClassManager, { query: { id: manager.id } })}
  >
    <Field
      name="classIds"
      required={false}
      help={`可选${record?.siteNames.join('、') ?? ''}的班级；移除的班级将没有班主任`}
    >
      <SeveralOptions
        label="班级"
        options={listOptions}
        query={basicOptions('class', onlySite(record))}
        placeholder="请选择"
      />
    </Field>
    <Field name="takeOver" label="接管">
      <TakeOver />
    </Field>
  </FormDrawer>
)
