import { columnsOf } from '@/kit/columns'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { ENTITY } from './AdmissionFile'
import { listAdmissions } from './api'
import { Differences } from './Differences'
import { Issues } from './Issues'
import { matchTones, statusTones } from './tones'

const person = columnsOf(listAdmissions, [
  { field: 'name', width: 155, fixed: 'left' },
  { field: 'examineeNo', width: 150, under: 'name' },
  { field: 'status', width: 90, fixed: 'left', tones: statusTones },
  { field: 'levelName', width: 80 },
])
const matched = columnsOf(listAdmissions, [{ field: 'matchStatus', width: 80, tones: matchTones }])
const issues = columnsOf(listAdmissions, [
  { field: 'issues', width: 210, render: (row) => <Issues issues={row.issues} /> },
])
const idCard = columnsOf(listAdmissions, [
  {
    field: 'idCardNo',
    width: 200,
    render: (row) => <Masked entity={ENTITY} id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
])
const phone = columnsOf(listAdmissions, [
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity={ENTITY} id={row.id} field="phone" label="手机" value={row.phone} />,
  },
])

const photo = columnsOf(listAdmissions, [
  {
    field: 'hasPhoto',
    title: '照片',
    width: 70,
    help: '招办提供或导入的录取照片',
    render: ({ hasPhoto }) => (hasPhoto ? <Word tone="good">有</Word> : <Word tone="warning">缺</Word>),
  },
])

/** 录取数据: what the authority says, and what became of it. */
export const dataColumns = [
  ...person,
  ...columnsOf(listAdmissions, [{ field: 'majorName', width: 140 }]),
  ...matched,
  ...issues,
  ...idCard,
  ...columnsOf(listAdmissions, [
    {
      field: 'authorityMajorName',
      width: 160,
      render: ({ authorityMajorCode, authorityMajorName }) =>
        [authorityMajorCode, authorityMajorName].filter(Boolean).join(' '),
    },
    { field: 'examCategory', width: 100 },
    { field: 'totalScore', width: 70 },
    { field: 'gender', width: 70 },
    { field: 'ticketNo', width: 140 },
    { field: 'batchName', width: 180 },
    'createdAt',
    { field: 'siteName', hidden: true },
    { field: 'studyForm', hidden: true },
    { field: 'gradeName', hidden: true },
  ]),
  ...[...phone, ...photo].map((column) => ({ ...column, hidden: true })),
]

/** 录取学生: who is to study here, and where. */
export const studentColumns = [
  ...person,
  ...columnsOf(listAdmissions, [
    { field: 'majorName', width: 140 },
    { field: 'siteName', width: 140 },
    {
      field: 'overQuota',
      width: 85,
      help: '分配时站点人数超出核定计划',
      render: ({ overQuota }) => (overQuota ? <Word tone="warning">超计划</Word> : <span className="nothing">—</span>),
    },
    { field: 'preRegistrationSiteName', width: 140 },
    { field: 'totalScore', width: 70 },
  ]),
  ...phone,
  ...idCard,
  ...columnsOf(listAdmissions, [
    { field: 'gender', width: 70 },
    { field: 'gradeName', width: 90 },
    { field: 'studyForm', width: 90 },
  ]),
  ...matched,
  ...issues.map((column) => ({ ...column, hidden: true })),
  ...columnsOf(listAdmissions, [{ field: 'batchName', hidden: true }]),
]

/** 录取审核: what speaks against a person, and who they are. */
export const auditColumns = [
  ...person,
  ...issues,
  ...columnsOf(listAdmissions, [
    {
      field: 'differences',
      title: '预报名对比',
      width: 190,
      help: '录取数据与所匹配的预报名不同的项目',
      render: (row) => <Differences row={row} />,
    },
  ]),
  ...photo,
  ...columnsOf(listAdmissions, [
    { field: 'majorName', width: 140 },
    { field: 'siteName', width: 140 },
  ]),
  ...phone,
  ...idCard,
  ...columnsOf(listAdmissions, [
    { field: 'gender', width: 70 },
    { field: 'gradeName', width: 90 },
    { field: 'studyForm', width: 90 },
    { field: 'totalScore', width: 70 },
    { field: 'batchName', hidden: true },
  ]),
]
