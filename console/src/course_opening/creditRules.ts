import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { editCourseCredits, listCourseCredits } from './api'

export type Credit = RowOf<typeof listCourseCredits>
export type Edited = DataOf<typeof editCourseCredits>
export type Item = BodyOf<typeof editCourseCredits>['items'][number]

/** The numbers of a course in a plan that may be changed here. */
export const numbers = ['credits', 'lectureHours', 'onlineHours', 'practiceHours', 'selfStudyHours'] as const
export type NumberName = (typeof numbers)[number]
/** What was typed of a course; what was not is left out. */
export type Typed = Partial<Record<NumberName, number>>
/** By the number of the course in its plan. */
export type Draft = ReadonlyMap<number, { row: Credit; typed: Typed }>

type InPlan = Pick<Credit, 'opened' | 'planStatus'>

/** Why a course keeps its credits now; the server has the last word (03 B2). */
export const whyFixed = ({ opened, planStatus }: InPlan) => {
  if (opened) return '已开课的课程不能修改学分学时'
  return planStatus === 'submitted' ? '待审核的计划不能修改，请先撤回或审核' : undefined
}

/** The draft with a number of a course; one that is as before is no change. */
export const withTyped = (draft: Draft, row: Credit, name: NumberName, value: number | undefined): Draft => {
  const { [name]: _, ...others } = draft.get(row.id)?.typed ?? {}
  const typed: Typed = value === undefined || value === row[name] ? others : { ...others, [name]: value }
  const after = new Map(draft)
  if (Object.keys(typed).length > 0) after.set(row.id, { row, typed })
  else after.delete(row.id)
  return after
}

/** What is sent of a draft. */
export const itemsOf = (draft: Draft): Item[] =>
  [...draft.values()].map(({ row, typed }) => ({ planCourseId: row.id, version: row.version, ...typed }))

/** The same numbers for several courses; those that keep theirs are left out. */
export const itemsFor = (rows: readonly Credit[], typed: Typed): Item[] =>
  rows.filter((row) => !whyFixed(row)).map(({ id, version }) => ({ planCourseId: id, version, ...typed }))

/** The plans in effect that a change would revise, by name. */
export const revisedBy = (rows: readonly Credit[]) => [
  ...new Set(rows.filter(({ planStatus }) => planStatus === 'effective').map(({ planName }) => planName)),
]

/** What was done, plan by plan, in a sentence. */
export const editedWords = ({ done, plans }: Pick<Edited, 'done' | 'plans'>) => {
  const inEffect = plans.filter(({ revised, status }) => revised && status === 'effective').length
  const waiting = plans.filter(({ revised, status }) => revised && status === 'submitted').length
  const unfinished = plans.filter(({ revised, status }) => revised && status === 'draft').length
  return [
    `已修改${done}门课程`,
    ...(inEffect > 0 ? [`${inEffect}份计划的新版本已生效`] : []),
    ...(waiting > 0 ? [`${waiting}份计划的新版本待审核`] : []),
    ...(unfinished > 0 ? [`${unfinished}份计划的新版本为草稿，请完善后提交`] : []),
  ].join('，')
}

type Sums = Pick<Credit, 'planCompulsory' | 'planCompulsoryRequired'>

/** Whether the compulsory courses of a plan come to what it asks for. */
export const isComplete = ({ planCompulsory, planCompulsoryRequired }: Sums) =>
  Math.round(planCompulsory * 10) === Math.round(planCompulsoryRequired * 10)
