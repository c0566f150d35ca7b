import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { BasicSelect, basicOptions, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PictureUpload } from '@/kit/PictureUpload'
import { SeveralOptions } from '@/kit/SeveralOptions'
import type { DrawerProps } from '@/kit/useDrawer'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { editTeacher, type listTeachers, saveTeacher, viewTeacher } from './api'
import { IdCardInput } from './IdCardInput'
import { IdCardTypeSelect } from './IdCardTypeSelect'

type Teacher = RowOf<typeof listTeachers>

const Field = fieldsOf(saveTeacher)

const kept = (value: unknown) => (value ? '不修改时保留原内容' : undefined)

export const TeacherForm = ({ record, ...drawer }: DrawerProps<Teacher>) => (
  <FormDrawer<Teacher, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑教师 ${record.name}` : '新增教师'}
    width={720}
    initial={{ kind: 'full_time', status: 'active', duties: [], majorIds: [] }}
    action={(teacher) =>
      teacher ? formAction(editTeacher, '已保存教师', teacher) : formAction(saveTeacher, '已新增教师')
    }
    reload={(teacher, call) => call(viewTeacher, { query: { id: teacher.id } })}
    keep={['organizationId', 'kind', 'duties', 'status']}
  >
    <Field name="workNo" />
    <Field name="name" />
    <Field name="phone" help={kept(record?.phone)} />
    <Field name="organizationId">
      <BasicSelect type="organization" known={known(record?.organizationId, record?.organizationName)} />
    </Field>
    <Field name="kind" />
    <Field name="title" />
    <Field name="duties" />
    <Field name="majorIds">
      <SeveralOptions label="授课专业" options={listOptions} query={basicOptions('major')} placeholder="请选择" />
    </Field>
    <Field name="idCardType" help="不选时为居民身份证">
      <IdCardTypeSelect stored={record?.idCardType} allowClear />
    </Field>
    <Field name="idCardNo" help={kept(record?.idCardNo) ?? '初始密码取后6位'}>
      <IdCardInput stored={record?.idCardNo} maxLength={30} />
    </Field>
    <Field name="gender" />
    <Field name="birthday" />
    <Field name="ethnicity">
      <DictionarySelect type="ethnicity" />
    </Field>
    <Field name="email" help={kept(record?.email)} />
    <Field name="education" />
    <Field name="degree" />
    <Field name="bankName" />
    <Field name="bankCardNo" help={kept(record?.bankCardNo)} />
    <Field name="status" />
    <Field name="photo">
      <PictureUpload />
    </Field>
    <Field name="remark" />
  </FormDrawer>
)
