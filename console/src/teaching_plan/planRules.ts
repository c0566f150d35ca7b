import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listTeachingPlans, viewTeachingPlan, viewTeachingPlanOfMajor } from './api'

export type Plan = RowOf<typeof listTeachingPlans>
export type PlanView = DataOf<typeof viewTeachingPlan>
/** A plan with all that stands in it. */
export type PlanContent = DataOf<typeof viewTeachingPlanOfMajor>
export type PlanCourse = PlanContent['courses'][number]
export type PlanGroup = PlanContent['groups'][number]
export type PlanCheck = PlanContent['check']

/** A plan's tones by its state. */
export const statusTones: Partial<Record<Plan['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'busy',
  rejected: 'bad',
  effective: 'good',
  superseded: 'quiet',
  withdrawn: 'quiet',
}

type InState = Pick<Plan, 'status'>

/** Whether its head and its courses may be changed. */
export const isOpen = ({ status }: InState) => status === 'draft' || status === 'rejected'

/** Why a step is not to be had now; the server has the last word (03 B1). */
export const can = {
  edit: (plan: InState) => {
    if (isOpen(plan)) return undefined
    if (plan.status === 'submitted') return '待审核的计划请先撤回，再修改'
    return plan.status === 'effective' ? '生效的计划不能修改，请用“修订”生成新版本' : '这个版本不再使用，不能修改'
  },
  delete: ({ status }: InState) => (status === 'draft' ? undefined : '只有草稿可以删除'),
}

/** The terms of a plan, from the first. */
export const termsOf = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

type Measured = Pick<
  PlanCourse,
  'termNo' | 'credits' | 'hours' | 'lectureHours' | 'onlineHours' | 'practiceHours' | 'selfStudyHours'
>

/** What courses come to. */
export interface Sum {
  credits: number
  /** Credits by the number of the term. */
  ofTerm: ReadonlyMap<number, number>
  hours: number
  lectureHours: number
  onlineHours: number
  practiceHours: number
  selfStudyHours: number
}

const TENTHS = 10
const tenthsOf = (credits: number) => Math.round(credits * TENTHS)

/** Adds courses up; credits are added in tenths, so that no half is lost. */
export const sumOf = (courses: readonly Measured[]): Sum => {
  const add = (of: (course: Measured) => number) => courses.reduce((sum, course) => sum + of(course), 0)
  const terms = new Map<number, number>()
  for (const { termNo, credits } of courses) terms.set(termNo, (terms.get(termNo) ?? 0) + tenthsOf(credits))
  return {
    credits: add(({ credits }) => tenthsOf(credits)) / TENTHS,
    ofTerm: new Map([...terms].map(([term, tenths]) => [term, tenths / TENTHS])),
    hours: add(({ hours }) => hours),
    lectureHours: add(({ lectureHours }) => lectureHours),
    onlineHours: add(({ onlineHours }) => onlineHours),
    practiceHours: add(({ practiceHours }) => practiceHours),
    selfStudyHours: add(({ selfStudyHours }) => selfStudyHours),
  }
}

type Typed = Pick<PlanCourse, 'typeId' | 'typeName'>

/** Courses by their type, types and courses in the order in which they came. */
export const byType = <Course extends Typed>(courses: readonly Course[]) => {
  const types = new Map<number, { typeId: number; typeName: string; courses: Course[] }>()
  for (const course of courses) {
    const { typeId, typeName } = course
    const of = types.get(typeId) ?? { typeId, typeName, courses: [] }
    of.courses.push(course)
    types.set(typeId, of)
  }
  return [...types.values()]
}

/** What a check says of one course, the errors first. */
export const problemsOf = ({ errors, warnings }: Pick<PlanCheck, 'errors' | 'warnings'>, courseId: number) =>
  [...errors, ...warnings].filter((problem) => problem.courseId === courseId).map(({ message }) => message)

/** Where a key moves a course: to the term before or after it, if there is one. */
export const termBy = (key: string, termNo: number, termCount: number) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, Home: 1 - termNo, End: termCount - termNo }[key]
  const to = by === undefined ? termNo : termNo + by
  return to === termNo || to < 1 || to > termCount ? undefined : to
}

/** Each grade with each major. */
export const pairsOf = (gradeIds: readonly number[], majorIds: readonly number[]) =>
  gradeIds.flatMap((gradeId) => majorIds.map((majorId) => ({ gradeId, majorId })))

interface Version {
  id: number
  versionNo: number
}

/** With which version another is compared unless one is chosen: the one before it, else any other. */
export const formerOf = (id: number, versions: readonly Version[]) => {
  const own = versions.find((version) => version.id === id)
  const others = versions.filter((version) => version.id !== id).sort((a, b) => b.versionNo - a.versionNo)
  return (others.find(({ versionNo }) => own !== undefined && versionNo < own.versionNo) ?? others[0])?.id
}

type Candidate = Pick<Plan, 'id' | 'status' | 'versionNo'>

/** Which version of a grade and major is shown at first: the one in effect, else the newest. */
export const shownFirst = (plans: readonly Candidate[]) =>
  (
    plans.find(({ status }) => status === 'effective') ??
    [...plans].sort((a, b) => b.versionNo - a.versionNo).find(() => true)
  )?.id

/** What the server found worth a second look, behind what was done. */
export const withWarnings = (done: string, warnings: readonly string[]) =>
  warnings.length > 0 ? `${done}，请核对：${warnings.join('；')}` : done
