import { Alert, Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { type FormField, inGroups, isFile, ownValue, useStageForm } from '@/field_attributes/stage'
import { show } from '@/kit/columns'
import { EditInPlace } from '@/kit/EditInPlace'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PaperFigure } from '@/kit/Papers'
import { PersonFile } from '@/kit/PersonFile'
import { WhenSeen } from '@/kit/WhenSeen'
import { RecordHistory } from '@/logs/RecordHistory'
import { editPreRegistration, viewDeletedPreRegistration, viewPreRegistration } from './api'
import { paperKinds } from './papers'
import { can } from './preRegistrationRules'
import { examTones, statusTones } from './tones'
import './preRegistration.css'

export type View = RowOf<typeof viewPreRegistration>
type Name = keyof View & string

/** By what the server registered the values that show on click. */
export const ENTITY = 'preRegistration'
export const masked = ['idCardNo', 'phone', 'email', 'address', 'hukouPlace'] as const

const progress: readonly Name[] = [
  'status',
  'examStatus',
  'batchName',
  'gradeName',
  'studyForm',
  'source',
  'provincialRegNo',
  'examineeNo',
  'createdAt',
  'auditor',
  'auditedAt',
  'auditRemark',
]

/** What is chosen by number is read by name. */
const named: Readonly<Record<string, Name>> = {
  levelId: 'levelName',
  majorId: 'majorName',
  siteId: 'siteName',
  ethnicity: 'ethnicityName',
  politicalStatus: 'politicalStatusName',
}
const tones = { status: statusTones, examStatus: examTones } as const

