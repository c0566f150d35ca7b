import { columnsOf } from '@/kit/columns'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { listRegistrations } from './api'
import type { Row } from './registrationRules'
import { statusTones } from './tones'
import { ENTITY, materials } from './words'

/** Whose place was kept and who went on in a later batch is kept here no more, though counted so. */
const Status = ({ row: { status, carriedOn } }: { row: Row }) =>
  carriedOn ? (
    <span title="保留入学资格，已转入之后的批次">
      <Word>保留，已转入</Word>
    </span>
  ) : (
    <Word tone={statusTones[status]}>{labelOf(listRegistrations, 'status', status)}</Word>
  )

const columns = columnsOf(listRegistrations, [
  { field: 'name', width: 155, fixed: 'left' },
  { field: 'examineeNo', width: 150, under: 'name' },
  { field: 'status', title: '状态', width: 130, fixed: 'left', render: (row) => <Status row={row} /> },
  {
    field: 'feePaid',
    title: '缴费',
    width: 70,
    render: ({ feePaid }) => <Word tone={feePaid ? 'good' : 'warning'}>{feePaid ? '已缴' : '未缴'}</Word>,
  },
  {
    field: 'identityVerified',
    title: '核验',
    width: 80,
    help: '报到人与证件、照片已核对',
    render: ({ identityVerified }) =>
      identityVerified ? <Word tone="good">已核验</Word> : <span className="nothing">—</span>,
  },
  {
    field: 'materials',
    title: '材料',
    width: 85,
    help: `已交的材料：${materials.map(([, words]) => words).join('、')}`,
    render: (row) => `${row.materials.length}/${materials.length}`,
  },
  { field: 'levelName', width: 80 },
  { field: 'majorName', width: 140 },
  { field: 'siteName', width: 140 },
  { field: 'studentNo', width: 140 },
  {
    field: 'phone',
    width: 155,
    render: (row) => <Masked entity={ENTITY} id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  {
    field: 'idCardNo',
    width: 200,
    render: (row) => <Masked entity={ENTITY} id={row.id} field="idCardNo" label="证件号" value={row.idCardNo} />,
  },
  { field: 'gender', width: 70 },
  { field: 'reportedAt', width: 170 },
  { field: 'reserveUntil', width: 110, hidden: true },
  { field: 'reason', width: 160, hidden: true },
  { field: 'gradeName', width: 90, hidden: true },
  { field: 'studyForm', width: 90, hidden: true },
  { field: 'batchName', width: 180, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** What a state is about, which other lists do not show at first. */
const about: Readonly<Record<string, readonly string[]>> = {
  reserved: ['reserveUntil', 'reason'],
  abandoned: ['reason'],
  revoked: ['reason'],
}
const ofState = new Map(
  Object.entries(about).map(([status, keys]) => {
    const told = columns.filter(({ key }) => keys.includes(key)).map((column) => ({ ...column, hidden: false }))
    const others = columns.filter(({ key }) => !keys.includes(key))
    const at = others.findIndex(({ key }) => key === 'feePaid')
    return [status, [...others.slice(0, at), ...told, ...others.slice(at)]]
  }),
)

/** The columns of a tab: of those who were kept, until when; of those who do not come, why. */
export const columnsOfState = (status: string | undefined) => ofState.get(status ?? '') ?? columns
