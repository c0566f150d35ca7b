import { Descriptions, Empty, Skeleton } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { viewAdmission } from '@/admission/api'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { listCorrections } from '@/corrections/api'
import { CorrectionRecords } from '@/corrections/CorrectionRecords'
import { show } from '@/kit/columns'
import { EditInPlace } from '@/kit/EditInPlace'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PersonFile } from '@/kit/PersonFile'
import { Word } from '@/kit/Status'
import { WhenSeen } from '@/kit/WhenSeen'
import { RecordHistory } from '@/logs/RecordHistory'
import { ChangeRecords } from '@/status_change/ChangeRecords'
import { AdmissionRecord } from './AdmissionRecord'
import { editStudent, listStudentHistory, viewStudent } from './api'
import { DayOfStudent } from './DayOfStudent'
import { ENTITY } from './entity'
import { examLists, StudentExams } from './StudentExams'
import type { Student } from './StudentForm'
import { feeTones, statusTones } from './tones'
import './studentStatus.css'

type Name = keyof Student & string

const person: readonly Name[] = [
  'name',
  'formerName',
  'gender',
  'birthday',
  'ethnicityName',
  'politicalStatusName',
  'idCardType',
  'idCardNo',
  'phone',
  'email',
  'nativePlace',
  'hukouPlace',
  'workUnit',
  'occupation',
  'emergencyContact',
  'emergencyPhone',
  'postalCode',
  'address',
]
const enrolment: readonly Name[] = [
  'status',
  'statusReason',
  'endedOn',
  'studentNo',
  'examineeNo',
  'gradeName',
  'levelName',
  'majorName',
  'studyForm',
  'schoolingYears',
  'siteName',
  'className',
  'enrolledOn',
  'expectedGraduationOn',
  'maxStudyEndOn',
  'registerResult',
  'registeredOn',
  'registerMessage',
  'suspendedUntil',
  'suspendedMonths',
  'totalScore',
  'examCategory',
  'source',
  'feeFlag',
  'createdAt',
  'remark',
]
const former: readonly Name[] = [
  'preEduLevel',
  'preEduSchool',
  'preEduMajor',
  'preEduCertificateNo',
  'preEduGraduatedOn',
]
/** The server registered these as values that show on click. */
const masked: readonly Name[] = ['idCardNo', 'phone', 'emergencyPhone', 'email', 'address', 'hukouPlace']
const short: Partial<Record<Name, string>> = { ethnicityName: '民族', politicalStatusName: '政治面貌' }

/** What the office corrects without a paper, field by field; the phone at the head. */
const mendable = [
  'formerName',
  'email',
  'nativePlace',
  'hukouPlace',
  'workUnit',
  'occupation',
  'emergencyContact',
  'emergencyPhone',
  'postalCode',
  'address',
  'preEduLevel',
  'preEduSchool',
  'preEduMajor',
  'preEduCertificateNo',
  'remark',
] as const

const tones: Partial<Record<Name, Parameters<typeof show>[3]>> = { status: statusTones, feeFlag: feeTones }

const written = (student: Student, name: Name): ReactNode => {
  const value = student[name]
  const label = fieldOf(viewStudent, name).label
  if (masked.includes(name) && typeof value === 'string') {
    return <Masked key={student.id} entity={ENTITY} id={student.id} field={name} label={label} value={value} />
  }
  return show(viewStudent, name, value, tones[name])
}

const labelledAs = (name: Name) => short[name] ?? fieldOf(viewStudent, name).label

const mended = (student: Student, name: Name) => {
  const field = mendable.find((each) => each === name)
  if (!field) return written(student, name)
  return (
    <EditInPlace do={editStudent} field={field} label={labelledAs(name)} record={student}>
      {written(student, name)}
    </EditInPlace>
  )
}

const Fields = ({ student, names }: { student: Student; names: readonly Name[] }) => (
  <Descriptions
    column={2}
    labelStyle={{ width: 112 }}
    data={names.map((name) => ({ key: name, label: labelledAs(name), value: mended(student, name) }))}
  />
)

const photos = [
  ['admissionPhoto', '录取照片'],
  ['enrolPhoto', '入学照片'],
  ['graduationPhoto', '学历照片'],
] as const

