import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editAdmission, viewAdmission } from './api'

export type AdmissionView = RowOf<typeof viewAdmission>

const Field = fieldsOf(editAdmission)

/** 编辑联系方式: how somebody is reached; what the authority says changes by its file alone. */
export const ContactForm = ({ record, ...drawer }: DrawerProps<AdmissionView>) => (
  <FormDrawer<AdmissionView, { id: number }>
    {...drawer}
    record={record}
    title={`编辑联系方式 ${record?.name ?? ''}`}
    action={(admission) => formAction(editAdmission, '已保存联系方式', admission)}
    reload={(admission, call) => call(viewAdmission, { query: { id: admission.id } })}
  >
    <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
    <Field name="address" help={record?.address ? '不修改时保留原地址' : undefined} />
    <Field name="postalCode" />
  </FormDrawer>
)
