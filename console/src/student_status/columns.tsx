import type { RowOf } from '@/api/operation'
import { columnsOf } from '@/kit/columns'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { listStudents } from './api'
import { registerTones, statusTones } from './tones'

type Row = RowOf<typeof listStudents>

/** The status, and what 学信网 found of the former diploma, where that was none. */
const Status = ({ row: { status, chsiFailed } }: { row: Row }) => {
  const word = <Word tone={statusTones[status]}>{labelOf(listStudents, 'status', status)}</Word>
  if (!chsiFailed) return word
  return (
    <span className="two-lines">
      {word}
      <Word tone="bad">清查未通过</Word>
    </span>
  )
}

/** Who a student is, where they studied, and in which status they stand: the first columns of every list of students. */
const person = columnsOf(listStudents, [
  { field: 'name', width: 140, fixed: 'left' },
  { field: 'studentNo', width: 140, under: 'name' },
  { field: 'status', width: 110, fixed: 'left', render: (row) => <Status row={row} /> },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 140 },
  { field: 'gradeName', width: 90 },
  { field: 'siteName', width: 140 },
  { field: 'className', width: 200 },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity="student" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  {
    field: 'idCardNo',
    width: 165,
    render: (row) => <Masked entity="student" id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
  { field: 'gender', width: 70 },
  { field: 'studyForm', width: 90 },
  { field: 'examineeNo', width: 150 },
])

/** 录取、入学、学历: a full dot where there is a photo. */
const PhotoDots = ({ row }: { row: Row }) => {
  const kinds = [
    ['录取', row.admissionPhoto],
    ['入学', row.enrolPhoto],
    ['学历', row.graduationPhoto],
  ] as const
  const words = kinds.map(([kind, has]) => `${kind}照片${has ? '有' : '无'}`).join('，')
  return (
    <span className="photo-dots" role="img" aria-label={words} title={words}>
      {kinds.map(([kind, has]) => (
        <i key={kind} className={has ? 'has' : undefined} />
      ))}
    </span>
  )
}

const enrolment = columnsOf(listStudents, [
  'enrolledOn',
  'expectedGraduationOn',
  { field: 'registerResult', tones: registerTones },
  {
    field: 'admissionPhoto',
    title: '照片',
    help: '依次为录取、入学、学历照片，实心为已有',
    width: 90,
    render: (row) => <PhotoDots row={row} />,
  },
  { field: 'source', hidden: true },
])

/** The end of a suspension; one that is over and was not followed by a return is told. */
const SuspendedUntil = ({ until }: { until: string | null | undefined }) => {
  if (!until) return <span className="nothing">—</span>
  return until < formatTime(new Date(), 'YYYY-MM-DD') ? <Word tone="bad">{`${until} 逾期`}</Word> : until
}

const suspension = columnsOf(listStudents, [
  { field: 'suspendedUntil', hidden: true, width: 150, render: (row) => <SuspendedUntil until={row.suspendedUntil} /> },
])
const longest = columnsOf(listStudents, [{ field: 'maxStudyEndOn', hidden: true, width: 130 }])

/** Beside the name, where no one’s choice of columns hides it. */
const beside = (columns: typeof person) => {
  const pinned = person.filter(({ fixed }) => fixed)
  const others = person.filter(({ fixed }) => !fixed)
  return [...pinned, ...columns.map((column) => ({ ...column, fixed: 'left' as const })), ...others]
}

/** 在籍学生, all tabs but the two that say until when. */
export const registered = [...person, ...enrolment, ...suspension, ...longest]
export const suspended = [...beside(suspension), ...enrolment, ...longest]
export const expired = [...beside(longest), ...enrolment, ...suspension]

/** 退学与转出. */
export const left = [
  ...person,
  ...columnsOf(listStudents, [
    { field: 'statusReason', width: 150 },
    { field: 'endedOn', title: '生效日期' },
  ]),
]
/** 毕(结)业学生. */
export const finished = [...person, ...columnsOf(listStudents, [{ field: 'endedOn', title: '毕业日期' }])]
