import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import { nextOf } from '@/kit/auditQueue'
import type {
  downloadAdmissionInformations,
  editAdmissionInformation,
  editGraduationInformation,
  listAdmissionInformations,
  printAdmissionInformation,
  summarizeAdmissionInformationClasses,
  viewAdmissionInformation,
} from './api'
import type { Kind } from './groups'

export type Row = RowOf<typeof listAdmissionInformations>
export type Status = Row['status']
export type View = RowOf<typeof viewAdmissionInformation>
export type Filter = NonNullable<BodyOf<typeof downloadAdmissionInformations>['filter']>
export type Item = View['items'][number]
export type Answer = NonNullable<BodyOf<typeof editAdmissionInformation>['items']>[number]
export type ResumeLine = NonNullable<BodyOf<typeof editAdmissionInformation>['resume']>[number]
export type FamilyLine = NonNullable<BodyOf<typeof editGraduationInformation>['family']>[number]
export type Figures = DataOf<typeof summarizeAdmissionInformationClasses>['total']
export type Paper = RowOf<typeof printAdmissionInformation>

export type StepName =
  | 'fill'
  | 'review'
  | 'reject'
  | 'takeBack'
  | 'print'
  | 'download'
  | 'photos'
  | 'withdraw'
  | 'correction'

/** What a state can come to, what is needed most first; the server has the last word (02 §11.2). */
const steps: Record<Status, readonly StepName[]> = {
  not_submitted: ['fill', 'print'],
  submitted: ['review', 'reject', 'print', 'download'],
  class_passed: ['review', 'reject', 'print', 'download'],
  approved: ['print', 'download', 'takeBack'],
  returned: ['fill', 'print', 'download'],
}

/** Of somebody who left nothing is changed any more. */
const lasting: readonly StepName[] = ['print', 'download', 'correction']

const active: readonly Row['studentStatus'][] = ['pending_registration', 'registered', 'suspended', 'expired']

/** Whether somebody is still a student; the forms of others are read alone. */
export const isActive = ({ studentStatus }: Pick<Row, 'studentStatus'>) => active.includes(studentStatus)

type Standing = Pick<Row, 'status' | 'studentStatus' | 'conclusion' | 'correctionId'>

/** What may be done with somebody's form. */
export const stepsOf = (kind: Kind, row: Standing): readonly StepName[] => {
  const own: StepName[] = []
  if (row.correctionId != null) own.push('correction')
  if (kind === 'graduation_information') own.push('photos')
  if (kind === 'admission_commitment' && row.conclusion === 'unqualified') own.push('withdraw')
  const all = [...steps[row.status], ...own]
  return isActive(row) ? all : all.filter((step) => lasting.includes(step))
}

/** Whether somebody's form waits for the school. */
export const isWaiting = (row: Pick<Row, 'status' | 'studentStatus'>) =>
  isActive(row) && (row.status === 'submitted' || row.status === 'class_passed')

/** The next of a page who waits behind a row; from the end it begins anew. */
export const nextWaiting = (rows: readonly Row[], id: number) => nextOf(rows, id, isWaiting)

const undecided: readonly View['correctionStatus'][] = ['pending_site', 'pending_school', 'pending_province']

/** The items that the student says are wrong, and that still read so in the register or wait for their correction. */
export const openItems = ({ items, correctionStatus }: Pick<View, 'items' | 'correctionStatus'>) => {
  const isUndecided = undecided.includes(correctionStatus)
  return items.filter(
    // Of 政治面貌 what the student says is taken over; it needs no correction.
    ({ key, ok, settled }) => ok === false && (!settled || (isUndecided && key !== 'political_status')),
  )
}

/** What no correction changes. */
const uncorrected: readonly Item['key'][] = [
  'level',
  'major',
  'study_form',
  'schooling_years',
  'enrolled_on',
  'admission_photo',
  'expected_graduation_on',
  'graduation_photo',
]