const Photos = ({ student }: { student: Student }) => (
  <div className="photos">
    {photos.map(([name, label]) => (
      <figure key={name}>
        {student[name] ? (
          <img src={student[name]} alt={`${student.name}的${label}`} />
        ) : (
          <span className="photo-none">未上传</span>
        )}
        <figcaption>{label}</figcaption>
      </figure>
    ))}
  </div>
)

const History = ({ id }: { id: number }) => {
  const call = useCall()
  const history = useQuery({
    queryKey: [listStudentHistory.path, id],
    queryFn: () => call(listStudentHistory, { query: { id } }),
  })
  if (history.isPending) return <Skeleton text={{ rows: 4 }} animation />
  if (history.isError) return <Failed error={history.error} retry={() => history.refetch()} />
  if (history.data.length === 0) return <Empty description="还没有异动记录" />
  const status = (value: string | null | undefined) => labelOf(listStudentHistory, 'toStatus', value)
  return (
    <ol className="history">
      {history.data.map((entry) => (
        <li key={entry.id}>
          <strong>{labelOf(listStudentHistory, 'kind', entry.kind)}</strong>{' '}
          {entry.fromStatus ? `${status(entry.fromStatus)} → ${status(entry.toStatus)}` : status(entry.toStatus)}
          <p>
            {[
              `${entry.effectiveOn}生效`,
              entry.documentNo && `文号${entry.documentNo}`,
              entry.reason,
              `${entry.createdByName}于${formatTime(entry.createdAt)}经办`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** 学籍详情: all that is known of a student, on one page. */
export const StudentFile = ({ id }: { id: number }) => {
  const call = useCall()
  const allowed = useAllowed()
  const view = useQuery({
    queryKey: [viewStudent.path, id],
    queryFn: () => call(viewStudent, { query: { id } }),
  })
  if (view.isPending) return <Skeleton text={{ rows: 10 }} animation />
  if (view.isError) return <Failed error={view.error} retry={() => view.refetch()} />
  const student = view.data
  const fact = (name: Name) => ({ label: labelledAs(name), value: written(student, name) })
  return (
    <PersonFile
      key={id}
      label="学籍详情"
      head={{
        name: student.name,
        photo: student.enrolPhoto ?? student.admissionPhoto,
        number: { label: '学号', value: student.studentNo },
        status: (
          <>
            {written(student, 'status')} {student.feeFlag === 'arrears' && written(student, 'feeFlag')}{' '}
            {student.chsiFailed && <Word tone="bad">清查未通过</Word>}
          </>
        ),
        facts: [
          fact('className'),
          fact('majorName'),
          fact('siteName'),
          {
            label: '手机',
            value: (
              <EditInPlace do={editStudent} field="phone" label="手机" record={student}>
                {written(student, 'phone')}
              </EditInPlace>
            ),
          },
        ],
      }}
      sections={[
        { title: '基本信息', content: <Fields student={student} names={person} /> },
        { title: '学籍信息', content: <Fields student={student} names={enrolment} /> },
        { title: '入学前学历', content: <Fields student={student} names={former} /> },
        { title: '照片', content: <Photos student={student} /> },
        {
          title: '异动记录',
          content: (
            <WhenSeen>
              <DayOfStudent id={id} />
              <ChangeRecords studentId={id} />
              <History id={id} />
            </WhenSeen>
          ),
        },
        ...(allowed(listCorrections)
          ? [
              {
                title: '更正记录',
                content: (
                  <WhenSeen>
                    <CorrectionRecords studentId={id} />
                  </WhenSeen>
                ),
              },
            ]
          : []),
        ...(examLists.some(allowed)
          ? [
              {
                title: '考试',
                content: (
                  <WhenSeen>
                    <StudentExams studentId={id} />
                  </WhenSeen>
                ),
              },
            ]
          : []),
        ...(student.admissionId != null && allowed(viewAdmission)
          ? [
              {
                title: '录取数据',
                content: (
                  <WhenSeen>
                    <AdmissionRecord id={student.admissionId} />
                  </WhenSeen>
                ),
              },
            ]
          : []),
        {
          title: '操作日志',
          content: (
            <WhenSeen>
              <RecordHistory of="student" id={id} />
            </WhenSeen>
          ),
        },
      ]}
    />
  )
}
