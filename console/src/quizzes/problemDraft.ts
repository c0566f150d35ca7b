import type { RowOf } from '@/api/operation'
import {
  answerDraftOf,
  bodyOf,
  newKey,
  newQuestion,
  type Parts,
  type QuestionDraft,
  type QuestionType,
} from '@/question_bank/questionRules'
import type { viewQuizProblem } from './api'

export type ProblemView = RowOf<typeof viewQuizProblem>
type SubView = ProblemView['subQuestions'][number]

/** A question of the site while it is typed: as one of a school's, in a category instead of a bank. */
export interface ProblemDraft extends QuestionDraft {
  categoryId: number
  enabled: boolean
}

const PLAYS = 2

const readParts = (view: ProblemView | SubView): Parts => ({
  type: view.type,
  stem: view.stem,
  options: (view.options ?? []).map(({ letter, content }) => ({
    key: newKey(),
    content,
    right: (view.answer?.letters ?? []).includes(letter),
  })),
  answer: answerDraftOf(view.answer),
  analysis: view.analysis ?? '',
  defaultScore: view.defaultScore ?? 0,
  upload: view.upload ?? undefined,
  allowAttachment: view.allowAttachment ?? false,
})

/** A question as it was read, ready to be typed into. */
export const draftOf = (view: ProblemView): ProblemDraft => ({
  ...readParts(view),
  id: view.id,
  version: view.version,
  categoryId: view.categoryId,
  enabled: view.enabled,
  difficulty: view.difficulty,
  mediaKey: view.mediaKey ?? undefined,
  playLimit: view.playLimit ?? PLAYS,
  // They have no numbers of their own: the whole is saved together.
  subQuestions: view.subQuestions.map((sub) => ({ ...readParts(sub), key: newKey() })),
  knowledgePointIds: [],
  draft: false,
})

export const newProblem = (categoryId: number, type: QuestionType = 'single_choice'): ProblemDraft => ({
  ...newQuestion(type),
  id: 0,
  version: 0,
  categoryId,
  enabled: true,
})

/** What is sent. */
export const problemBody = (typed: ProblemDraft) => {
  const { type, stem, options, answer, analysis, difficulty, defaultScore, mediaKey, playLimit, ...rest } =
    bodyOf(typed)
  return {
    categoryId: typed.categoryId,
    type,
    stem,
    options,
    answer,
    analysis,
    difficulty,
    defaultScore,
    mediaKey,
    playLimit,
    upload: rest.upload,
    allowAttachment: rest.allowAttachment,
    subQuestions: rest.subQuestions,
    enabled: typed.enabled,
  }
}
