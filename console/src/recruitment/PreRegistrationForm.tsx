import type { ReactElement } from 'react'
import type { BodyOf } from '@/api/operation'
import type { AttachmentForm } from '@/api/types/recruitment'
import type { Saved } from '@/api/types/shared'
import { OwnField } from '@/field_attributes/StageForm'
import { atFormField, type FormField, inGroups, isFile, useStageForm } from '@/field_attributes/stage'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { PapersInput } from '@/kit/Papers'
import { Sections } from '@/kit/Sections'
import type { DrawerProps } from '@/kit/useDrawer'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { editPreRegistration, savePreRegistration, viewPreRegistration } from './api'
import { BatchOfForm } from './BatchSelect'
import { CardNumber } from './CardNumber'
import { LevelOfBatch, MajorOfBatch, SiteOfBatch, WordOfLevel } from './OfferSelects'
import { PhotoInput } from './PhotoInput'
import type { View } from './PreRegistrationDetail'
import { OTHER, paperKinds } from './papers'
import { isKnownToProvince } from './preRegistrationRules'
import './preRegistration.css'

type Key = keyof BodyOf<typeof savePreRegistration> & string

const Field = fieldsOf(savePreRegistration)
const Numbers = fieldsOf(editPreRegistration)

/** By these the province knows a person. */
const identity: readonly string[] = ['name', 'idCardType', 'idCardNo', 'gender', 'birthday'] satisfies Key[]

const isKey = (name: string): name is Key => name in savePreRegistration.fields

/** 材料 and the school's own file fields stand together. */
const isPaper = (field: FormField) => field.fieldKey === 'attachments' || (!field.builtIn && isFile(field))

interface FilledIn {
  record: View | undefined
  fields: readonly FormField[]
}

const papersOf = ({ record, fields }: FilledIn) => (
  <PapersInput
    kinds={[
      ...(fields.some(({ fieldKey }) => fieldKey === 'attachments') ? paperKinds : []),
      ...fields
        .filter((field) => !field.builtIn && isFile(field))
        .map(({ fieldKey, label, required }) => [fieldKey, required ? `${label}（必填）` : label] as const),
    ]}
    several={(kind) => kind === OTHER}
    stored={record?.attachments ?? []}
  />
)

/** The controls of fields whose choices or files the document does not know; the others are the document's. */
const controlOf = (
  name: Key,
  record: View | undefined,
  fixed: boolean,
): ReactElement<{ 'aria-label'?: string }> | undefined => {
  switch (name) {
    case 'idCardNo':
      return <CardNumber stored={record?.idCardNo} disabled={fixed} />
    case 'ethnicity':
      return <DictionarySelect type="ethnicity" />
    case 'politicalStatus':
      return <DictionarySelect type="political_status" />
    case 'levelId':
      return <LevelOfBatch record={record} />
    case 'majorId':
      return <MajorOfBatch record={record} />
    case 'siteId':
      return <SiteOfBatch record={record} />
    case 'preEduLevel':
    case 'examCategory':
      return <WordOfLevel field={name} record={record} />
    case 'photo':
      return (
        <PhotoInput
          stored={record?.photo && record.photoUrl ? { key: record.photo, url: record.photoUrl } : undefined}
        />
      )
    default:
      return undefined
  }
}

/** A built-in field as the school asks for it. */
const BuiltIn = ({ field, record }: { field: FormField; record: View | undefined }) => {
  const { fieldKey: name, label, required, helpText } = field
  if (!isKey(name)) return null
  const fixed = record !== undefined && isKnownToProvince(record) && identity.includes(name)
  return (
    <Field name={name} label={label} required={required} help={helpText ?? undefined} disabled={fixed}>
      {controlOf(name, record, fixed)}
    </Field>
  )
}

const Asked = ({ field, record, fields }: FilledIn & { field: FormField }) => {
  if (isPaper(field)) {
    // All papers stand where the first of them is asked for.
    if (field !== fields.find(isPaper)) return null
    const { label, required } = fields.find(({ fieldKey }) => fieldKey === 'attachments') ?? field
    return (
      <Field name="attachments" label={label} required={required}>
        {papersOf({ record, fields })}
      </Field>
    )
  }
  return field.builtIn ? <BuiltIn field={field} record={record} /> : <OwnField field={field} />
}

/** What the province gave the person. */
const provincial = (
  <>
    <Numbers name="provincialRegNo" />
    <Numbers name="examineeNo" />
  </>
)

/** The panels of a form: the school's groups, and of a known person the province's numbers. */
const panelsOf = ({ record, fields }: FilledIn) => [
  ...inGroups(fields).map((group) => ({
    title: group.title,
    content: group.fields.map((field) => <Asked key={field.fieldKey} field={field} record={record} fields={fields} />),
  })),
  ...(record ? [{ title: '网报信息', content: provincial }] : []),
]

type Paper = AttachmentForm

/** What of the form's values the body takes otherwise than they stand. */
interface Loose {
  extra?: object
  attachments?: readonly Paper[]
  idCardNo?: string
}

/** The body of the form: its own fields under `extra`, papers without their names, no birthday of a former number. */
const packed = (values: object, person: View | undefined) => {
  const { extra = {}, attachments = person?.attachments ?? [], idCardNo }: Loose = values
  const renumbered = person !== undefined && idCardNo !== person.idCardNo
  const papers = attachments.map(({ kind, key }) => ({ kind, key }))
  return { ...(renumbered && { birthday: null }), ...values, extra, attachments: papers }
}

const saving = (person: View | undefined, fields: readonly FormField[]): FormAction<Saved> => {
  const action = person
    ? formAction(editPreRegistration, '已保存预报名', person)
    : formAction(savePreRegistration, '已新增预报名')
  return {
    ...action,
    send: async (values, request) => {
      try {
        return await action.send(packed(values, person), request)
      } catch (error) {
        throw atFormField(error, fields, 'attachments')
      }
    },
  }
}

interface PreRegistrationFormProps extends DrawerProps<View> {
  /** The batch that the list shows. */
  batchId: number | undefined
}

/** 新增 and 编辑: the batch first, then what the school asks people for. */
export const PreRegistrationForm = ({ record, batchId, ...drawer }: PreRegistrationFormProps) => {
  const stage = useStageForm('pre_registration')
  return (
    <FormDrawer<View, Saved>
      {...drawer}
      record={record}
      width={760}
      title={record ? `编辑预报名 ${record.name}` : '新增预报名'}
      initial={{ idCardType: 'resident_id', batchId }}
      action={(person) => saving(person, stage.data ?? [])}
      reload={(person, call) => call(viewPreRegistration, { query: { id: person.id } })}
      keep={['batchId', 'levelId', 'majorId', 'siteId']}
    >
      {record ? (
        <p className="form-hint">
          批次：{record.batchName}
          {isKnownToProvince(record) && '；该人员已网报，姓名、性别、出生日期和证件不能修改'}
        </p>
      ) : (
        <Field name="batchId" help="可报的层次、专业和站点随批次">
          <BatchOfForm />
        </Field>
      )}
      <Loaded query={stage}>
        {(fields) => <Sections label="报名资料" className="form-grid" sections={panelsOf({ record, fields })} />}
      </Loaded>
    </FormDrawer>
  )
}
