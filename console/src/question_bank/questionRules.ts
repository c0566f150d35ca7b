import { ApiError, fieldErrors } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import type { listQuestions, saveQuestion, viewQuestion } from './api'

/** Questions as they are typed, and as the server takes them (03 A7). Pure; the server repeats every check. */

export type Question = RowOf<typeof listQuestions>
export type QuestionView = RowOf<typeof viewQuestion>
export type QuestionBody = BodyOf<typeof saveQuestion>
export type QuestionType = Question['type']
export type Difficulty = Question['difficulty']
export type Answer = NonNullable<QuestionBody['answer']>
export type Option = NonNullable<QuestionBody['options']>[number]
export type Upload = NonNullable<QuestionBody['upload']>
type SubView = QuestionView['subQuestions'][number]
type SubBody = NonNullable<QuestionBody['subQuestions']>[number]
type Blank = NonNullable<Answer['blanks']>[number]
type Point = NonNullable<Answer['points']>[number]

/** What is written into a stem for a blank, and how blanks are found in it. */
export const BLANK = '____'
const BLANKS = /_{3,}/g

export const MOST_OPTIONS = 26
export const MOST_SUB_QUESTIONS = 20
export const MOST_CHARACTERS = 20_000
/** Of an analysis and of a reference answer. */
export const MOST_ANALYSIS = 10_000

const CHOICES: readonly string[] = ['single_choice', 'multiple_choice']
const PARENTS: readonly string[] = ['case_analysis', 'listening']
const WRITTEN: readonly string[] = ['short_answer', 'essay', 'file_upload']

export const isChoice = (type: string | undefined) => type !== undefined && CHOICES.includes(type)
/** Has questions of its own below it. */
export const isParent = (type: string | undefined) => type !== undefined && PARENTS.includes(type)
/** Is answered by a text or a file, and marked by a person. */
export const isWritten = (type: string | undefined) => type !== undefined && WRITTEN.includes(type)

export const letterAt = (at: number) => String.fromCharCode('A'.charCodeAt(0) + at)

/** An option while it is typed: its letter follows from its place, and whether it is right moves with it. */
export interface Choice {
  key: number
  content: string
  right: boolean
}

/** A blank while it is typed: what is accepted stands in one line, parted by `|` as in the sheets. */
export interface BlankDraft extends Omit<Blank, 'accept'> {
  key: number
  accept: string
}

export interface PointDraft extends Point {
  key: number
}

export interface AnswerDraft {
  value?: boolean
  blanks?: BlankDraft[]
  unordered?: boolean
  manual?: boolean
  text?: string
  points?: PointDraft[]
}

export interface Parts {
  type: QuestionType
  stem: string
  options: Choice[]
  answer: AnswerDraft
  analysis: string
  defaultScore: number
  upload?: Upload
  allowAttachment: boolean
  /** Its answer is not shown to whoever types, and stays as it is. */
  unseen?: boolean
}

export interface SubDraft extends Parts {
  key: number
  id?: number
}

export interface QuestionDraft extends Parts {
  id: number
  version: number
  bankId?: number
  chapterId?: number
  knowledgePointIds: number[]
  difficulty: Difficulty
  mediaKey?: string
  playLimit: number
  subQuestions: SubDraft[]
  draft: boolean
}

let made = 0
/** Tells what is typed from its sisters, which have no number yet. */
export const newKey = () => {
  made += 1
  return made
}

export const newChoice = (): Choice => ({ key: newKey(), content: '', right: false })
export const newBlank = (score = 1): BlankDraft => ({ key: newKey(), accept: '', match: 'loose', score })
export const newPoint = (): PointDraft => ({ key: newKey(), text: '', score: 1 })
export const newChoices = () => Array.from({ length: 4 }, newChoice)
export const anyUpload = (): Upload => ({ extensions: ['pdf', 'doc', 'docx'], maxFiles: 1, maxSizeMb: 20 })

const partsOf = (type: QuestionType, defaultScore: number): Parts => ({
  type,
  stem: '',
  options: isChoice(type) ? newChoices() : [],
  answer: type === 'fill_blank' ? { blanks: [newBlank()] } : {},
  analysis: '',
  defaultScore,
  upload: type === 'file_upload' ? anyUpload() : undefined,
  allowAttachment: false,
})

