import type { BodyOf, RowOf } from '@/api/operation'
import type { composePaper, viewPaperComposition } from './api'
import { isParent, sumOf } from './questionRules'

/** A paper while it is put together: order, scores, sums (03 A8). Pure; each change is sent as a whole. */

export type PaperDetail = RowOf<typeof viewPaperComposition>
export type Section = PaperDetail['sections'][number]
export type PaperQuestion = Section['questions'][number]
type Composed = BodyOf<typeof composePaper>['sections']

/** What a step answers: the paper as it would be, or why it cannot be so. */
export type Outcome = { sections: Section[] } | { refusal: string }

const inSteps = (score: number, defaults: readonly number[], step: number) => {
  const whole = sumOf(defaults)
  const shares = defaults.slice(0, -1).map((each) => sumOf([Math.round((score * each) / whole / step) * step]))
  return [...shares, sumOf([score, ...shares.map((share) => -share)])]
}

/** A score handed on to sub-questions in proportion to their own, in halves; what is left goes to the last. One that is too
 * little for halves goes in tenths. */
export const distributed = (score: number, defaults: readonly number[]): number[] => {
  if (sumOf(defaults) <= 0) return [...defaults]
  const tries = [0.5, 0.1].map((step) => inSteps(score, defaults, step))
  return tries.find((shares) => shares.every((share) => share > 0)) ?? [...defaults]
}

export const allQuestions = (sections: readonly Section[]) => sections.flatMap(({ questions }) => questions)

/** How many are chosen, and what they count for. */
export const totalOf = (sections: readonly Section[]) => {
  const questions = allQuestions(sections)
  return { count: questions.length, score: sumOf(questions.map(({ score }) => score)) }
}

/** 已选 45题 / 96.0分 / 目标 100.0分 */
export const totalWords = (sections: readonly Section[], target: number) => {
  const { count, score } = totalOf(sections)
  return `已选 ${count}题 / ${score.toFixed(1)}分 / 目标 ${target.toFixed(1)}分`
}

/** What is missing to the target, or too much. */
export const gapWords = (sections: readonly Section[], target: number) => {
  const gap = sumOf([target, -totalOf(sections).score])
  if (gap === 0) return undefined
  return gap > 0 ? `还差${gap.toFixed(1)}分` : `超出${(-gap).toFixed(1)}分`
}

/** The same with another score; what is handed on to blanks and sub-questions follows it. */
const scored = (question: PaperQuestion, score: number): PaperQuestion => ({
  ...question,
  score,
  blankScores: null,
  subScores: isParent(question.type)
    ? distributed(
        score,
        question.subQuestions.map((sub) => sub.defaultScore),
      )
    : null,
})

const each = (sections: readonly Section[], change: (question: PaperQuestion) => PaperQuestion): Section[] =>
  sections.map((section) => ({ ...section, questions: section.questions.map(change) }))

/** These questions count so much each. */
export const withScore = (sections: readonly Section[], ids: readonly number[], score: number) =>
  each(sections, (question) => (ids.includes(question.questionId) ? scored(question, score) : question))

/** One part of a question counts so much; the question counts what its parts do. */
export const withSubScore = (sections: readonly Section[], id: number, at: number, score: number) =>
  each(sections, (question) => {
    if (question.questionId !== id) return question
    const former = question.subScores ?? question.subQuestions.map((sub) => sub.defaultScore)
    const subScores = former.map((other, index) => (index === at ? score : other))
    return { ...question, subScores, score: sumOf(subScores) }
  })

export const withoutQuestions = (sections: readonly Section[], ids: readonly number[]): Section[] =>
  sections.map((section) => ({
    ...section,
    questions: section.questions.filter(({ questionId }) => !ids.includes(questionId)),
  }))

/** Takes questions to a place of a section; a fixed type takes no other. `words` are those of the types. */
export const movedTo = (
  sections: readonly Section[],
  ids: readonly number[],
  to: number,
  at: number | undefined,
  words: (type: string) => string,
): Outcome => {
  const target = sections[to]
  if (!target) return { refusal: '请选择大题' }
  const moving = allQuestions(sections).filter(({ questionId }) => ids.includes(questionId))
  if (target.type && moving.some(({ type }) => type !== target.type)) {
    return { refusal: `该大题只能放${words(target.type)}` }
  }
  // The place is counted among those that stay.
  const before = target.questions.slice(0, at ?? target.questions.length)
  const place = before.filter(({ questionId }) => !ids.includes(questionId)).length
  const rest = withoutQuestions(sections, ids)
  return {
    sections: rest.map((section, index) =>
      index === to ? { ...section, questions: section.questions.toSpliced(place, 0, ...moving) } : section,
    ),
  }
}

/** One place earlier or later within its section. */
export const stepped = (sections: readonly Section[], id: number, by: 1 | -1): Section[] =>
  sections.map((section) => {
    const at = section.questions.findIndex(({ questionId }) => questionId === id)
    const question = section.questions[at]
    const to = at + by
    if (!question || to < 0 || to >= section.questions.length) return section
    return { ...section, questions: section.questions.toSpliced(at, 1).toSpliced(to, 0, question) }
  })

/** A section one place earlier or later. */
export const sectionStepped = (sections: readonly Section[], at: number, by: 1 | -1): Section[] => {
  const section = sections[at]
  const to = at + by
  if (!section || to < 0 || to >= sections.length) return [...sections]
  return sections.toSpliced(at, 1).toSpliced(to, 0, section)
}

export const orders = { type: '按题型', chapter: '按章节', difficulty: '按难度' } as const
export type Order = keyof typeof orders

/** Each section in another order; what is alike keeps its place. `types` and `difficulties` are in the document's order. */
export const sorted = (
  sections: readonly Section[],
  by: Order,
  types: readonly string[],
  difficulties: readonly string[],
): Section[] => {
  const rank = ({ type, chapterId, difficulty }: PaperQuestion) => {
    if (by === 'type') return types.indexOf(type)
    return by === 'chapter' ? (chapterId ?? Number.MAX_SAFE_INTEGER) : difficulties.indexOf(difficulty)
  }
  return sections.map((section) => ({
    ...section,
    questions: section.questions.toSorted((one, other) => rank(one) - rank(other)),
  }))
}

/** What is sent: order is the order of the arrays. */
export const composedOf = (sections: readonly Section[]): Composed =>
  sections.map(({ id, title, instruction, type, defaultScore, multipleRule, questions }) => ({
    id,
    title,
    instruction,
    type,
    defaultScore,
    multipleRule,
    questions: questions.map(({ questionId, score, blankScores, subScores }) => ({
      questionId,
      score,
      ...(blankScores && { blankScores }),
      ...(subScores && { subScores }),
    })),
  }))

const NUMERALS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十']

/** The title that a new section is offered: 三、填空题. */
export const titleAt = (at: number, words: string) => `${NUMERALS[at] ?? at + 1}、${words}`

/** The number before the first question of each section, from 0. */
export const firstNumbers = (sections: readonly Section[]) =>
  sections.map((_, at) => sections.slice(0, at).reduce((sum, { questions }) => sum + questions.length, 0))

/** Another question in the place of one, for the same score; its parts get theirs from the server. */
export const withReplaced = (sections: readonly Section[], old: number, id: number) =>
  each(sections, (question) =>
    question.questionId === old ? { ...question, questionId: id, blankScores: null, subScores: null } : question,
  )
