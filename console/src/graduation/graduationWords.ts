import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listDegrees, listDisciplines, listGraduates, listGraduationBatches, listGraduationRules } from './api'

export type Batch = RowOf<typeof listGraduationBatches>
export type Graduate = RowOf<typeof listGraduates>
export type GraduationRule = RowOf<typeof listGraduationRules>
export type Degree = RowOf<typeof listDegrees>
export type Discipline = RowOf<typeof listDisciplines>

export const batchTones: Partial<Record<Batch['status'], Tone>> = {
  draft: 'quiet',
  auditing: 'busy',
  confirmed: 'good',
  registered: 'good',
  archived: 'quiet',
}

export const userTones: Partial<Record<Graduate['status'], Tone>> = {
  listed: 'quiet',
  site_checked: 'busy',
  decided: 'busy',
  confirmed: 'good',
  removed: 'quiet',
  revoked: 'bad',
}

export const resultTones: Partial<Record<Graduate['auditResult'], Tone>> = {
  pending: 'quiet',
  passed: 'good',
  failed: 'bad',
}

export const decisionTones: Partial<Record<Graduate['decision'], Tone>> = {
  none: 'quiet',
  graduate: 'good',
  complete: 'warning',
  delay: 'warning',
  incomplete: 'bad',
}

export const opinionTones: Partial<Record<Graduate['siteOpinion'], Tone>> = {
  none: 'quiet',
  agree: 'good',
  disagree: 'bad',
}

export const degreeTones: Partial<Record<Degree['status'], Tone>> = {
  applied: 'quiet',
  audited: 'busy',
  approved: 'good',
  awarded: 'good',
  refused: 'bad',
}

export const disciplineTones: Partial<Record<Discipline['status'], Tone>> = {
  effective: 'bad',
  released: 'quiet',
  revoked: 'quiet',
}

const OPEN: readonly Graduate['status'][] = ['listed', 'site_checked', 'decided']

/** Why something cannot be done now; nothing where it can. */
export const can = {
  start: ({ status }: Pick<Batch, 'status'>) => (status === 'draft' ? undefined : '批次已启动'),
  audit: ({ status }: Pick<Batch, 'status'>) => (status === 'auditing' ? undefined : '审核中的批次才能办理'),
  confirm: ({ status, total, decided }: Pick<Batch, 'status' | 'total' | 'decided'>) => {
    if (status !== 'auditing') return '审核中的批次才能确认'
    return decided < total ? `还有${total - decided}名学生未终审` : undefined
  },
  register: ({ status }: Pick<Batch, 'status'>) => (status === 'confirmed' ? undefined : '确认后的批次才能注册'),
  report: ({ status }: Pick<Batch, 'status'>) =>
    status === 'confirmed' || status === 'registered' ? undefined : '确认后才能导出',
  archive: ({ status }: Pick<Batch, 'status'>) => (status === 'registered' ? undefined : '注册完成后才能归档'),
  /** Behind the confirmation only the remark, and where and when certificates are fetched. */
  edit: ({ status }: Pick<Batch, 'status'>) => (status === 'archived' ? '毕业批次已归档，不能修改' : undefined),
  remove: ({ status }: Pick<Batch, 'status'>) => (status === 'draft' ? undefined : '只有草稿可以删除'),
  decide: ({ status }: Pick<Graduate, 'status'>) => (OPEN.includes(status) ? undefined : '结论已生效或已移出'),
  revoke: ({ status, decision }: Pick<Graduate, 'status' | 'decision'>) => {
    if (status !== 'confirmed') return '生效的结论才能撤销'
    return decision === 'delay' ? '延期没有改变学籍，不需要撤销' : undefined
  },
  degree: ({ status }: Pick<Degree, 'status'>) => (status === 'applied' || status === 'audited' ? undefined : '已评定'),
  /** Also of whose certificate was void: it gets another number. */
  award: ({ status, certificateNo }: Pick<Degree, 'status' | 'certificateNo'>) =>
    status === 'approved' || (status === 'awarded' && !certificateNo) ? undefined : '评定为授予的才能办理',
  release: ({ status }: Pick<Discipline, 'status'>) => (status === 'effective' ? undefined : '只有生效中的可以解除'),
  amend: ({ status }: Pick<Discipline, 'status'>) => (status === 'effective' ? undefined : '只有生效中的可以编辑'),
  removeDiscipline: ({ violationId }: Pick<Discipline, 'violationId'>) =>
    violationId ? '由考试违规引起，不能删除，可以解除' : undefined,
}

