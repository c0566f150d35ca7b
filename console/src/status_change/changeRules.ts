import type { ReactNode } from 'react'
import type { BodyOf, RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import type { SharedPath } from '@/paths'
import { listStudents } from '@/student_status/api'
import { type checkChange, listChanges, type saveChange, type viewChange } from './api'

export type Row = RowOf<typeof listChanges>
export type View = RowOf<typeof viewChange>
export type Type = Row['type']
export type Status = Row['status']
type Placement = Row['before']
type Names = Row['beforeNames']
type Asked = BodyOf<typeof saveChange>
type Target = NonNullable<Asked['after']>
type TargetName = keyof Target

export type StepName = 'submit' | 'site' | 'accept' | 'audit' | 'edit' | 'reject' | 'cancel' | 'print'

/** What a state can come to, what is needed most first; the server has the last word (02 §10). */
const steps: Record<Status, readonly StepName[]> = {
  draft: ['submit', 'edit', 'cancel'],
  pending_site: ['site', 'edit', 'reject', 'cancel', 'print'],
  pending_target_site: ['accept', 'reject', 'cancel', 'print'],
  pending_school: ['audit', 'reject', 'cancel', 'print'],
  approved: ['print'],
  executed: ['print'],
  rejected: ['print'],
  cancelled: [],
  revoked: ['print'],
}

/** What may be done with a change; an approved one that could not take effect is taken back. */
export const stepsOf = ({ status, alert }: Pick<Row, 'status' | 'alert'>): readonly StepName[] =>
  status === 'approved' && alert ? ['cancel', ...steps.approved] : steps[status]

const REVOKE_DAYS = 90
const DAY_MS = 24 * 3600 * 1000

/** Why a change cannot be taken back on a day; what came after it the server knows alone. */
export const revokeRefusal = ({ status, executedAt }: Pick<Row, 'status' | 'executedAt'>, today: string) => {
  if (status !== 'executed') return `当前状态为${labelOf(listChanges, 'status', status)}，不能撤销`
  const days = (Date.parse(today) - Date.parse(formatTime(executedAt, 'YYYY-MM-DD'))) / DAY_MS
  return days > REVOKE_DAYS ? `异动生效已超过${REVOKE_DAYS}天，不能撤销` : undefined
}

/** Where the results of a type are listed. */
const resultPlaces: Record<Type, SharedPath> = {
  professional: 'professionalChanges',
  hierarchical: 'hierarchicalChanges',
  class_change: 'classChanges',
  dropout: 'leavings',
  suspension: 'leavings',
  return: 'leavings',
  transfer_out: 'leavings',
}

/** The tabs of 退学休学复学. */
export const leavingTabs = [
  ['dropout', '退学'],
  ['suspension', '休学'],
  ['return', '复学'],
  ['transfer_out', '转学'],
] as const satisfies readonly (readonly [Type, string])[]

const results: readonly Status[] = ['approved', 'executed', 'revoked']

/** The list of results in which a change stands, and its tab there; none for what is still decided. */
export const resultOf = ({ type, status }: Pick<Row, 'type' | 'status'>) => {
  if (!results.includes(status)) return undefined
  const place = resultPlaces[type]
  return { place, tab: place === 'leavings' && type !== 'dropout' ? type : undefined }
}

/** Where a student is looked up after a change. */
export const registerOf = ({ type, status }: Pick<Row, 'type' | 'status'>): SharedPath =>
  status === 'executed' && (type === 'dropout' || type === 'transfer_out') ? 'leftStudents' : 'students'

/** The reasons of a type; none where there is only the sentence. */
const reasons: Partial<Record<Type, readonly NonNullable<Row['reasonCode']>[]>> = {
  dropout: [
    'voluntary',
    'overdue',
    'exceed_years',
    'academic',
    'disciplinary',
    'qualification_failed',
    'duplicate',
    'deceased',
    'other',
  ],
  suspension: ['illness', 'military', 'childbirth', 'work', 'family', 'other'],
}
export const reasonsOf = (type: Type | undefined) => (type && reasons[type]) ?? []

/** What a type moves. */
const targets: Record<Type, readonly TargetName[]> = {
  professional: ['majorId', 'classId'],
  hierarchical: ['levelId', 'majorId', 'classId'],
  class_change: ['siteId', 'classId'],
  return: ['classId'],
  dropout: [],
  suspension: [],
  transfer_out: [],
}

/** Another number only where the major is another. */
export const mayRenumber = (type: Type | undefined) => type === 'professional' || type === 'hierarchical'

/** What is typed, of whichever types were chosen meanwhile. */
export interface Typed {
  /** Of a change that is edited. */
  id?: number
  version?: number
  studentId?: number
  batchId?: number | null
  type?: Type
  after?: Target
  reasonCode?: Asked['reasonCode']
  reason?: string
  attachments?: string[]
  suspendFrom?: string | null
  suspendMonths?: number | null
  targetSchoolName?: string | null
  renumber?: boolean
  effectiveOn?: string | null
  submit?: boolean
}

/** A change as it was typed. */
export const typedOf = (change: View): Typed => ({
  id: change.id,
  version: change.version,
  studentId: change.studentId,
  batchId: change.batchId,
  type: change.type,
  after: {
    levelId: change.after.levelId,
    majorId: change.after.majorId,
    siteId: change.after.siteId,
    classId: change.after.classId ?? undefined,
  },
  reasonCode: change.reasonCode,
  reason: change.reason,
  attachments: change.attachments.map(({ key }) => key),
  suspendFrom: change.suspendFrom,
  suspendMonths: change.suspendMonths,
  targetSchoolName: change.targetSchoolName,
  renumber: change.renumber,
  effectiveOn: change.effectiveOn,
})

const targetOf = (type: Type, after: Target | undefined): Target =>
  Object.fromEntries(targets[type].map((name) => [name, after?.[name] ?? undefined]))

/** What of it belongs to the type; what was typed for another one stays behind. */
const ofType = ({ type, after, reasonCode, suspendFrom, suspendMonths }: Typed & { type: Type }) => ({
  type,
  after: targetOf(type, after),
  reasonCode: reasonsOf(type).find((reason) => reason === reasonCode),
  suspendFrom: type === 'suspension' ? suspendFrom : undefined,
  suspendMonths: type === 'suspension' ? suspendMonths : undefined,
})

/** The body of a change, without the parts of other types. */
export const askedOf = (typed: Typed) => ({
  studentId: typed.studentId,
  batchId: typed.batchId ?? undefined,
  ...(typed.type && ofType({ ...typed, type: typed.type })),
  reason: typed.reason,
  attachments: typed.attachments ?? [],
  targetSchoolName: typed.type === 'transfer_out' ? typed.targetSchoolName : undefined,
  renumber: mayRenumber(typed.type) && typed.renumber === true,
  effectiveOn: typed.effectiveOn ?? undefined,
})

/** What is looked at while somebody types; none before student and type are chosen. */
export const checkOf = (typed: Typed): BodyOf<typeof checkChange> | undefined =>
  typed.studentId === undefined || typed.type === undefined
    ? undefined
    : {
        studentId: typed.studentId,
        batchId: typed.batchId ?? undefined,
        ...ofType({ ...typed, type: typed.type }),
        id: typed.id,
      }

/** What a placement is called; a name may still be on its way. */
export type Called = Partial<Record<keyof Names, ReactNode>>

export interface Difference {
  label: string
  before: ReactNode
  after: ReactNode
  changed: boolean
}

export const formWord = (form: Placement['studyForm']) => labelOf(listChanges, 'studyForm', form)
export const statusWord = (status: Placement['status']) => labelOf(listStudents, 'status', status)
export const yearsWord = (years: number) => `${years}年`

const lines: readonly (readonly [
  label: string,
  field: keyof Placement,
  write: (placement: Placement, names: Called) => ReactNode,
])[] = [
  ['年级', 'gradeId', (_, { gradeName }) => gradeName],
  ['层次', 'levelId', (_, { levelName }) => levelName],
  ['专业', 'majorId', (_, { majorName }) => majorName],
  ['学习形式', 'studyForm', ({ studyForm }) => formWord(studyForm)],
  ['学制', 'schoolingYears', ({ schoolingYears }) => yearsWord(schoolingYears)],
  ['站点', 'siteId', (_, { siteName }) => siteName],
  ['班级', 'classId', ({ classId }, { className }) => (classId == null ? '未分班' : className)],
  ['学籍状态', 'status', ({ status }) => statusWord(status)],
]

/** Both placements line by line, and which lines differ. */
export const differences = (
  [before, beforeNames]: readonly [Placement, Called],
  [after, afterNames]: readonly [Placement, Called],
): Difference[] =>
  lines.map(([label, field, write]) => ({
    label,
    before: write(before, beforeNames),
    after: write(after, afterNames),
    changed: (before[field] ?? undefined) !== (after[field] ?? undefined),
  }))

/** Not decided yet, or not in effect yet. */
export const OPEN = ['draft', 'pending_site', 'pending_target_site', 'pending_school', 'approved'] as const

/** Whoever leaves has no account any more. */
const leaves = (type: Type) => type === 'dropout' || type === 'transfer_out'

/** What a bulk approval does: how many of which type, who takes effect at once, whose accounts are switched off. */
export const approvalWords = (rows: readonly Pick<Row, 'type' | 'status' | 'effectiveOn'>[], today: string) => {
  const waiting = rows.filter(({ status }) => status === 'pending_school')
  if (waiting.length === 0) return '所选的都不是待学校审批的异动。'
  const counts = new Map<Type, number>()
  for (const { type } of waiting) counts.set(type, (counts.get(type) ?? 0) + 1)
  const byType = [...counts].map(([type, count]) => `${labelOf(listChanges, 'type', type)}${count}人`).join('、')
  const now = waiting.filter(({ effectiveOn }) => !effectiveOn || effectiveOn <= today).length
  const when =
    now === waiting.length
      ? '批准后立即生效。'
      : `${now > 0 ? `其中${now}人批准后立即生效，其余` : ''}到各自的生效日期生效。`
  const gone = waiting.filter(({ type }) => leaves(type)).length
  return `待学校审批的${waiting.length}条：${byType}。${when}${gone > 0 ? `${gone}人离校，生效后账号停用。` : ''}`
}

type Told = Pick<
  Row,
  'type' | 'before' | 'after' | 'afterNames' | 'reasonCode' | 'suspendFrom' | 'suspendUntil' | 'targetSchoolName'
>

/** 拟转…: in a few words what is asked for. */
export const targetWords = (row: Told): string => {
  const { gradeName, levelName, majorName, siteName, className } = row.afterNames
  const joined = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  switch (row.type) {
    case 'professional':
      return joined(majorName, className)
    case 'hierarchical':
      return joined(levelName, majorName, className)
    case 'class_change':
      return row.before.siteId === row.after.siteId ? joined(className) : joined(siteName, className)
    case 'suspension':
      return joined(row.suspendFrom, '至', row.suspendUntil)
    case 'return':
      return joined(gradeName, className)
    case 'dropout':
      return labelOf(listChanges, 'reasonCode', row.reasonCode)
    case 'transfer_out':
      return joined(row.targetSchoolName)
  }
}

/** The days of a month: 2026-09 → 2026-09-01, 2026-09-30. */
export const daysOfMonth = (month: string) => {
  const [year = 0, at = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, at, 0)).getUTCDate()
  return { effectiveFrom: `${month}-01`, effectiveTo: `${month}-${String(last).padStart(2, '0')}` }
}

/** An opinion as it stands on the paper; nothing while nobody said anything. */
export const opinionWords = (
  opinion: { result?: 'pass' | 'reject' | null; remark?: string | null } | null | undefined,
) => {
  if (!opinion) return ''
  const word = opinion.result === 'reject' ? '不同意' : '同意'
  return opinion.remark ? `${word}。${opinion.remark}` : `${word}。`
}
