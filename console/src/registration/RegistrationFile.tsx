import { Alert, Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { listAdmissions } from '@/admission/api'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { FileLink } from '@/kit/FileLink'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PersonFile } from '@/kit/PersonFile'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import { WhenSeen } from '@/kit/WhenSeen'
import { RecordHistory } from '@/logs/RecordHistory'
import { listStudents } from '@/student_status/api'
import { viewDeletedRegistration, viewRegistration } from './api'
import { OwnValues } from './OwnFields'
import { type View, windowOf } from './registrationRules'
import { statusTones } from './tones'
import { ENTITY, materials } from './words'
import './registration.css'

type Name = keyof View & string

/** In the bin nobody opens the whole values, and nothing leads on. */
interface Shown {
  person: View
  sealed?: boolean
}

const masked: readonly Name[] = ['idCardNo', 'phone']

const labelOfField = (name: Name) => fieldOf(viewRegistration, name).label

const written = ({ person, sealed }: Shown, name: Name): ReactNode => {
  const value = person[name]
  if (masked.includes(name) && typeof value === 'string' && !sealed) {
    return <Masked entity={ENTITY} id={person.id} field={name} label={labelOfField(name)} value={value} />
  }
  if (name === 'schoolingYears') return `${person.schoolingYears}年`
  if (name === 'paidAmount' && person.paidAmount != null) return `${formatNumber(person.paidAmount / 100)}元`
  return show(viewRegistration, name, value, name === 'status' ? statusTones : undefined)
}

interface Fact {
  label: string
  value: ReactNode
}

const factOf = (shown: Shown, name: Name): Fact => ({ label: labelOfField(name), value: written(shown, name) })

const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <Descriptions
    column={2}
    tableLayout="fixed"
    labelStyle={{ width: 112 }}
    data={facts.map(({ label, value }) => ({ key: label, label, value }))}
  />
)

/** The student whom the person became. */
const Student = ({ person: { studentId, studentNo, name }, sealed }: Shown) => {
  const places = usePlaces()
  const may = useAllowed()(listStudents)
  if (!studentId) return <span className="nothing">—</span>
  const words = studentNo ?? '学号稍后统一编排'
  if (!may || sealed) return words
  return (
    <Link className="overview-link" to={places('students', { keyword: studentNo ?? name, open: studentId })}>
      {words}
    </Link>
  )
}

/** Another registration of the same person. */
const Other = ({ person, id, words }: { person: View; id: number; words: string }) => {
  const places = usePlaces()
  return (
    <Link className="overview-link" to={places('registrations', { keyword: person.examineeNo, open: id })}>
      {words}
    </Link>
  )
}

const Attachment = ({ person: { id, attachmentName }, sealed }: Shown) => {
  const call = useCall()
  const view = sealed ? viewDeletedRegistration : viewRegistration
  return <FileLink name={attachmentName} address={async () => (await call(view, { query: { id } })).attachmentUrl} />
}

/** Why and until when; nothing of who simply waits or came. */
const Decided = (shown: Shown) => {
  const { person } = shown
  const isKept = person.status === 'reserved'
  if (!isKept && !person.reason && !person.attachmentName) return null
  return (
    <Facts
      facts={[
        ...(isKept ? [factOf(shown, 'reserveReason'), factOf(shown, 'reserveUntil')] : []),
        { label: isKept ? '说明' : '原因', value: written(shown, 'reason') },
        { label: '附件', value: <Attachment key="file" {...shown} /> },
      ]}
    />
  )
}

const Progress = (shown: Shown) => {
  const { person, sealed } = shown
  return (
    <>
      {person.status === 'pending' && !person.canReportNow && !sealed && (
        <Alert className="form-lead" type="info" content="现在不在报到时间内" />
      )}
      <Facts
        facts={[
          factOf(shown, 'status'),
          factOf(shown, 'batchName'),
          { label: '报到时间段', value: windowOf(person) || <span className="nothing">—</span> },
          { label: '身份核验', value: person.identityVerified ? written(shown, 'verifyMethod') : '未核验' },
          { label: '报到时间', value: written(shown, 'reportedAt') },
          { label: '办理人', value: written(shown, 'reportedBy') },
          { label: '学号', value: <Student key="student" {...shown} /> },
          factOf(shown, 'className'),
        ]}
      />
      <Decided {...shown} />
      {!sealed && (person.previousId || person.nextId) && (
        <p>
          {person.previousId && <Other person={person} id={person.previousId} words="查看以前批次的报到" />}{' '}
          {person.nextId && <Other person={person} id={person.nextId} words="查看转入批次的报到" />}
        </p>
      )}
    </>
  )
}

