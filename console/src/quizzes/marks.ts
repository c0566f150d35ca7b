import type { QuizMark, QuizMarkItem, QuizQuestion } from '@/api/types/quizzes'
import type { GivenAnswer } from '@/api/types/shared'

/** What a marker types, by the number of the question as a name: a number or a point would be a path of the form. */
export type MarksDraft = Record<string, { score?: number; comment?: string }>

export const keyOf = (seq: string) => `q${seq.replace('.', '_')}`
const seqOf = (key: string) => key.slice(1).replace('_', '.')

/** What was given before, for the questions that a marker decides. */
export const marksDraftOf = (marks: readonly QuizMark[]): MarksDraft =>
  Object.fromEntries(
    marks
      .filter(({ objective }) => !objective)
      .map(({ seq, score, hint, comment }) => [
        keyOf(seq),
        { score: score ?? hint ?? undefined, comment: comment ?? undefined },
      ]),
  )

/** The same as the server takes it. */
export const itemsOf = (draft: MarksDraft): QuizMarkItem[] =>
  Object.entries(draft).flatMap(([key, { score, comment }]) =>
    score === undefined ? [] : [{ seq: seqOf(key), score, comment: comment?.trim() || null }],
  )

/** The numbers under which a question is answered: its parts', where it has some. */
export const seqsOf = ({ seq, parts }: QuizQuestion) => (parts.length > 0 ? parts.map((part) => part.seq) : [seq])

/** An answer in words; a written one is a text with marks. */
export const answerWords = (answer: GivenAnswer | undefined): string => {
  if (!answer) return ''
  if (answer.letters) return answer.letters.join('')
  if (answer.value !== undefined && answer.value !== null) return answer.value ? '正确' : '错误'
  return (answer.texts ?? []).map((text) => text || '（空）').join('；')
}