/** The parameters that a condition has: name, words, what they begin with, and the most. */
export interface RuleParam {
  name: string
  label: string
  usual: number
  most: number
  places: 0 | 1
}

const number = (name: string, label: string, usual: number, most: number, places: 0 | 1): RuleParam => ({
  name,
  label,
  usual,
  most,
  places,
})

const params: Readonly<Record<string, readonly RuleParam[]>> = {
  'graduation.duration': [number('toleranceDays', '允许提前天数', 0, 366, 0)],
  'degree.average': [number('least', '最低分', 70, 100, 1)],
  'degree.thesis': [number('least', '最低分', 70, 100, 1)],
  'degree.degree_courses': [
    number('eachLeast', '每门最低分', 60, 100, 1),
    number('meanLeast', '平均最低分', 70, 100, 1),
  ],
  'degree.within': [number('months', '期限(月)', 12, 120, 0)],
  'degree.failures': [number('most', '最多门数', 99, 99, 0)],
}

export const paramsOf = (purpose: string, code: string | undefined): readonly RuleParam[] =>
  params[`${purpose}.${code ?? ''}`] ?? []

/** The conditions by purpose; the list of rules says the code as a text. */
export const ruleCodes: Readonly<
  Record<GraduationRule['purpose'], readonly (readonly [code: string, name: string])[]>
> = {
  graduation: [
    ['status', 'R01 学籍状态'],
    ['duration', 'R02 修业年限'],
    ['credits', 'R03 总学分'],
    ['compulsory', 'R04 必修课程'],
    ['elective', 'R05 选修学分'],
    ['internship', 'R06 实习'],
    ['thesis', 'R07 毕业论文'],
    ['fee', 'R08 缴费'],
    ['discipline', 'R09 处分'],
    ['information', 'R10 毕业登记'],
    ['photo', 'R11 学历照片与三照比对'],
    ['prior_diploma', 'R12 前置学历清查'],
    ['scores_settled', 'R13 成绩无待办'],
  ],
  degree: [
    ['graduated', 'D01 毕业'],
    ['average', 'D02 加权平均分'],
    ['degree_courses', 'D03 学位课程'],
    ['foreign_language', 'D04 外语'],
    ['thesis', 'D05 毕业论文'],
    ['integrity', 'D06 诚信'],
    ['within', 'D07 申请期限'],
    ['failures', 'D08 初考不及格'],
  ],
}

export interface Accepted {
  type: string
  least: number | null
}

/** What a condition on foreign languages accepts, as it is stored. */
export const acceptedIn = (value: unknown): Accepted[] => {
  if (typeof value !== 'object' || value === null || !('accepted' in value) || !Array.isArray(value.accepted)) return []
  return value.accepted.flatMap((each): Accepted[] =>
    typeof each?.type === 'string'
      ? [{ type: each.type, least: typeof each.least === 'number' ? each.least : null }]
      : [],
  )
}

const OF_SCORES: readonly string[] = [
  'credits',
  'compulsory',
  'elective',
  'internship',
  'thesis',
  'scores_settled',
  'average',
  'degree_courses',
  'failures',
]

/** Where what a condition looks at stands: the list, and how it is called. */
export const groundOf = (ruleCode: string): { at: 'scores' | 'discipline' | 'external'; label: string } | undefined => {
  if (OF_SCORES.includes(ruleCode)) return { at: 'scores', label: '查看成绩' }
  if (ruleCode === 'discipline' || ruleCode === 'integrity') return { at: 'discipline', label: '查看处分' }
  return ruleCode === 'foreign_language' ? { at: 'external', label: '查看外语成绩' } : undefined
}