export const newSub = (type: QuestionType = 'single_choice'): SubDraft => ({ ...partsOf(type, 2), key: newKey() })

/** How often a recording may be played at first; 0 is as often as one likes. */
const PLAYS = 2

export const newQuestion = (type: QuestionType): Omit<QuestionDraft, 'id' | 'version'> => ({
  ...partsOf(type, isWritten(type) ? 10 : 2),
  knowledgePointIds: [],
  difficulty: 'medium',
  playLimit: PLAYS,
  subQuestions: isParent(type) ? [newSub()] : [],
  draft: false,
})

/** A question of another type: the stem stays, and between the two kinds of choices the options too. */
export const switched = <Typed extends Parts>(typed: Typed, type: QuestionType): Typed => {
  const { stem, analysis, defaultScore } = typed
  const next = { ...typed, ...partsOf(type, defaultScore), stem, analysis }
  if (!isChoice(type) || !isChoice(typed.type)) return next
  const first = typed.options.findIndex(({ right }) => right)
  const options = typed.options.map((option, at) => ({
    ...option,
    right: option.right && (type === 'multiple_choice' || at === first),
  }))
  return { ...next, options }
}

const choicesOf = (options: readonly Option[], letters: readonly string[]): Choice[] =>
  options.map(({ letter, content }) => ({ key: newKey(), content, right: letters.includes(letter) }))

/** An answer as it was read, ready to be typed into. */
export const answerDraftOf = (answer: Answer | null | undefined): AnswerDraft => ({
  value: answer?.value ?? undefined,
  blanks: answer?.blanks?.map(({ accept, ...blank }) => ({ ...blank, key: newKey(), accept: accept.join('|') })),
  unordered: answer?.unordered ?? undefined,
  manual: answer?.manual ?? undefined,
  text: answer?.text ?? undefined,
  points: answer?.points?.map((point) => ({ ...point, key: newKey() })),
})

const readParts = (view: QuestionView | SubView, unseen: boolean): Parts => ({
  unseen,
  type: view.type,
  stem: view.stem,
  options: choicesOf(view.options, view.answer?.letters ?? []),
  answer: answerDraftOf(view.answer),
  analysis: view.analysis ?? '',
  defaultScore: view.defaultScore,
  upload: view.upload ?? undefined,
  allowAttachment: view.allowAttachment,
})

/** A question as it was read, ready to be typed into; `unseen` where its answers stay as they are, not being shown. */
export const draftOf = (view: QuestionView, unseen = false): QuestionDraft => ({
  ...readParts(view, unseen),
  id: view.id,
  version: view.version,
  bankId: view.bankId,
  chapterId: view.chapterId ?? undefined,
  knowledgePointIds: view.knowledgePointIds,
  difficulty: view.difficulty,
  mediaKey: view.mediaKey ?? undefined,
  playLimit: view.playLimit ?? PLAYS,
  subQuestions: view.subQuestions.map((sub) => ({ ...readParts(sub, unseen), key: newKey(), id: sub.id })),
  draft: view.status === 'draft',
})

const lines = (text: string | undefined) => text?.trim() || null

/** The alternatives of a blank that were typed in one line. */
export const acceptedIn = (text: string) =>
  text
    .split('|')
    .map((each) => each.trim())
    .filter(Boolean)

/** The answer as the server takes it: what belongs to the type, and nothing else. */
export const answerOf = ({ type, options, answer }: Pick<Parts, 'type' | 'options' | 'answer'>): Answer | null => {
  if (isParent(type)) return null
  if (isChoice(type)) return { letters: options.flatMap(({ right }, at) => (right ? letterAt(at) : [])) }
  if (type === 'true_false') return { value: answer.value }
  if (type === 'fill_blank') {
    return {
      blanks: (answer.blanks ?? []).map(({ accept, match, score, tolerance }) => ({
        accept: acceptedIn(accept),
        match,
        score,
        tolerance: match === 'number' ? (tolerance ?? 0) : null,
      })),
      unordered: answer.unordered ?? false,
      manual: answer.manual ?? false,
    }
  }
  const points = (answer.points ?? []).map(({ text, score }) => ({ text: text.trim(), score }))
  return { text: lines(answer.text), ...(type !== 'file_upload' && points.length > 0 && { points }) }
}

