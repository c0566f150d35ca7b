import { Form, Input, Radio } from '@arco-design/web-react'
import { type ReactElement, useRef } from 'react'
import type { BodyOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { useEvidenceKinds } from '@/corrections/evidence'
import { OwnField } from '@/field_attributes/StageForm'
import { atFormField, type FormField, inGroups, isFile, useStageForm } from '@/field_attributes/stage'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { PapersInput } from '@/kit/Papers'
import { Sections } from '@/kit/Sections'
import type { DrawerProps } from '@/kit/useDrawer'
import { editAdmissionCommitment, editAdmissionInformation, editGraduationInformation } from './api'
import type { Group } from './groups'
import { ItemsInput } from './ItemsInput'
import {
  type Answer,
  answersOf,
  type FamilyLine,
  familyRefusal,
  itemsRefusal,
  type ResumeLine,
  resumeRefusal,
  type View,
} from './informationRules'
import { LinesInput } from './LinesInput'
import './informationReview.css'

type InformationBody = BodyOf<typeof editAdmissionInformation>
type CommitmentBody = BodyOf<typeof editAdmissionCommitment>
type GraduationBody = BodyOf<typeof editGraduationInformation>
type FileForm = NonNullable<CommitmentBody['files']>[number]

/** What the form of any group is filled with. */
type Typed = Partial<InformationBody> &
  Partial<CommitmentBody> &
  Partial<GraduationBody> & { id: number; version: number }

const PAPER = 'paper'
const ATTACHMENT = 'attachment'

const storedIn = ({ papers, attachments }: View) => [...papers, ...attachments]

/** A form as it was left, for the group's own call. */
const typedOf = ({ kind }: Group, view: View): Typed => {
  const { id, version } = view
  const files = storedIn(view).map(({ kind: of, key }) => ({ kind: of, key }))
  switch (kind) {
    case 'admission_information': {
      const { items: _said, ...content } = view.information ?? { resume: [], extra: {} }
      return { id, version, submit: true, ...content, items: answersOf(view.items), evidence: [], files }
    }
    case 'admission_commitment':
      return { id, version, submit: true, ...view.commitment, signed: view.signed ?? false, files }
    case 'graduation_information': {
      const { items: _said, ...content } = view.graduation ?? { resume: [], family: [], extra: {} }
      return { id, version, submit: true, ...content, items: answersOf(view.items), files }
    }
  }
}

/** Whether what is typed is handed in, and not only kept. */
const useSubmits = () => {
  const { form } = Form.useFormContext()
  const submit: boolean | undefined = Form.useWatch('submit', form)
  return submit !== false
}

interface CheckedProps {
  field: string
  label: string
  required?: boolean
  help?: string
  /** Why the value is not accepted, if so. */
  refusal: (value: unknown) => string | undefined
  children: ReactElement<{ 'aria-label'?: string }>
}

/** A field with a rule of its own. */
const Checked = ({ field, label, required, help, refusal, children }: CheckedProps) => (
  <Form.Item
    className="form-wide"
    field={field}
    label={label}
    required={required}
    extra={help}
    rules={[{ validator: (value: unknown, report) => report(refusal(value)) }]}
  >
    {children}
  </Form.Item>
)

const Items = ({ group, view }: { group: Group; view: View }) => {
  const submits = useSubmits()
  return (
    <Checked
      field="items"
      label="核对项"
      required={submits}
      refusal={(answers) => (submits ? itemsRefusal(view.items, (answers as Answer[] | undefined) ?? []) : undefined)}
    >
      <ItemsInput group={group} view={view} aria-label="核对项" />
    </Checked>
  )
}

/** What proves the right values, for the correction that what is wrong opens. */
const Evidence = () => {
  const { form } = Form.useFormContext()
  const answers: Answer[] | undefined = Form.useWatch('items', form)
  const kinds = useEvidenceKinds()
  if (!answers?.some(({ ok }) => !ok)) return null
  return (
    <Form.Item
      className="form-wide"
      field="evidence"
      label="更正材料"
      extra="提交后开启信息更正；更正证件号须上传身份证和户口簿，出生日期随之改变的还须公安证明"
    >
      <PapersInput aria-label="更正材料" kinds={kinds} several={() => true} stored={[]} />
    </Form.Item>
  )
}

const resumeColumns = [
  { name: 'from', label: '起始年月', width: 110, placeholder: '2019-09', maxLength: 7 },
  { name: 'to', label: '截止年月', width: 110, placeholder: '至今', maxLength: 7 },
  { name: 'unit', label: '学校或单位', maxLength: 60 },
  { name: 'duty', label: '职务', width: 120, maxLength: 30 },
  { name: 'witness', label: '证明人', width: 120, maxLength: 30 },
] as const

const familyColumns = [
  { name: 'relation', label: '关系', width: 120, placeholder: '例如 父亲', maxLength: 20 },
  { name: 'name', label: '姓名', width: 140, maxLength: 30 },
  { name: 'unit', label: '工作单位', maxLength: 60 },
  { name: 'duty', label: '职务', width: 140, maxLength: 30 },
] as const

/** Lines that a form needs at least one of when it is handed in. */
const linesRefusal = <Line,>(
  value: unknown,
  needed: boolean,
  what: string,
  refusal: (lines: readonly Line[]) => string | undefined,
) => {
  const lines = (value as Line[] | undefined) ?? []
  return needed && lines.length === 0 ? `请至少填写一行${what}` : refusal(lines)
}

interface PhotoProps {
  view: View
  value?: string | null
  onChange?: (key: string | null) => void
  'aria-label'?: string
}

/** 入学照片: another than the one that is there, which is shown. */
const PhotoInput = ({ view, ...control }: PhotoProps) => {
  const there = view.photos.newEnrolUrl ?? view.photos.enrolUrl
  return (
    <div className="information-photo">
      {there && !control.value && <img src={there} alt={`${view.name}现有的入学照片`} />}
      <FileUpload {...control} type={3} purpose="identity" accept=".jpg,.jpeg,.png" />
    </div>
  )
}

const Information = fieldsOf(editAdmissionInformation)
const Commitment = fieldsOf(editAdmissionCommitment)
const Graduation = fieldsOf(editGraduationInformation)

interface AskedProps {
  group: Group
  view: View
  field: FormField
}

/** A field that the school asks for at the stage: of the group itself, or the school's own. */
const Asked = ({ group, view, field }: AskedProps) => {
  const submits = useSubmits()
  const { fieldKey, label, helpText } = field
  const required = field.required && submits
  if (!field.builtIn) return <OwnField field={{ ...field, required }} />
  const shown = { label, required, help: helpText ?? undefined }
  switch (fieldKey) {
    case 'resume':
      return (
        <Checked
          field="resume"
          label={label}
          required={required}
          help={helpText ?? '从最近的学习或工作经历起，间隔不超过6个月'}
          refusal={(value) => linesRefusal<Partial<ResumeLine>>(value, required, label, resumeRefusal)}
        >
          <LinesInput aria-label={label} columns={resumeColumns} />
        </Checked>
      )
    case 'family':
      return (
        <Checked
          field="family"
          label={label}
          required={required}
          help={helpText ?? undefined}
          refusal={(value) => linesRefusal<Partial<FamilyLine>>(value, required, label, familyRefusal)}
        >
          <LinesInput aria-label={label} columns={familyColumns} />
        </Checked>
      )
    case 'enrolPhoto': {
      const there = Boolean(view.photos.newEnrolUrl ?? view.photos.enrolUrl)
      return (
        <Information name="enrolPhoto" {...shown} required={required && !there}>
          <PhotoInput view={view} />
        </Information>
      )
    }
    case 'selfAssessment':
      return (
        <Checked
          field="selfAssessment"
          label={label}
          required={required}
          help={helpText ?? '200至800个字符'}
          refusal={(value) => {
            const length = [...(typeof value === 'string' ? value.trim() : '')].length
            if (!submits || (length === 0 && !required)) return undefined
            return length < 200 || length > 800 ? `${label}应为200至800个字符，现为${length}个` : undefined
          }}
        >
          <Input.TextArea aria-label={label} maxLength={800} showWordLimit autoSize={{ minRows: 4, maxRows: 12 }} />
        </Checked>
      )
    case 'practice':
    case 'thesisTitle':
    case 'rewards':
    case 'punishments':
    case 'contactAfter':
      return <Graduation name={fieldKey} {...shown} />
    case 'phone':
    case 'email':
    case 'address':
    case 'postalCode':
    case 'workUnit':
    case 'occupation':
    case 'nativePlace':
    case 'emergencyContact':
    case 'emergencyPhone':
      return group.kind === 'admission_information' ? <Information name={fieldKey} {...shown} /> : null
    default:
      return null
  }
}

/** 入学前学历 and the 承诺书, whose fields are the law's and no school's. */
const Former = () => {
  const { form } = Form.useFormContext()
  const kind: CommitmentBody['evidenceKind'] = Form.useWatch('evidenceKind', form)
  const submits = useSubmits()
  return (
    <>
      <Commitment name="preEduLevel" required={submits} />
      <Commitment name="preEduGraduatedOn" help="专升本必填，应早于入学日期" />
      <Commitment name="preEduSchool" help="专升本必填" />
      <Commitment name="preEduMajor" help="专升本必填" />
      <Commitment name="preEduCertificateNo" help="专升本必填；2002年起的证书为17或18位" />
      <Commitment name="evidenceKind" required={submits} />
      {kind === 'online_code' && <Commitment name="verifyCode" required={submits} help="12至18个字符" />}
      {kind === 'report' && <Commitment name="reportNo" required={submits} />}
    </>
  )
}

/** 材料, the scan of what was signed, and files that the school asks for. */
const Papers = ({ group, view, fields }: { group: Group; view: View; fields: readonly FormField[] }) => {
  const submits = useSubmits()
  const own = fields.filter((field) => !field.builtIn && isFile(field))
  const refusal = (value: unknown) => {
    if (!submits) return undefined
    const files = (value as FileForm[] | undefined) ?? []
    const has = (kind: string) => files.some((file) => file.kind === kind)
    if (!has(PAPER)) return `请上传本人签字的${group.paper}扫描件`
    if (group.kind === 'admission_commitment' && !has(ATTACHMENT)) return '请至少上传一份学历证明材料'
    const missing = own.filter(({ required, fieldKey }) => required && !has(fieldKey))
    return missing.length > 0 ? `请上传${missing.map(({ label }) => label).join('、')}` : undefined
  }
  return (
    <Checked
      field="files"
      label="文件"
      required={submits}
      help={`请先打印${group.paper}，由本人签字后扫描上传；pdf 不超过10MB，jpg、png 不超过2MB`}
      refusal={refusal}
    >
      <PapersInput
        aria-label="文件"
        kinds={[
          [PAPER, '签字的纸质表'],
          [ATTACHMENT, group.kind === 'admission_commitment' ? '学历证明材料' : '其他材料'],
          ...own.map(({ fieldKey, label, required }) => [fieldKey, required ? `${label}（必填）` : label] as const),
        ]}
        several={(kind) => kind === PAPER || kind === ATTACHMENT}
        stored={storedIn(view)}
        purpose="information"
      />
    </Checked>
  )
}

/** The parts of a group's form in their order. */
const sectionsOf = (group: Group, view: View, fields: readonly FormField[]) => {
  const papers = { title: '材料', content: <Papers group={group} view={view} fields={fields} /> }
  if (group.kind === 'admission_commitment') {
    return [
      { title: '入学前学历', content: <Former /> },
      {
        title: '承诺书',
        content: <Commitment name="signed" label="已签署承诺书" help="本人已阅读并在纸质承诺书上签字" />,
      },
      papers,
    ]
  }
  const items = {
    title: '核对信息',
    content: (
      <>
        <Items group={group} view={view} />
        {group.kind === 'admission_information' && <Evidence />}
      </>
    ),
  }
  const asked = inGroups(fields.filter((field) => field.builtIn || !isFile(field))).map(
    ({ title, fields: ofTitle }) => ({
      title,
      content: ofTitle.map((field) => <Asked key={field.fieldKey} group={group} view={view} field={field} />),
    }),
  )
  // The group of files and one of the school's own of the same name are one part of the form.
  return [items, ...asked.map((part) => (part.title === papers.title ? { ...part, title: '照片' } : part)), papers]
}

/** A line without what was left empty. */
const tidyLine = (line: object) =>
  Object.fromEntries(
    Object.entries(line).flatMap(([name, text]) => {
      const tidy = typeof text === 'string' ? text.trim() : ''
      return tidy ? [[name, tidy]] : []
    }),
  )

const editing = (group: Group, typed: Typed | undefined, submits: { current: boolean }): FormAction<Warned> => {
  const done = () => (submits.current ? `已代填并提交${group.form}` : `已暂存${group.form}，还没有提交`)
  switch (group.kind) {
    case 'admission_information':
      return formAction(editAdmissionInformation, done, typed)
    case 'admission_commitment':
      return formAction(editAdmissionCommitment, done, typed)
    case 'graduation_information':
      return formAction(editGraduationInformation, done, typed)
  }
}

const saving = (
  group: Group,
  typed: Typed | undefined,
  fields: readonly FormField[],
  submits: { current: boolean },
): FormAction<Warned> => {
  const edit = editing(group, typed, submits)
  return {
    ...edit,
    send: async (values: Partial<Typed>, request) => {
      submits.current = values.submit !== false
      const lines = {
        ...(values.resume && { resume: values.resume.map(tidyLine) }),
        ...(values.family && { family: values.family.map(tidyLine) }),
      }
      // A value of a field that is asked for no more stays with the form without being sent.
      const shown = new Set(fields.filter((field) => !field.builtIn && !isFile(field)).map(({ fieldKey }) => fieldKey))
      const extra = Object.fromEntries(
        Object.entries({ ...typed?.extra, ...values.extra }).filter(([key]) => shown.has(key)),
      )
      try {
        return await edit.send({ ...values, ...lines, ...(group.stage && { extra }) }, request)
      } catch (error) {
        throw atFormField(error, fields, 'files')
      }
    },
  }
}

/** 代填: what a student said on paper, with the scan that they signed. */
export const FillForm = ({ group, record, ...drawer }: DrawerProps<View> & { group: Group }) => {
  const submits = useRef(true)
  const stage = useStageForm(group.stage ?? 'admission_information', group.stage !== undefined && drawer.visible)
  const fields = group.stage ? stage.data : []
  return (
    <FormDrawer<Typed, Warned>
      {...drawer}
      record={record && typedOf(group, record)}
      width={960}
      title={`代填${group.form} ${record?.name ?? ''}`}
      action={(typed) => saving(group, typed, fields ?? [], submits)}
      reload={async (typed, call) => typedOf(group, await call(group.view, { query: { id: typed.id } }))}
    >
      <Form.Item className="form-wide" field="submit" label="保存后">
        <Radio.Group
          aria-label="保存后"
          options={[
            { value: true, label: '提交审核' },
            { value: false, label: '暂存' },
          ]}
        />
      </Form.Item>
      {record && (
        <Loaded query={{ ...stage, data: fields }}>
          {(asked) => <Sections label={group.form} className="form-grid" sections={sectionsOf(group, record, asked)} />}
        </Loaded>
      )}
    </FormDrawer>
  )
}
