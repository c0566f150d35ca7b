import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { listCorrections } from '@/corrections/api'
import { type Column, columnsOf } from '@/kit/columns'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import type { Group, Kind } from './groups'
import { correctionPlace } from './InformationParts'
import { isActive, type Row } from './informationRules'
import { conclusionTones, correctionTones, photoTones, preCheckTones, statusTones } from './tones'

type Wishes = Parameters<typeof columnsOf<unknown, Row>>[1]

/** The correction that somebody's items opened, leading there for whoever may look at it. */
const Correction = ({ row }: { row: Row }) => {
  const places = usePlaces()
  const may = useAllowed()(listCorrections)
  if (row.correctionId == null || !row.correctionStatus) return <span className="nothing">—</span>
  const word = (
    <Word tone={correctionTones[row.correctionStatus]}>{labelOf(listCorrections, 'status', row.correctionStatus)}</Word>
  )
  return may ? <Link to={correctionPlace(places, row)}>{word}</Link> : word
}

const has = (value: boolean | null | undefined, there: string, missing: string) => (
  <Word tone={value ? 'good' : 'warning'}>{value ? there : missing}</Word>
)

const own: Record<Kind, Wishes> = {
  admission_information: [
    {
      field: 'mismatches',
      title: '核对不符',
      width: 90,
      help: '本人核对有误的项数',
      render: ({ mismatches }) =>
        mismatches ? <Word tone="bad">{mismatches}项</Word> : <span className="nothing">—</span>,
    },
    { field: 'correctionStatus', width: 110, render: (row) => <Correction row={row} /> },
    { field: 'enrolPhoto', title: '入学照片', width: 90, render: ({ enrolPhoto }) => has(enrolPhoto, '有', '缺') },
  ],
  admission_commitment: [
    { field: 'conclusion', title: '结论', width: 90, tones: conclusionTones },
    { field: 'chsiPreCheck', title: '清查结果', width: 90, tones: preCheckTones },
    { field: 'signed', title: '承诺书', width: 80, render: ({ signed }) => has(signed, '已签', '未签') },
    { field: 'evidenceKind', width: 170 },
    { field: 'chsiCheckedOn', hidden: true },
    { field: 'commitmentVersion', hidden: true },
  ],
  graduation_information: [
    { field: 'photoCheck', title: '三照比对', width: 90, tones: photoTones },
    {
      field: 'graduationPhoto',
      title: '照片',
      width: 70,
      help: '学历照片',
      render: ({ graduationPhoto }) => has(graduationPhoto, '有', '缺'),
    },
    { field: 'expectedGraduationOn', width: 110 },
  ],
}

/** The columns of a group's list: who, how they stand, and what the group decides by. */
const made = ({ list, kind, entity }: Group) =>
  columnsOf(list, [
    { field: 'name', width: 155, fixed: 'left' },
    { field: 'studentNo', width: 150, under: 'name' },
    { field: 'status', title: '状态', width: 110, fixed: 'left', tones: statusTones },
    { field: 'remark', title: '退回原因', width: 180, hidden: true },
    ...own[kind],
    { field: 'levelName', width: 80 },
    { field: 'majorName', width: 140 },
    { field: 'gradeName', width: 90 },
    { field: 'siteName', width: 140 },
    { field: 'className', width: 160, render: ({ className }) => className ?? '未分班' },
    {
      field: 'phone',
      width: 155,
      render: (row) => <Masked entity={entity} id={row.id} field="phone" label="手机" value={row.phone} />,
    },
    { field: 'submittedAt', width: 170 },
    { field: 'submittedBy', width: 80 },
    { field: 'reviewedBy', width: 100 },
    { field: 'reviewedAt', width: 170 },
    { field: 'returnCount', width: 90 },
    {
      field: 'studentStatus',
      width: 90,
      hidden: true,
      render: (row) => (
        <Word tone={isActive(row) ? 'good' : 'quiet'}>{labelOf(list, 'studentStatus', row.studentStatus)}</Word>
      ),
    },
    {
      field: 'idCardNo',
      width: 200,
      hidden: true,
      render: (row) => <Masked entity={entity} id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
    },
    { field: 'examineeNo', width: 150, hidden: true },
    { field: 'gender', width: 70, hidden: true },
    { field: 'studyForm', width: 90, hidden: true },
    { field: 'registerResult', width: 100, hidden: true },
    { field: 'createdAt', hidden: true },
  ])

const known = new Map<Kind, Column<Row>[]>()

/** The columns of a tab: of those who were returned also why. */
export const columnsOfState = (group: Group, status: string | undefined) => {
  const columns = known.get(group.kind) ?? made(group)
  known.set(group.kind, columns)
  return status === 'returned'
    ? columns.map((column) => (column.key === 'remark' ? { ...column, hidden: false } : column))
    : columns
}
