import { Alert, Descriptions, Empty } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PersonFile } from '@/kit/PersonFile'
import { usePlaces } from '@/kit/usePlaces'
import { WhenSeen } from '@/kit/WhenSeen'
import { RecordHistory } from '@/logs/RecordHistory'
import { viewPreRegistration } from '@/recruitment/api'
import { listRegistrations } from '@/registration/api'
import { differencesOf } from './admissionRules'
import { viewAdmission, viewDeletedAdmission } from './api'
import { Comparison } from './Comparison'
import type { AdmissionView } from './ContactForm'
import { Issues } from './Issues'
import { matchTones, statusTones } from './tones'
import './admission.css'

type Name = keyof AdmissionView & string

/** By what the server registered the values that show on click. */
export const ENTITY = 'admission'
const masked: readonly Name[] = ['idCardNo', 'phone', 'address']
const tones: Partial<Record<Name, Partial<Record<string, 'good' | 'busy' | 'warning' | 'bad' | 'quiet'>>>> = {
  status: statusTones,
  matchStatus: matchTones,
}
/** Where the document's word does not fit. */
const labels: Partial<Record<Name, string>> = { ethnicityName: '民族', politicalStatusName: '政治面貌' }

const labelOfField = (name: Name) => labels[name] ?? fieldOf(viewAdmission, name).label

/** In the bin nobody opens the whole values. */
interface Shown {
  admission: AdmissionView
  sealed?: boolean
}

const written = ({ admission, sealed }: Shown, name: Name): ReactNode => {
  const value = admission[name]
  if (masked.includes(name) && typeof value === 'string' && !sealed) {
    return <Masked entity={ENTITY} id={admission.id} field={name} label={labelOfField(name)} value={value} />
  }
  if (name === 'schoolingYears') return `${admission.schoolingYears}年`
  return show(viewAdmission, name, value, tones[name])
}

/** What is understood of the authority's data, in the order of its file. */
const typed: readonly Name[] = [
  'examineeNo',
  'ticketNo',
  'name',
  'gender',
  'birthday',
  'idCardType',
  'idCardNo',
  'ethnicityName',
  'politicalStatusName',
  'phone',
  'address',
  'postalCode',
  'levelName',
  'authorityMajorCode',
  'authorityMajorName',
  'majorName',
  'studyForm',
  'schoolingYears',
  'examCategory',
  'totalScore',
  'bonusScore',
  'admittedOn',
  'preEduLevel',
  'preEduSchool',
  'preEduGraduatedOn',
  'workStartedOn',
]

