import { ApiError, fieldErrors } from '@/api/errors'
import type { QuizSection } from '@/api/types/quizzes'
import { sumOf } from '@/question_bank/questionRules'

/** A question of a section while the paper is composed. */
export interface ChosenProblem {
  problemId: number
  score: number
  /** What it is, in words. */
  type: string
  stem: string
}

/** A section while it is composed; `key` tells it from others. */
export interface SectionDraft {
  key: number
  title: string
  problems: ChosenProblem[]
}

let made = 0
const newKey = () => {
  made += 1
  return made
}

export const newSection = (title = ''): SectionDraft => ({ key: newKey(), title, problems: [] })

type Known = Pick<ChosenProblem, 'type' | 'stem'>

/** Sections as they were read, ready to be changed. `known` tells what their questions are. */
export const draftsOf = (sections: readonly QuizSection[], known: ReadonlyMap<number, Known>): SectionDraft[] =>
  sections.map(({ title, problems }) => ({
    key: newKey(),
    title,
    problems: problems.map((problem) => ({
      ...problem,
      type: known.get(problem.problemId)?.type ?? '',
      stem: known.get(problem.problemId)?.stem ?? `编号${problem.problemId}`,
    })),
  }))

/** Sections as the server takes them. */
export const sectionsOf = (drafts: readonly SectionDraft[]): QuizSection[] =>
  drafts.map(({ title, problems }) => ({
    title: title.trim(),
    problems: problems.map(({ problemId, score }) => ({ problemId, score })),
  }))

export const countOf = (drafts: readonly SectionDraft[]) =>
  drafts.reduce((sum, { problems }) => sum + problems.length, 0)

export const totalOf = (drafts: readonly SectionDraft[]) =>
  sumOf(drafts.flatMap(({ problems }) => problems.map(({ score }) => score)))

/** Every question that is in the paper already: it cannot come in twice. */
export const chosenIn = (drafts: readonly SectionDraft[]) =>
  new Set(drafts.flatMap(({ problems }) => problems.map(({ problemId }) => problemId)))

/** Why a paper cannot be handed in as it is; a draft may. */
export const sectionsRefusal = (drafts: readonly SectionDraft[], total: number, whole: boolean) => {
  const unnamed = drafts.findIndex(({ title }) => title.trim() === '')
  if (unnamed >= 0) return `请填写第${unnamed + 1}大题的标题`
  if (!whole) return undefined
  if (countOf(drafts) === 0) return '请先选择试题'
  const sum = totalOf(drafts)
  return sum === total ? undefined : `题目分值合计${sum}，与总分${total}不一致`
}

const ofSections = /^sections\[(\d+)\](?:\.problems\[(\d+)\])?/

const placed = ({ field, message }: { field: string; message: string }) => {
  const [found, section, problem] = ofSections.exec(field) ?? []
  if (!found) return { field, message }
  const asked = problem === undefined ? '' : `第${Number(problem) + 1}题`
  return { field: 'sections', message: `第${Number(section) + 1}大题${asked}：${message}` }
}

/** A refusal whose sentences stand at the fields of this form. Of several about the sections, the first is shown. */
export const atItsFields = (error: unknown) => {
  const errors = fieldErrors(error)
  if (!(error instanceof ApiError) || errors.length === 0) return error
  const shown = errors.map(placed)
  const first = shown.filter((each, index) => shown.findIndex(({ field }) => field === each.field) === index)
  return new ApiError(error.code, error.message, first)
}
