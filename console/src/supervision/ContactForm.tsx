import type { RowOf } from '@/api/operation'
import type { Saved } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FilesInput } from '@/kit/FilesInput'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { editSuperviseContact, type listSuperviseContacts, saveSuperviseContact } from './api'

const Field = fieldsOf(saveSuperviseContact)

export type Contact = RowOf<typeof listSuperviseContacts>

const Words = () => (
  <>
    <Field name="contactWay">
      <DictionarySelect type="contact_way" />
    </Field>
    <Field name="contactResult">
      <DictionarySelect type="contact_result" />
    </Field>
    <Field name="lagReason">
      <DictionarySelect type="lag_reason" />
    </Field>
    <Field name="content" />
    <Field name="nextContactOn" />
  </>
)

/** 登记联系 with the student of a case. */
export const ContactForm = ({ record: row, ...drawer }: DrawerProps<{ id: number; name: string }>) => (
  <FormDrawer<object, Saved>
    {...drawer}
    record={undefined}
    initial={{ contactWay: 'phone' }}
    title={`登记与${row?.name ?? ''}的联系`}
    action={() => formAction(saveSuperviseContact, '已登记联系', { caseId: row?.id })}
  >
    <Words />
    <Field name="fileIds" label="附件" help="截图、录音等，最多3个，每个不超过10MB">
      <FilesInput by={({ id }) => id} purpose="supervise" accept=".pdf,.doc,.docx,.jpg,.jpeg,.png,.mp3,.mp4" />
    </Field>
  </FormDrawer>
)

/** 更正: whoever wrote a record, within a day. */
export const ContactEdit = ({ record, ...drawer }: DrawerProps<Contact>) => (
  <FormDrawer<Contact, Saved>
    {...drawer}
    record={record}
    title={`更正与${record?.name ?? ''}的联系`}
    action={(contact) => formAction(editSuperviseContact, '已更正', contact)}
  >
    <p className="form-hint">只能更正本人在24小时内登记的记录，更正前后都会留在操作日志中。</p>
    <Words />
  </FormDrawer>
)
