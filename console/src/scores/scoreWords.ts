import type { DataOf, RowOf } from '@/api/operation'
import { points } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type { explainAchievement, listAchievements, listScoreCorrections, listScoreRules, listScoreSheets } from './api'

export type Sheet = RowOf<typeof listScoreSheets>
export type Achievement = RowOf<typeof listAchievements>
export type Correction = RowOf<typeof listScoreCorrections>
export type Rule = RowOf<typeof listScoreRules>
export type ScoreKind = Rule['kind']

export const sheetTones: Partial<Record<Sheet['status'], Tone>> = {
  pending: 'quiet',
  entering: 'busy',
  submitted: 'warning',
  first_reviewed: 'warning',
  reviewed: 'warning',
  published: 'good',
  locked: 'good',
  returned: 'bad',
}

export const scoreTones: Partial<Record<NonNullable<Achievement['status']>, Tone>> = {
  computing: 'quiet',
  pending: 'busy',
  published: 'good',
  locked: 'good',
}

export const correctionTones: Partial<Record<Correction['status'], Tone>> = {
  applied: 'busy',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'quiet',
}

export const markTones: Partial<Record<NonNullable<Achievement['mark']>, Tone>> = {
  absent: 'warning',
  deferred: 'busy',
  violation: 'bad',
  cheating: 'bad',
  disqualified: 'bad',
  exempt: 'quiet',
}

/** 76.9%, as the server computed it. */
export const rate = (value: number | null | undefined) =>
  value === null || value === undefined ? '—' : `${points(value)}%`

/** 录入率 in percent with one place; nothing of no rows. */
export const enteredShare = ({ totalCount, enteredCount }: { totalCount: number; enteredCount: number }) =>
  totalCount === 0 ? undefined : Math.round((enteredCount * 1000) / totalCount) / 10

const OF_PAGE = new Set(['pageCurrent', 'pageSize', 'sortField', 'sortOrder'])

/** What a list of sheets was asked for, without its page and order. */
export const sheetFilterOf = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !OF_PAGE.has(name)))

export const sheetName = ({ courseName, className }: Pick<Sheet, 'courseName' | 'className'>) =>
  className ? `${courseName}（${className}）` : courseName

/** 张三《大学英语》. */
export const scoreName = ({ studentName, courseName }: Pick<Achievement, 'studentName' | 'courseName'>) =>
  `${studentName}《${courseName ?? ''}》`

type Origin = NonNullable<Achievement['origin']>

interface Correctable {
  targets: { value: string; label: string }[]
  parts: string[]
  /** What a number means beside another mark; nothing where it is counted again. */
  typed?: string
}

const MARK = { value: 'mark', label: '特殊情况' }

const CORRECTABLE: Record<Origin, Correctable> = {
  examined: {
    targets: [{ value: 'exam', label: '卷面' }, { value: 'component', label: '平时项' }, MARK],
    parts: ['study', 'homework', 'attendance', 'questions'],
    typed: '改为正常时填写卷面成绩；不填为原卷面成绩',
  },
  history: { targets: [{ value: 'exam', label: '总评' }, MARK], parts: [], typed: '改为正常时填写总评' },
  thesis: {
    targets: [{ value: 'component', label: '各项成绩' }, MARK],
    parts: ['internship', 'thesis', 'review', 'defense'],
  },
  internship: { targets: [{ value: 'component', label: '各项评分' }, MARK], parts: ['unit', 'teacher'] },
}

/** What of a score can be corrected: that depends on what it is made of. */
export const correctable = (origin: Origin | null | undefined) => CORRECTABLE[origin ?? 'examined']

type Round = DataOf<typeof explainAchievement>['rounds'][number]

/** The rounds that are out, in their order; of a kind that was sat more than once each has its number. */
export const publishedRounds = (rounds: readonly Round[]) =>
  rounds
    .filter(({ published }) => published)
    .map(({ id, round, roundNo, value, text }) => ({
      id,
      round,
      number: rounds.filter((other) => other.round === round).length > 1 ? roundNo : undefined,
      value,
      text,
    }))

const ENTERED: readonly Sheet['status'][] = ['pending', 'entering', 'returned']
const REJECTED: readonly Sheet['status'][] = ['submitted', 'first_reviewed', 'reviewed']

/** Why a sheet cannot be taken on now; nothing where it can. */
export const can = {
  enter: ({ status }: Pick<Sheet, 'status'>) => (ENTERED.includes(status) ? undefined : '成绩已提交，请先退回登记表'),
  submit: ({ status, enteredCount }: Pick<Sheet, 'status' | 'enteredCount'>) => {
    if (!ENTERED.includes(status)) return '成绩已提交'
    return enteredCount > 0 ? undefined : '还没有录入成绩'
  },
  remove: ({ status, enteredCount }: Pick<Sheet, 'status' | 'enteredCount'>) =>
    status === 'pending' && enteredCount === 0 ? undefined : '只有待录入且没有成绩的可以删除',
  review: ({ status }: Pick<Sheet, 'status'>) => (status === 'submitted' ? undefined : '只有待初审的可以初审'),
  audit: ({ status }: Pick<Sheet, 'status'>) => (status === 'first_reviewed' ? undefined : '只有待终审的可以终审'),
  reject: ({ status }: Pick<Sheet, 'status'>) => (REJECTED.includes(status) ? undefined : '提交后、发布前的可以退回'),
  publish: ({ status }: Pick<Sheet, 'status'>) => (status === 'reviewed' ? undefined : '终审通过后才能发布'),
  unpublish: ({ status }: Pick<Sheet, 'status'>) => (status === 'published' ? undefined : '只有已发布的可以撤回'),
  lock: ({ status }: Pick<Sheet, 'status'>) => (status === 'published' ? undefined : '只有已发布的可以锁定'),
}