const bodyParts = (parts: Omit<Parts, 'defaultScore'>) => ({
  type: parts.type,
  stem: parts.stem,
  options: isChoice(parts.type) ? parts.options.map(({ content }, at) => ({ letter: letterAt(at), content })) : [],
  answer: parts.unseen ? null : answerOf(parts),
  analysis: parts.unseen ? null : lines(parts.analysis),
  upload: parts.type === 'file_upload' || parts.allowAttachment ? (parts.upload ?? anyUpload()) : null,
  allowAttachment: parts.type === 'essay' && parts.allowAttachment,
})

const tenths = (score: number) => Math.round(score * 10)

/** Σ of scores with one place, without the errors of binary fractions. */
export const sumOf = (scores: readonly number[]) => scores.reduce((sum, score) => sum + tenths(score), 0) / 10

/** What a question counts for: a parent the sum of its own. */
export const scoreOf = ({
  type,
  defaultScore,
  subQuestions,
}: Pick<QuestionDraft, 'type' | 'defaultScore' | 'subQuestions'>) =>
  isParent(type) ? sumOf(subQuestions.map((sub) => sub.defaultScore)) : defaultScore

const subBody = ({ id, defaultScore, ...parts }: SubDraft): SubBody => ({ id, ...bodyParts(parts), defaultScore })

/** What is sent. The form's fields that the type does not have are left out. */
export const bodyOf = (typed: QuestionDraft) => ({
  bankId: typed.bankId,
  ...bodyParts(typed),
  chapterId: typed.chapterId ?? null,
  knowledgePointIds: typed.knowledgePointIds,
  difficulty: typed.difficulty,
  // A parent counts what its own count; the server sums them up.
  defaultScore: isParent(typed.type) ? null : typed.defaultScore,
  mediaKey: typed.type === 'listening' ? (typed.mediaKey ?? null) : null,
  playLimit: typed.type === 'listening' ? typed.playLimit : null,
  subQuestions: isParent(typed.type) ? typed.subQuestions.map(subBody) : [],
  draft: typed.draft,
})

/** The words of a text with marks: what is compared, and what blanks are counted in. */
export const wordsIn = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const isBlankText = (html: string) => wordsIn(html) === '' && !/<(img|span)\b/.test(html)

export const blanksIn = (stem: string) => wordsIn(stem.replace(/<[^>]*>/g, '')).match(BLANKS)?.length ?? 0

/** Why options and what is right of them cannot stay so. */
export const optionsRefusal = (type: QuestionType, options: readonly Choice[], unseen = false) => {
  if (!isChoice(type)) return undefined
  if (options.length < 2) return '至少需要2个选项'
  if (options.length > MOST_OPTIONS) return '选项最多26个(A–Z)'
  const empty = options.findIndex(({ content }) => isBlankText(content))
  if (empty >= 0) return `请填写选项${letterAt(empty)}`
  const texts = options.map(({ content }) => (/<(img|span)\b/.test(content) ? content : wordsIn(content)))
  const again = texts.findIndex((text, at) => texts.indexOf(text) < at)
  if (again >= 0) return `选项${letterAt(texts.indexOf(texts[again] ?? ''))}与${letterAt(again)}内容相同`
  if (unseen) return undefined
  const right = options.filter((option) => option.right).length
  if (type === 'single_choice') return right === 1 ? undefined : '请选择1个正确选项'
  return right >= 2 ? undefined : '多选题至少有2个正确选项'
}