/** What to do about items that are open, in the server's words. */
const heldBack = (open: readonly Item[]) => {
  const others = open.filter(({ key }) => uncorrected.includes(key)).map(({ label }) => label)
  const begin = `存在${open.length}项核对不符`
  if (others.length === 0) return `${begin}，请先处理信息更正`
  const rest = `${others.join('、')}不在更正之列，请办理学籍异动或退回`
  return others.length === open.length ? `${begin}，${rest}` : `${begin}，请先处理信息更正；${rest}`
}

/** Why a form cannot be approved now, as far as it can be seen; undefined when it can. */
export const passRefusal = (
  kind: Kind,
  view: Pick<View, 'status' | 'classManagerReview' | 'items' | 'correctionStatus' | 'photoCheck' | 'chsiPreCheck'>,
) => {
  if (view.classManagerReview && view.status === 'submitted') return '待班主任审核'
  const open = openItems(view)
  if (open.length > 0) return heldBack(open)
  if (kind === 'admission_commitment' && view.chsiPreCheck === 'failed') {
    return '前置学历清查未通过，不能认定为合格，请退回'
  }
  if (kind === 'graduation_information' && view.photoCheck === 'different') return '三照比对不一致，请核实照片后再通过'
  return undefined
}

/** Fields of the list's filter that a figure stands for. */
type Behind = Readonly<Record<string, string>>

export interface Figure {
  field:
    | 'should'
    | 'notSubmitted'
    | 'submitted'
    | 'classPassed'
    | 'approved'
    | 'returned'
    | 'mismatched'
    | 'qualified'
    | 'unqualified'
    | 'supplement'
    | 'unsigned'
    | 'preCheckFailed'
    | 'photoMissing'
    | 'photoDifferent'
  label: string
  behind: Behind
}

/** The states in the order of a form's way, each with the list of those who are counted. */
export const states: readonly Figure[] = [
  { field: 'notSubmitted', label: '未提交', behind: { status: 'not_submitted' } },
  { field: 'submitted', label: '待审核', behind: { status: 'submitted' } },
  { field: 'classPassed', label: '班主任通过', behind: { status: 'class_passed' } },
  { field: 'approved', label: '已通过', behind: { status: 'approved' } },
  { field: 'returned', label: '已退回', behind: { status: 'returned' } },
]

const own: Record<Kind, readonly Figure[]> = {
  admission_information: [{ field: 'mismatched', label: '有误人数', behind: { mismatched: 'true' } }],
  admission_commitment: [
    { field: 'qualified', label: '合格', behind: { conclusion: 'qualified' } },
    { field: 'unqualified', label: '不合格', behind: { conclusion: 'unqualified' } },
    { field: 'supplement', label: '待补材料', behind: { conclusion: 'supplement' } },
    { field: 'unsigned', label: '承诺书未签', behind: { signed: 'false' } },
    { field: 'preCheckFailed', label: '清查未通过', behind: { chsiPreCheck: 'failed' } },
  ],
  graduation_information: [
    { field: 'photoMissing', label: '照片缺失', behind: { graduationPhoto: 'false' } },
    { field: 'photoDifferent', label: '三照不符', behind: { photoCheck: 'different' } },
  ],
}

/** The figures of a group; 班主任通过 is one only where somebody stands there. */
export const figuresOf = (kind: Kind, total: Pick<Figures, 'classPassed'>): readonly Figure[] => [
  { field: 'should', label: '应提交', behind: {} },
  ...states.filter(({ field }) => field !== 'classPassed' || total.classPassed > 0),
  ...own[kind],
]

/** Those of a line who would be reminded. */
export const remindable = ({ notSubmitted, returned }: Pick<Figures, 'notSubmitted' | 'returned'>) =>
  notSubmitted + returned

const DAY_MS = 24 * 3600 * 1000

/** Why nobody of a class is reminded now; undefined when somebody can be. */
export const remindRefusal = (
  line: Pick<Figures, 'classId' | 'notSubmitted' | 'returned' | 'remindedAt'>,
  now: Date,
) => {
  if (line.classId == null) return '未分班的学生请先分班'
  if (remindable(line) === 0) return '没有未提交和已退回的学生'
  const last = line.remindedAt ? Date.parse(line.remindedAt) : Number.NEGATIVE_INFINITY
  return now.getTime() - last < DAY_MS ? '24小时内已催办' : undefined
}

