import { ApiError } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { nextOf } from '@/kit/auditQueue'
import { formatPercent } from '@/kit/format'
import type { listAdmissionCandidates, listAdmissions, viewAdmission } from './api'

export type Row = RowOf<typeof listAdmissions>
export type Candidate = RowOf<typeof listAdmissionCandidates>

/** In what an admission and its lead may differ. */
export type Difference = Row['differences'][number]
type View = RowOf<typeof viewAdmission>
export type Lead = NonNullable<View['preRegistration']>

type InState = Pick<Row, 'status'>

/** Nobody has decided about the person yet. */
const isOpen = ({ status }: InState) => status === 'imported' || status === 'assigned'

/** Why a step is not to be had now; the server has the last word (02 §6). */
export const can = {
  contact: ({ status }: InState) => (status === 'cancelled' ? '已注销的录取数据不能修改，请先恢复' : undefined),
  cancel: ({ status }: InState) => (status === 'audited' ? '该生已审核，请先撤销审核再注销' : undefined),
  match: (row: InState) => (isOpen(row) ? undefined : '只有待分配和待审核的可以匹配预报名'),
  unmatch: (row: Pick<Row, 'status' | 'matchStatus'>) =>
    row.matchStatus === 'unmatched' ? '该人员尚未匹配预报名' : can.match(row),
  allocate: (row: InState) => (isOpen(row) ? undefined : '只有待分配和待审核的可以分配站点'),
  audit: ({ status }: InState) => (status === 'assigned' ? undefined : '只有待审核的可以审核'),
  revoke: ({ status }: InState) =>
    status === 'audited' || status === 'rejected' ? undefined : '只有已审核和不予入学的可以撤销',
  delete: ({ status }: InState) =>
    status === 'audited' || status === 'rejected' ? '已审核和不予入学的不能删除' : undefined,
}

/** A name as the server compares it: without spaces, and with one of the dots that stand in names of minorities. */
const plain = (name: string) => name.replace(/\s/g, '').replace(/[•・．.‧∙]/g, '·')

/** In what a lead differs from the person whom the authority admitted, in words; nothing when they agree. */
export const differencesFrom = (
  admitted: Pick<Row, 'name' | 'examineeNo' | 'majorName'>,
  lead: Pick<Candidate, 'name' | 'examineeNo' | 'majorName' | 'sameIdCard'>,
) => {
  const told: string[] = []
  const differs = (what: string, ours: string, theirs: string) =>
    told.push(`${what}：录取为“${ours}”，预报名为“${theirs}”`)
  if (plain(admitted.name) !== plain(lead.name)) differs('姓名', admitted.name, lead.name)
  if (!lead.sameIdCard) told.push('证件号：两者不同')
  if (lead.examineeNo && lead.examineeNo !== admitted.examineeNo) {
    differs('考生号', admitted.examineeNo, lead.examineeNo)
  }
  if (lead.majorName !== admitted.majorName) differs('专业', admitted.majorName, lead.majorName)
  return told
}

/** Whether a lead may be somebody else: by name, ID number or examinee number. */
export const maybeAnother = (
  admitted: Pick<Row, 'name' | 'examineeNo'>,
  lead: Pick<Candidate, 'name' | 'examineeNo' | 'sameIdCard'>,
) =>
  plain(admitted.name) !== plain(lead.name) ||
  !lead.sameIdCard ||
  Boolean(lead.examineeNo && lead.examineeNo !== admitted.examineeNo)

/** Of whom the name or the ID number is another than in the lead; that may be somebody else. */
export const isDoubtful = ({ differences }: Pick<Row, 'differences'>) =>
  differences.some((each) => each === 'name' || each === 'id_card_no')

/** How full a plan is: 95.7%; a dash where nothing was planned. */
export const completion = (admitted: number, quota: number | null | undefined) =>
  formatPercent(quota ? (admitted * 100) / quota : null)

/** By how many people a plan is exceeded; who was granted nothing exceeds it with the first. */
export const beyond = (admitted: number, quota: number | null | undefined) => Math.max(0, admitted - (quota ?? 0))

/** In what the lead of an admission is otherwise, of what can be seen: the number is masked in both, and is the server's to compare. */
export const differencesOf = (
  admitted: Pick<View, 'name' | 'gender' | 'examineeNo' | 'levelName' | 'majorName' | 'siteName'>,
  lead: Pick<Lead, 'name' | 'gender' | 'examineeNo' | 'levelName' | 'majorName' | 'siteName'>,
): Difference[] => {
  const found: Difference[] = []
  if (plain(admitted.name) !== plain(lead.name)) found.push('name')
  if (admitted.gender !== lead.gender) found.push('gender')
  if (lead.examineeNo && lead.examineeNo !== admitted.examineeNo) found.push('examinee_no')
  if (admitted.levelName !== lead.levelName) found.push('level')
  if (admitted.majorName !== lead.majorName) found.push('major')
  if (admitted.siteName && admitted.siteName !== lead.siteName) found.push('site')
  return found
}

/** Whom to look at after somebody was decided on: the next of the page who waits, from its top again behind its end. */
export const nextAssigned = <R extends InState & { id: number }>(rows: readonly R[], id: number) =>
  nextOf(rows, id, ({ status }) => status === 'assigned')

const isMarked = (data: unknown) =>
  typeof data === 'object' && data !== null && 'confirm' in data && data.confirm === 'confirmDuplicate'

/** Whether the audit was refused only because the person still studies here, which whoever audits may confirm (02 §0.2). */
export const mayConfirm = (error: unknown) => error instanceof ApiError && error.code === 409 && isMarked(error.data)