/** One person in full, kept apart from the lines of the list. */
export const usePerson = (id: number | undefined) => {
  const call = useCall()
  return useQuery({
    queryKey: [viewPreRegistration.path, id],
    queryFn: () => call(viewPreRegistration, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

/** What the office corrects field by field; the phone at the head. */
const mendable = [
  'phone',
  'email',
  'address',
  'postalCode',
  'hukouPlace',
  'workUnit',
  'occupation',
  'referrer',
  'preEduSchool',
  'preEduMajor',
  'preEduCertificateNo',
] as const

/** A person as they are read; of those in the recycle bin nobody opens the whole values. */
interface Reading {
  person: View
  sealed?: boolean
  /** The person as the edit takes them, where fields are corrected one by one. */
  record?: object
}

/** What the edit takes of a person, of whom one field is to be another: papers by their keys, own fields that are asked for. */
const recordOf = (person: View, fields: readonly FormField[]) => {
  if (can.edit(person) !== undefined) return undefined
  const own = fields.filter((field) => !field.builtIn && !isFile(field)).map(({ fieldKey }) => fieldKey)
  return {
    ...person,
    attachments: person.attachments.map(({ kind, key }) => ({ kind, key })),
    extra: Object.fromEntries(Object.entries(person.extra).filter(([key]) => own.includes(key))),
  }
}

const written = ({ person, sealed }: Reading, name: Name): ReactNode => {
  const value = person[name]
  const { label } = fieldOf(viewPreRegistration, name)
  if (!sealed && masked.some((each) => each === name) && typeof value === 'string') {
    return <Masked key={person.id} entity={ENTITY} id={person.id} field={name} label={label} value={value} />
  }
  return show(viewPreRegistration, name, value, name === 'status' || name === 'examStatus' ? tones[name] : undefined)
}

/** A value, and the way to correct it where there is one. */
const mended = (reading: Reading, name: Name, label: string): ReactNode => {
  const field = mendable.find((each) => each === name)
  if (!field || !reading.record) return written(reading, name)
  return (
    <EditInPlace do={editPreRegistration} field={field} label={label} record={reading.record}>
      {written(reading, name)}
    </EditInPlace>
  )
}

const isName = (person: View, key: string): key is Name => key in person

const read = (reading: Reading, field: FormField): ReactNode => {
  const { person } = reading
  const name = named[field.fieldKey] ?? field.fieldKey
  if (!field.builtIn) return ownValue(field, person.extra[field.fieldKey]) ?? <span className="nothing">—</span>
  // What is empty, the server may leave out.
  if (!isName(person, name)) return <span className="nothing">—</span>
  return name === 'phone' ? written(reading, name) : mended(reading, name, field.label)
}

const Values = ({ fields, ...reading }: Reading & { fields: readonly FormField[] }) => (
  <Descriptions
    column={2}
    tableLayout="fixed"
    labelStyle={{ width: 112 }}
    data={fields.map((field) => ({ key: field.fieldKey, label: field.label, value: read(reading, field) }))}
  />
)

/** What the person filled in, in the groups of the form. */
export const PersonData = ({ fields, ...reading }: Reading & { fields: readonly FormField[] }) => (
  <div className="person-data">
    {inGroups(fields.filter((field) => !isFile(field))).map((group) => (
      <section key={group.group} aria-label={group.title}>
        <h3>{group.title}</h3>
        <Values {...reading} fields={group.fields} />
      </section>
    ))}
  </div>
)

/** 照片 and 材料, each to be opened by itself. */
export const Papers = ({ person, fields }: { person: View; fields: readonly FormField[] }) => {
  const own = fields.map(({ fieldKey, label }) => [fieldKey, label] as const)
  const labels = new Map([...own, ...paperKinds])
  return (
    <ul className="papers" aria-label="照片和材料">
      <li className="paper-photo">
        {person.photoUrl ? (
          <PaperFigure label="照片" name="照片.jpg" url={person.photoUrl} />
        ) : (
          <figure>
            <span className="paper-none">未上传</span>
            <figcaption>照片</figcaption>
          </figure>
        )}
      </li>
      {person.attachmentLinks.map(({ kind, name, url }) => (
        <li key={url}>
          <PaperFigure label={labels.get(kind) ?? name} name={name} url={url} />
        </li>
      ))}
    </ul>
  )
}

/** What whoever decides about the person must not overlook. */
export const Warnings = ({ person }: { person: View }) => {
  const words = [
    person.dupStudent && '该人员现为本校在籍学生，将在入学前毕业',
    person.phoneDuplicate && '同批次另有人使用该手机',
    person.status === 'returned' && person.auditRemark && `已退回：${person.auditRemark}`,
  ].filter(Boolean)
  return words.length > 0 && <Alert className="form-lead" type="warning" content={words.join('；')} />
}

const Progress = (reading: Reading) => (
  <>
    <Warnings person={reading.person} />
    <Descriptions
      column={2}
      tableLayout="fixed"
      labelStyle={{ width: 112 }}
      data={progress.map((name) => ({
        key: name,
        label: fieldOf(viewPreRegistration, name).label,
        value: written(reading, name),
      }))}
    />
  </>
)

const headOf = (reading: Reading) => {
  const { person } = reading
  const fact = (name: Name) => ({ label: fieldOf(viewPreRegistration, name).label, value: written(reading, name) })
  return {
    name: person.name,
    photo: person.photoUrl,
    number: { label: '考生号', value: person.examineeNo },
    status: written(reading, 'status'),
    facts: [
      fact('batchName'),
      fact('majorName'),
      fact('siteName'),
      { label: '手机', value: mended(reading, 'phone', '手机') },
    ],
  }
}

/** The parts of a file that deleted people have too. */
const sectionsOf = (reading: Reading, fields: readonly FormField[]) => [
  { title: '报名进度', content: <Progress {...reading} /> },
  { title: '报名资料', content: <PersonData {...reading} fields={fields} /> },
  { title: '照片和材料', content: <Papers person={reading.person} fields={fields} /> },
]

/** A person in the recycle bin, as they were when they were deleted. */
export const DeletedDetail = ({ id }: { id: number }) => {
  const call = useCall()
  const person = useQuery({
    queryKey: [viewDeletedPreRegistration.path, id],
    queryFn: () => call(viewDeletedPreRegistration, { query: { id } }),
  })
  const stage = useStageForm('pre_registration')
  return (
    <Loaded query={stage}>
      {(fields) => (
        <Loaded query={person} rows={10}>
          {(shown) => (
            <PersonFile
              key={id}
              label="预报名详情"
              head={headOf({ person: shown, sealed: true })}
              sections={sectionsOf({ person: shown, sealed: true }, fields)}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

/** 预报名详情: how far a person came, what was filled in, photo and papers, who did what. */
export const PreRegistrationDetail = ({ id }: { id: number }) => {
  const person = usePerson(id)
  const stage = useStageForm('pre_registration')
  const history = {
    title: '操作日志',
    content: (
      <WhenSeen>
        <RecordHistory of="pre_registration" id={id} />
      </WhenSeen>
    ),
  }
  return (
    <Loaded query={stage}>
      {(fields) => (
        <Loaded query={person} rows={10}>
          {(shown) => {
            const reading = { person: shown, record: recordOf(shown, fields) }
            return (
              <PersonFile
                key={id}
                label="预报名详情"
                head={headOf(reading)}
                sections={[...sectionsOf(reading, fields), history]}
              />
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