/** By what the students of a line are found: its class, or the place of those without one. */
export const lineFilter = (line: Figures): Filter => {
  if (line.classId != null) return { classId: line.classId }
  const siteId = line.siteId ?? undefined
  if (line.levelId == null && line.majorId == null) return siteId === undefined ? {} : { siteId }
  return { unassigned: true, levelId: line.levelId ?? undefined, majorId: line.majorId ?? undefined, siteId }
}

/** A filter as it stands in an address. */
export const inAddress = (filter: object): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]])))

/** A grade as it is offered: `number` is its year. */
interface Offered {
  code: number
  number: string
}

/** The grade with which the figures begin: the newest that has begun, for one made ahead has nobody yet. */
export const newestGrade = (grades: readonly Offered[], year: number) => {
  const newestFirst = [...grades].sort((one, other) =>
    other.number.localeCompare(one.number, 'zh-CN', { numeric: true }),
  )
  return newestFirst.find(({ number }) => Number.parseInt(number, 10) <= year) ?? newestFirst[0]
}

/** The places of a 承诺书, with what stands there in the preview. */
export const placeholders = [
  ['{name}', '姓名', '李明'],
  ['{idCardNo}', '证件号', '110105********002X'],
  ['{school}', '院校', '本校'],
  ['{level}', '层次', '专升本'],
  ['{major}', '专业', '会计学'],
] as const

/** A 承诺书 as it reads for somebody. */
export const sampleOf = (text: string, school: string | undefined) =>
  placeholders.reduce(
    (read, [place, , sample]) => read.replaceAll(place, place === '{school}' && school ? school : sample),
    text,
  )

/** Braces that stand for nothing. */
export const unknownPlaces = (text: string) => {
  const known: readonly string[] = placeholders.map(([place]) => place)
  return [...new Set(text.match(/\{[^{}\n]*\}/g) ?? [])].filter((place) => !known.includes(place))
}

/** What is typed to an item: who says it is wrong says what is right. */
export const itemsRefusal = (items: readonly Item[], answers: readonly Answer[]) => {
  const unanswered = items.filter(({ key }) => !answers.some((answer) => answer.key === key))
  if (unanswered.length > 0) return `请核对：${unanswered.map(({ label }) => label).join('、')}`
  const empty = items.filter(({ key }) =>
    answers.some((each) => each.key === key && !each.ok && !each.declared?.trim()),
  )
  return empty.length > 0 ? `请填写应为：${empty.map(({ label }) => label).join('、')}` : undefined
}

/** The answers to the items as they stand in a form. */
export const answersOf = (items: readonly Item[]): Answer[] =>
  items.flatMap(({ key, ok, declaredValue, declared }) =>
    ok == null ? [] : [{ key, ok, declared: ok ? undefined : (declaredValue ?? declared ?? undefined) }],
  )

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** Why the lines of a résumé cannot be kept; undefined when they can. */
export const resumeRefusal = (lines: readonly Partial<ResumeLine>[]) => {
  for (const [at, { from, to, unit }] of lines.entries()) {
    if (!MONTH.test(from ?? '')) return `第${at + 1}行的起始年月应如2019-09`
    if (to && !MONTH.test(to)) return `第${at + 1}行的截止年月应如2023-07，至今可不填`
    if (to && from && to < from) return `第${at + 1}行的截止年月早于起始年月`
    if (!unit?.trim()) return `请填写第${at + 1}行的学校或单位`
  }
  return undefined
}

/** Why the lines of a family cannot be kept; undefined when they can. */
export const familyRefusal = (lines: readonly Partial<FamilyLine>[]) => {
  const at = lines.findIndex(({ relation, name }) => !relation?.trim() || !name?.trim())
  return at < 0 ? undefined : `请填写第${at + 1}行的关系和姓名`
}
