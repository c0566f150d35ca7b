import type { BodyOf, RowOf } from '@/api/operation'
import type { ChartData } from '@/kit/chartOption'
import { formatPercent, formatTenths } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type {
  listSuperviseCases,
  listSuperviseRules,
  saveSuperviseRule,
  scanSuperviseCases,
  statSuperviseCases,
  viewSuperviseCase,
} from './api'

export type Case = RowOf<typeof listSuperviseCases>
export type Detail = RowOf<typeof viewSuperviseCase>
export type Flag = Detail['flags'][number]
export type Rule = RowOf<typeof listSuperviseRules>
export type Kind = BodyOf<typeof saveSuperviseRule>['kind']
export type ScanFilter = NonNullable<BodyOf<typeof scanSuperviseCases>['filter']>
export type Stat = RowOf<typeof statSuperviseCases>
export type StatRow = Stat['rows'][number]
export type StatBy = BodyOf<typeof statSuperviseCases>['by']

export const levelTones: Partial<Record<Case['level'], Tone>> = { yellow: 'quiet', orange: 'warning', red: 'bad' }
export const statusTones: Partial<Record<Case['status'], Tone>> = {
  open: 'warning',
  following: 'busy',
  relieved: 'good',
  closed: 'quiet',
}

const goesOn = ({ status }: Pick<Case, 'status'>) => status === 'open' || status === 'following'

/** Why something cannot be done with a case now; none where it can. */
export const can = {
  contact: ({ status }: Pick<Case, 'status'>) => (status === 'closed' ? '案例已关闭，不能登记联系' : undefined),
  remind: ({ status, tags }: Pick<Case, 'status' | 'tags'>) =>
    status === 'closed' || tags.length === 0 ? '该生没有预警' : undefined,
  handOver: (row: Pick<Case, 'status'>) => (goesOn(row) ? undefined : '案例已解除或已关闭'),
  follow: ({ status }: Pick<Case, 'status'>) => (status === 'open' ? undefined : '只有待处理的案例可以跟进'),
  /** 05 C3: nobody closes a red case of a student with whom nobody talked. */
  close: (row: Pick<Case, 'status' | 'level' | 'lastContactAt'>) => {
    if (!goesOn(row)) return '案例已解除或已关闭'
    return row.level === 'red' && !row.lastContactAt ? '红色预警须至少联系一次后才能关闭' : undefined
  },
  mute: ({ clearedAt }: Pick<Flag, 'clearedAt'>) => (clearedAt ? '该预警已解除' : undefined),
}

/** What is measured of a flag, in words: points of progress, a number, days or months. */
export const measureWords = ({ kind, value, expected, lack }: Pick<Flag, 'kind' | 'value' | 'expected' | 'lack'>) => {
  switch (kind) {
    case 'video_lag':
      return expected == null
        ? `落后${formatTenths(value)}个百分点`
        : `${formatPercent(expected - value)}，应达${formatPercent(expected)}`
    case 'silent':
      return `${value}天未登录`
    case 'exam_risk':
      return lack ? `还有${value}天，${lack}` : `还有${value}天`
    case 'information':
      return `还有${value}天`
    case 'study_limit':
      return `还有${value}个月`
    case 'fee':
    case 'manual':
      return ''
    default:
      return `共${value}项`
  }
}

/** By what a scan is limited; what became of cases does not limit it. */
const SCANNED = ['gradeId', 'levelId', 'majorId', 'studyForm', 'siteId', 'classId', 'managerId', 'studentId', 'keyword'] as const

/** Of a filter of cases what says whose they are: a scan finds the cases itself. */
export const scannedBy = (filter: ScanFilter): ScanFilter =>
  Object.fromEntries(SCANNED.flatMap((field) => (filter[field] == null ? [] : [[field, filter[field]]])))

/** Of which kinds less is worse. */
const falling: readonly Kind[] = ['exam_risk', 'information', 'study_limit']

const units: Partial<Record<Kind, string>> = {
  video_lag: '个百分点',
  silent: '天',
  exam_risk: '天内',
  information: '天内',
  study_limit: '个月内',
}

export const unitOf = (kind: Kind) => units[kind] ?? '项'

type Thresholds = Pick<Rule, 'yellow' | 'orange' | 'red'>

/** Why the levels of a rule are wrong: each that is used is stricter than those before (05 C2). */
export const thresholdsRefusal = (kind: Kind, { yellow, orange, red }: Thresholds) => {
  const used = [yellow, orange, red].filter((from) => from != null)
  if (used.length === 0) return '请至少填写一级阈值'
  const stricter = used.every((from, at) => {
    const before = used[at - 1]
    if (before == null) return true
    return falling.includes(kind) ? from < before : from > before
  })
  return stricter ? undefined : '三级阈值须依次加严'
}

/** The parameters of a kind, as the server knows them. */
export const paramsOf: Partial<
  Record<Kind, readonly { key: string; label: string; usual: number; least: number; most: number }[]>
> = {
  video_lag: [{ key: 'clearBelow', label: '低于黄色阈值多少分解除', usual: 5, least: 0, most: 50 }],
  homework_due: [{ key: 'days', label: '截止前天数', usual: 3, least: 1, most: 30 }],
  exam_absent: [{ key: 'days', label: '最近天数', usual: 60, least: 1, most: 365 }],
}

const lineOf = (rows: readonly StatRow[], name: string, of: (row: StatRow) => number) => ({
  name,
  points: rows.map((row) => ({ name: row.name, value: of(row) })),
})

/** 每日预警: a line of each level. */
export const daysChart = (rows: readonly StatRow[]): ChartData => ({
  title: '每日预警学生',
  kind: 'line',
  unit: '人',
  series: [
    lineOf(rows, '红色', ({ red }) => red),
    lineOf(rows, '橙色', ({ orange }) => orange),
    lineOf(rows, '黄色', ({ yellow }) => yellow),
  ],
})

/** 预警类型: how many students each has, by level. */
export const kindsChart = (rows: readonly StatRow[]): ChartData => ({
  title: '预警类型',
  kind: 'bar',
  stacked: true,
  unit: '人',
  series: [
    lineOf(rows, '红色', ({ red }) => red),
    lineOf(rows, '橙色', ({ orange }) => orange),
    lineOf(rows, '黄色', ({ yellow }) => yellow),
  ],
})

/** 落后原因, as people were told. */
export const reasonsChart = (rows: readonly StatRow[]): ChartData => ({
  title: '落后原因',
  kind: 'pie',
  unit: '次',
  series: [lineOf(rows, '联系', ({ count }) => count)],
})