/** For whom a rule is: 2026级 专升本 会计学 大学英语, or 全部. */
export const ruleScope = ({ gradeName, levelName, majorName, courseName }: Rule) =>
  [gradeName, levelName, majorName, courseName].filter(Boolean).join(' ') || '全部（默认规则）'

/** Kinds whose rule may name a course. */
export const mayNameCourse = (kind: ScoreKind) => !['thesis', 'review', 'defense', 'graduation_total'].includes(kind)

export const isItems = (kind: ScoreKind) => kind === 'thesis' || kind === 'review' || kind === 'defense'

/** Kinds that a row of 成绩明细 can have. */
export const isComponent = (kind: ScoreKind): kind is 'study' | 'homework' | 'attendance' | 'questions' =>
  kind === 'study' || kind === 'homework' || kind === 'attendance' || kind === 'questions'

/** What a new rule begins with: one that is copied has its scope, its parameters and its remark. */
export const initialRule = (kind: ScoreKind, source: Rule | undefined): Partial<Rule> => ({
  gradeId: source?.gradeId,
  levelId: source?.levelId,
  majorId: source?.majorId,
  courseId: source?.courseId,
  params: source?.params ?? initialParams[kind],
  enabled: true,
  remark: source?.remark,
})

/** With what a new rule begins: the defaults of the specification. */
export const initialParams: Readonly<Record<ScoreKind, object>> = {
  study: { progressWeight: 80, minutesWeight: 20, daysWeight: 0 },
  homework: { method: 'weighted' },
  final_exam: {
    examMinimum: 0,
    makeupMethod: 'exam_only_capped',
    makeupCap: 60,
    makeupLimit: 2,
    finalMakeupLimit: 1,
    absentTotal: 'zero',
    cheatingMakeup: 'none',
    violationMakeup: true,
    disqualifiedMakeup: false,
  },
  attendance: {
    source: 'instruction_total',
    base: 100,
    absentDeduct: 10,
    lateDeduct: 3,
    leaveDeduct: 2,
    floor: 0,
    absenceFailPercent: 33,
  },
  questions: { perQuestion: 10, perAnswer: 5, cap: 100 },
  thesis: {
    items: [
      { code: 'topic', name: '选题', weight: 20 },
      { code: 'content', name: '内容', weight: 40 },
      { code: 'format', name: '规范', weight: 20 },
      { code: 'attitude', name: '态度', weight: 20 },
    ],
    itemsRequired: false,
  },
  review: {
    items: [
      { code: 'novelty', name: '创新', weight: 20 },
      { code: 'argument', name: '论证', weight: 50 },
      { code: 'format', name: '规范', weight: 30 },
    ],
    itemsRequired: false,
  },
  defense: {
    items: [
      { code: 'statement', name: '陈述', weight: 40 },
      { code: 'answers', name: '回答', weight: 40 },
      { code: 'manner', name: '仪态', weight: 20 },
    ],
    itemsRequired: false,
  },
  total: {
    weights: { study: 20, homework: 20, attendance: 0, questions: 0, final_exam: 60 },
    scale: 0,
    passLine: 60,
    missing: { study: 'zero', homework: 'zero', attendance: 'zero', questions: 'zero', final_exam: 'block' },
    gradingMode: 'percent',
    gpaScale: 'linear_5',
  },
  graduation_total: {
    weights: { internship: 0, thesis: 40, review: 20, defense: 40 },
    scale: 0,
    passLine: 60,
    floors: { review: 60, defense: 60 },
    excellentMaxPercent: 15,
    gradingMode: 'five_level',
  },
}

/** 权重之和 of what is typed; nothing while a part is missing or when it comes to a hundred. */
export const weightRefusal = (weights: readonly (number | null | undefined)[]) => {
  const sum = weights.reduce<number>((all, weight) => all + (weight ?? 0), 0)
  return sum === 100 ? undefined : `权重之和必须为100，当前为${sum}`
}

const DETAIL_WORDS: Readonly<Record<string, string>> = {
  progress: '进度',
  minutes: '分钟',
  days: '天数',
  finishedPeriods: '完成课时',
  totalPeriods: '总课时',
  tasks: '作业',
  handed: '已交',
  sessions: '课次',
  absent: '缺勤',
  late: '迟到',
  leave: '请假',
  asked: '提问',
  answered: '回答',
  instructionTotal: '面授总成绩',
}

/** What a component was computed of: 进度 92.5，分钟 450. */
export const detailWords = (detail: unknown) => {
  if (typeof detail !== 'object' || detail === null) return '—'
  const told = Object.entries(detail).filter(
    ([name, value]) => name in DETAIL_WORDS && (typeof value === 'number' || typeof value === 'string'),
  )
  return told.map(([name, value]) => `${DETAIL_WORDS[name]} ${value}`).join('，') || '—'
}

type Scores = Readonly<Record<string, number | undefined>>

/** What a trial sends: the figures that were typed; nothing where none was, so that a student's own count. */
export const tried = <Typed extends object>(
  kind: ScoreKind,
  typed: Typed,
  tasks: readonly (number | undefined)[],
  scores: Scores,
) => {
  const items = Object.entries(scores).flatMap(([code, score]) => (score === undefined ? [] : [{ code, score }]))
  const handed = kind === 'homework' && tasks.some((score) => score !== undefined)
  const nothing = !handed && items.length === 0 && Object.values(typed).every((value) => value === undefined)
  return nothing ? undefined : { ...typed, tasks: handed ? tasks.map((score) => ({ weight: 1, score })) : [], items }
}
