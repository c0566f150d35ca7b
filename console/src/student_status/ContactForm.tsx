import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editStudentContact, viewStudentAccount } from './api'

export type Contact = RowOf<typeof viewStudentAccount>['student']

const Field = fieldsOf(editStudentContact)

/** 编辑联系方式: how a student is reached, nothing of the register. */
export const ContactForm = ({ record, ...drawer }: DrawerProps<Contact>) => (
  <FormDrawer<Contact, { id: number }>
    {...drawer}
    record={record}
    title={`编辑联系方式 ${record?.name ?? ''}`}
    action={(student) => formAction(editStudentContact, '已保存联系方式', student)}
    reload={async (student, call) => (await call(viewStudentAccount, { query: { id: student.id } })).student}
  >
    <Field name="phone" help={record?.phone ? '不修改时保留原号码' : undefined} />
    <Field name="email" />
    <Field name="address" />
    <Field name="postalCode" />
    <Field name="workUnit" />
    <Field name="emergencyContact" />
    <Field name="emergencyPhone" />
  </FormDrawer>
)
