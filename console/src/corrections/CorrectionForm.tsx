import type { BodyOf, RowOf } from '@/api/operation'
import type { CorrectionEvidence } from '@/api/types/corrections'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { PapersInput } from '@/kit/Papers'
import { Sections } from '@/kit/Sections'
import type { DrawerProps } from '@/kit/useDrawer'
import { IdCardInput } from '@/people/IdCardInput'
import { IdCardTypeSelect } from '@/people/IdCardTypeSelect'
import { DictionarySelect } from '@/settings/DictionarySelect'
import type { viewStudent } from '@/student_status/api'
import { editCorrection, saveCorrection, type viewCorrection } from './api'
import { useEvidenceKinds } from './evidence'
import './corrections.css'

type Student = RowOf<typeof viewStudent>
type View = RowOf<typeof viewCorrection>
type Body = BodyOf<typeof saveCorrection>

/** What the form is filled with: the student as they stand, and over it what was asked for already. */
export interface Asked extends Partial<Body> {
  studentId: number
  /** Of a correction that is edited. */
  id?: number
  version?: number
  called: string
  stored: readonly CorrectionEvidence[]
}

const keyFields = ({ name, gender, birthday, ethnicity, idCardType, idCardNo, examineeNo }: Student) => ({
  name,
  gender,
  birthday,
  ethnicity,
  idCardType,
  idCardNo,
  examineeNo,
})

/** A new correction of a student. */
export const newCorrection = (student: Student): Asked => ({
  ...keyFields(student),
  studentId: student.id,
  called: student.name,
  kind: student.registerResult === 'none' || student.registerResult === 'rejected' ? 'data_error' : 'changed_by_police',
  attachments: [],
  stored: [],
})

/** A correction of one's own, to be changed. */
export const knownCorrection = (student: Student, correction: View): Asked => ({
  ...newCorrection(student),
  ...correction.after,
  id: correction.id,
  version: correction.version,
  kind: correction.kind,
  reason: correction.reason,
  attachments: correction.attachments.map(({ kind, key }) => ({ kind, key })),
  stored: correction.attachments,
})

const Field = fieldsOf(saveCorrection)

const Values = ({ asked }: { asked: Asked | undefined }) => (
  <>
    <Field name="name" />
    <Field name="idCardType">
      <IdCardTypeSelect stored={asked?.idCardType} />
    </Field>
    <Field name="idCardNo">
      <IdCardInput stored={asked?.idCardNo} />
    </Field>
    <Field name="gender" />
    <Field name="birthday" />
    <Field name="ethnicity">
      <DictionarySelect type="ethnicity" />
    </Field>
    <Field name="examineeNo" />
  </>
)

const Grounds = ({ asked }: { asked: Asked | undefined }) => {
  const kinds = useEvidenceKinds()
  return (
    <>
      <Field name="kind" help="学籍上报学信网后，只能因公安变更申请" />
      <Field name="reason" />
      <Field name="attachments" help="更正证件号须上传身份证和户口簿，出生日期随之改变的还须公安证明">
        <PapersInput kinds={kinds} several={() => true} stored={asked?.stored ?? []} />
      </Field>
    </>
  )
}

/** 申请更正: the key fields as they should be; what is left as it stands is not corrected. */
export const CorrectionForm = ({ record, ...drawer }: DrawerProps<Asked>) => (
  <FormDrawer<Asked, Warned>
    {...drawer}
    record={record}
    width={760}
    title={`${record?.id === undefined ? '申请信息更正' : '编辑信息更正'} ${record?.called ?? ''}`}
    action={(asked) =>
      asked?.id === undefined
        ? formAction(saveCorrection, '已提交信息更正', asked)
        : formAction(editCorrection, '已保存信息更正', asked)
    }
  >
    <p className="form-hint">修改需要更正的项目，其余保持不变；提交后由他人审核，已注册的学生还须报省厅。</p>
    <Sections
      label="信息更正"
      className="form-grid"
      sections={[
        { title: '更正后的信息', content: <Values asked={record} /> },
        { title: '更正依据', content: <Grounds asked={record} /> },
      ]}
    />
  </FormDrawer>
)