const photos = [
  ['photoUrl', '报到照片'],
  ['admissionPhotoUrl', '录取照片'],
] as const

const Papers = ({ person }: Shown) => (
  <>
    <ul className="arrival-materials" aria-label="报到材料">
      {materials.map(([kind, words]) => {
        const isThere = person.materials.some((each) => each === kind)
        return (
          <li key={kind}>
            {words} <Word tone={isThere ? 'good' : 'quiet'}>{isThere ? '已交' : '未交'}</Word>
          </li>
        )
      })}
    </ul>
    <div className="arrival-photos">
      {photos.map(([name, words]) => (
        <figure key={name}>
          {person[name] ? <img src={person[name]} alt={`${person.name}的${words}`} /> : <span>没有照片</span>}
          <figcaption>{words}</figcaption>
        </figure>
      ))}
    </div>
  </>
)

const Admission = (shown: Shown) => {
  const places = usePlaces()
  const may = useAllowed()(listAdmissions)
  return (
    <>
      <Facts
        facts={(
          [
            'gradeName',
            'levelName',
            'majorName',
            'studyForm',
            'schoolingYears',
            'siteName',
            'gender',
            'birthday',
            'idCardType',
            'idCardNo',
            'phone',
          ] as const
        ).map((name) => factOf(shown, name))}
      />
      {may && !shown.sealed && (
        <p>
          <Link
            className="overview-link"
            to={places('admissionData', { keyword: shown.person.examineeNo, open: shown.person.admissionId })}
          >
            查看录取数据
          </Link>
        </p>
      )}
    </>
  )
}

const headOf = (shown: Shown) => ({
  name: shown.person.name,
  photo: shown.person.photoUrl ?? shown.person.admissionPhotoUrl,
  number: { label: '考生号', value: shown.person.examineeNo },
  status: written(shown, 'status'),
  facts: (['majorName', 'siteName', 'studentNo', 'phone'] as const).map((name) => factOf(shown, name)),
})

const sectionsOf = (shown: Shown) => [
  { title: '报到进度', content: <Progress {...shown} /> },
  { title: '材料和照片', content: <Papers {...shown} /> },
  ...(shown.person.ownFields.length > 0 ? [{ title: '本校字段', content: <OwnValues person={shown.person} /> }] : []),
  {
    title: '缴费',
    content: (
      <Facts
        facts={[
          { label: '缴费', value: shown.person.feePaid ? '已缴费' : '未缴费' },
          { label: '实缴金额', value: written(shown, 'paidAmount') },
          ...(['paidAt', 'feeSource', 'tradeNo'] as const).map((name) => factOf(shown, name)),
        ]}
      />
    ),
  },
  { title: '录取信息', content: <Admission {...shown} /> },
]

/** 查看: how far somebody is who was admitted, and what they brought. */
export const RegistrationFile = ({ id }: { id: number }) => {
  const call = useCall()
  const view = useQuery({
    queryKey: [viewRegistration.path, id],
    queryFn: () => call(viewRegistration, { query: { id } }),
  })
  return (
    <Loaded query={view} rows={10}>
      {(person) => (
        <PersonFile
          key={id}
          label="报到详情"
          head={headOf({ person })}
          sections={[
            ...sectionsOf({ person }),
            {
              title: '操作日志',
              content: (
                <WhenSeen>
                  <RecordHistory of="registration" id={id} />
                </WhenSeen>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

/** 查看 in the bin: as it was when it was deleted; its trail is the operators'. */
export const DeletedRegistrationFile = ({ id }: { id: number }) => {
  const call = useCall()
  const view = useQuery({
    queryKey: [viewDeletedRegistration.path, id],
    queryFn: () => call(viewDeletedRegistration, { query: { id } }),
  })
  return (
    <Loaded query={view} rows={10}>
      {(person) => (
        <PersonFile
          key={id}
          label="报到详情"
          head={headOf({ person, sealed: true })}
          sections={sectionsOf({ person, sealed: true })}
        />
      )}
    </Loaded>
  )
}