const blanksRefusal = ({ stem, answer, defaultScore }: Pick<Parts, 'stem' | 'answer' | 'defaultScore'>) => {
  const blanks = answer.blanks ?? []
  const wanted = blanksIn(stem)
  if (wanted === 0) return '请在题干中用“____”标出要填的空'
  if (wanted !== blanks.length) return `题干有${wanted}个空，答案有${blanks.length}个`
  const empty = blanks.findIndex(({ accept }) => acceptedIn(accept).length === 0)
  if (empty >= 0) return `请填写第${empty + 1}空的答案`
  const notNumber = blanks.findIndex(
    ({ match, accept }) => match === 'number' && acceptedIn(accept).some((each) => !/^[-+]?\d+(\.\d+)?$/.test(each)),
  )
  if (notNumber >= 0) return `第${notNumber + 1}空按数值比较，答案应为数字`
  const sum = sumOf(blanks.map(({ score }) => score))
  return sum === defaultScore ? undefined : `各空分值合计${sum.toFixed(1)}，与分值${defaultScore.toFixed(1)}不一致`
}

/** Why an answer cannot stay so. Choices have theirs in their options. */
export const answerRefusal = (parts: Pick<Parts, 'type' | 'stem' | 'answer' | 'defaultScore' | 'unseen'>) => {
  if (parts.unseen) return undefined
  if (parts.type === 'single_choice' || parts.type === 'multiple_choice') return undefined
  if (parts.type === 'true_false') return parts.answer.value === undefined ? '请选择正确或错误' : undefined
  if (parts.type === 'fill_blank') return blanksRefusal(parts)
  if (parts.type !== 'file_upload' && isBlankText(parts.answer.text ?? '')) return '请输入参考答案'
  const points = parts.answer.points ?? []
  if (points.some(({ text }) => !text.trim())) return '请填写得分点，或删除空行'
  const sum = sumOf(points.map(({ score }) => score))
  return points.length > 0 && sum !== parts.defaultScore
    ? `得分点合计${sum.toFixed(1)}，与分值${parts.defaultScore.toFixed(1)}不一致`
    : undefined
}

/** Why sub-questions cannot stay so: the first that is wrong. */
export const subsRefusal = (type: QuestionType, subs: readonly SubDraft[]) => {
  if (!isParent(type)) return undefined
  if (subs.length === 0) return '至少需要1个小题'
  for (const [at, sub] of subs.entries()) {
    const refusal = isBlankText(sub.stem)
      ? '请输入题干'
      : (optionsRefusal(sub.type, sub.options, sub.unseen) ?? answerRefusal(sub))
    if (refusal) return `第${at + 1}小题：${refusal}`
  }
  return undefined
}

export const stemRefusal = (stem: string | undefined) => (stem && !isBlankText(stem) ? undefined : '请输入题干')

const ofSub = /^subQuestions\[(\d+)\]/

/** Where a sentence of the server belongs: sub-questions are one field of the form, and so are options with what is right. */
const placed = (type: QuestionType, { field, message }: { field: string; message: string }) => {
  const sub = ofSub.exec(field)?.[1]
  if (sub !== undefined) return { field: 'subQuestions', message: `第${Number(sub) + 1}小题：${message}` }
  return { field: field.startsWith('answer') && isChoice(type) ? 'options' : field, message }
}

/** A refusal whose sentences stand at the fields of this form. */
export const atItsFields = (type: QuestionType, error: unknown) => {
  const errors = fieldErrors(error)
  if (!(error instanceof ApiError) || errors.length === 0) return error
  return new ApiError(
    error.code,
    error.message,
    errors.map((each) => placed(type, each)),
  )
}

/** The right answer in words; that of a question which a person marks is a text with marks. */
export const answerWords = (type: QuestionType, answer: Answer | null | undefined): string => {
  if (!answer) return ''
  if (isChoice(type)) return (answer.letters ?? []).join('')
  if (type === 'true_false') return answer.value === true ? '正确' : answer.value === false ? '错误' : ''
  if (type === 'fill_blank') {
    const blanks = answer.blanks ?? []
    return blanks
      .map(({ accept, tolerance }) => accept.join('或') + (tolerance ? `（±${tolerance}）` : ''))
      .join(answer.unordered ? '、' : '；')
  }
  return ''
}

/** What may be handed in, in words. */
export const uploadWords = ({ extensions, maxFiles, maxSizeMb }: Upload) =>
  `${extensions.join('、')}，最多${maxFiles}个文件，每个不超过${maxSizeMb}MB`