/** 招办数据: what was understood, beside every column as it came. */
export const Data = ({ admission, sealed }: Shown) => {
  const scores = Object.entries(admission.scores)
  const raw = Object.entries(admission.raw)
  return (
    <div className="admission-data">
      <section aria-label="读取结果">
        <h4>读取结果</h4>
        <Descriptions
          column={1}
          size="small"
          labelStyle={{ width: 112 }}
          data={[
            ...typed.map((name) => ({
              key: name,
              label: labelOfField(name),
              value: written({ admission, sealed }, name),
            })),
            ...(scores.length > 0
              ? [
                  {
                    key: 'scores',
                    label: labelOfField('scores'),
                    value: scores.map(([column, points]) => `${column} ${formatNumber(points)}`).join('，'),
                  },
                ]
              : []),
          ]}
        />
      </section>
      <section aria-label="文件原始数据">
        <h4>文件原始数据</h4>
        {raw.length === 0 ? (
          <Empty description="没有原始数据" />
        ) : (
          <table className="admission-raw">
            <caption className="unseen">文件原始数据</caption>
            <thead>
              <tr>
                <th scope="col">列名</th>
                <th scope="col">内容</th>
              </tr>
            </thead>
            <tbody>
              {raw.map(([column, text]) => (
                <tr key={column}>
                  <th scope="row">{column}</th>
                  <td>{text || <span className="nothing">—</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  )
}

/** 预报名 of the person beside what the authority says; what differs is marked with a word. */
const Lead = ({ admission }: { admission: AdmissionView }) => {
  const places = usePlaces()
  const may = useAllowed()(viewPreRegistration)
  const lead = admission.preRegistration
  if (!lead && admission.preRegistrationSiteName) {
    return <Empty description={`预报名站点为${admission.preRegistrationSiteName}，不在数据范围内`} />
  }
  if (!lead) return <Empty description="尚未匹配预报名，可在列表中手工匹配" />
  return (
    <>
      <Comparison admission={admission} lead={lead} differences={differencesOf(admission, lead)} />
      <p>
        {lead.batchName}
        {may && (
          <>
            {' · '}
            <Link className="overview-link" to={places('preRegistrations', { keyword: lead.name, open: lead.id })}>
              查看预报名
            </Link>
          </>
        )}
      </p>
    </>
  )
}

/** What whoever looks must not overlook. */
const Remarks = ({ admission }: { admission: AdmissionView }) => {
  const words = [
    admission.status === 'cancelled' && admission.cancelRemark && `已注销：${admission.cancelRemark}`,
    admission.auditRemark && `审核意见：${admission.auditRemark}`,
  ].filter(Boolean)
  return words.length > 0 && <Alert className="form-lead" type="warning" content={words.join('；')} />
}

const progress: readonly Name[] = [
  'status',
  'matchStatus',
  'siteName',
  'batchName',
  'gradeName',
  'fileName',
  'createdAt',
  'auditedBy',
  'auditedAt',
]

/** How far the person is who was audited, and the way to them. */
const Arrival = ({ admission: { registrationId, registrationStatus, examineeNo } }: { admission: AdmissionView }) => {
  const places = usePlaces()
  const may = useAllowed()(listRegistrations)
  const words = show(viewAdmission, 'registrationStatus', registrationStatus, undefined)
  if (!registrationId || !may) return words
  return (
    <Link className="overview-link" to={places('registrations', { keyword: examineeNo, open: registrationId })}>
      {words}
    </Link>
  )
}

const Progress = ({ admission }: Shown) => (
  <>
    <Remarks admission={admission} />
    <Descriptions
      column={2}
      tableLayout="fixed"
      labelStyle={{ width: 112 }}
      data={[
        ...progress.map((name) => ({ key: name, label: labelOfField(name), value: written({ admission }, name) })),
        { key: 'issues', label: labelOfField('issues'), value: <Issues issues={admission.issues} /> },
        {
          key: 'registrationStatus',
          label: labelOfField('registrationStatus'),
          value: <Arrival admission={admission} />,
        },
      ]}
    />
  </>
)

const headOf = (shown: Shown) => {
  const { admission } = shown
  const fact = (name: Name) => ({ label: labelOfField(name), value: written(shown, name) })
  return {
    name: admission.name,
    photo: admission.photoUrl,
    number: { label: '考生号', value: admission.examineeNo },
    status: written(shown, 'status'),
    facts: [fact('levelName'), fact('majorName'), fact('siteName'), fact('phone')],
  }
}

/** 查看 in the bin: as it was when it was deleted; its lead is free, and its trail is the operators'. */
export const DeletedAdmissionFile = ({ id }: { id: number }) => {
  const call = useCall()
  const admission = useQuery({
    queryKey: [viewDeletedAdmission.path, id],
    queryFn: () => call(viewDeletedAdmission, { query: { id } }),
  })
  return (
    <Loaded query={admission} rows={10}>
      {(shown) => (
        <PersonFile
          key={id}
          label="录取详情"
          head={headOf({ admission: shown, sealed: true })}
          sections={[
            { title: '录取进度', content: <Progress admission={shown} /> },
            { title: '招办数据', content: <Data admission={shown} sealed /> },
          ]}
        />
      )}
    </Loaded>
  )
}

/** 查看: what the authority says of somebody, who they are here, who did what. */
export const AdmissionFile = ({ id }: { id: number }) => {
  const call = useCall()
  const admission = useQuery({
    queryKey: [viewAdmission.path, id],
    queryFn: () => call(viewAdmission, { query: { id } }),
  })
  return (
    <Loaded query={admission} rows={10}>
      {(shown) => (
        <PersonFile
          key={id}
          label="录取详情"
          head={headOf({ admission: shown })}
          sections={[
            { title: '录取进度', content: <Progress admission={shown} /> },
            { title: '招办数据', content: <Data admission={shown} /> },
            { title: '预报名', content: <Lead admission={shown} /> },
            {
              title: '操作日志',
              content: (
                <WhenSeen>
                  <RecordHistory of="admission" id={id} />
                </WhenSeen>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}
