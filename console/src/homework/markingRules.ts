import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listMarking, listMarkingProgress, listSimilarSheets, saveMarks, viewSheet } from './api'

/** Sheets as they are marked (03 B7). Pure; the server repeats every check. */

export type Sheet = RowOf<typeof listMarking>
export type Progress = RowOf<typeof listMarkingProgress>
export type Pair = RowOf<typeof listSimilarSheets>
export type Paper = DataOf<typeof viewSheet>
export type Item = Paper['items'][number]
export type Annotation = Item['annotations'][number]
export type Marks = BodyOf<typeof saveMarks>

/** What a marker gave to an answer so far. */
export interface Mark {
  score: number | null
  comment: string
  annotations: readonly Annotation[]
}

/** Marks by the number of the item. */
export type Given = ReadonlyMap<number, Mark>

export const sheetTones: Partial<Record<Sheet['markState'], Tone>> = {
  in_progress: 'busy',
  submitted: 'warning',
  marked: 'good',
  returned: 'bad',
  void: 'quiet',
}

export const verdictTones: Partial<Record<Pair['verdict'], Tone>> = {
  open: 'warning',
  confirmed: 'bad',
  dismissed: 'quiet',
}

/** 张三《第一次作业》; of whom nobody shall know, the attempt alone. */
export const sheetName = ({ name, title }: Pick<Sheet, 'name' | 'title'>) => `${name}《${title}》`

const tenths = (value: number) => Math.round(value * 10)

export const markOf = ({ score, comment, annotations }: Item): Mark => ({
  score: score ?? null,
  comment: comment ?? '',
  annotations,
})

/** Whether a marker has to look at it: what the machine marked, and what is another's, is only shown. */
export const isMine = ({ markState, ofAnother }: Item) => markState !== 'auto' && !ofAnother

/** How an item stands for the marker: grey, orange or green in the navigator. */
export const standing = (item: Item, given: Given) => {
  if (!isMine(item)) return 'auto'
  return typeof given.get(item.itemId)?.score === 'number' ? 'marked' : 'pending'
}

/** Why a score cannot be given. */
export const scoreRefusal = ({ seq, fullScore }: Pick<Item, 'seq' | 'fullScore'>, score: number | null) =>
  score !== null && (score < 0 || tenths(score) > tenths(fullScore))
    ? `第${seq}题得分应在0–${fullScore.toFixed(1)}之间`
    : undefined

const same = (one: Mark, other: Mark) => JSON.stringify(one) === JSON.stringify(other)

/** What changed since the sheet was read, as it is sent. */
export const marksOf = (
  { sheetId, items }: Pick<Paper, 'sheetId' | 'items'>,
  version: number,
  given: Given,
): Marks => ({
  sheetId,
  version,
  items: items.filter(isMine).flatMap((item) => {
    const mark = given.get(item.itemId)
    if (!mark || same(mark, markOf(item))) return []
    return [
      {
        itemId: item.itemId,
        score: mark.score,
        comment: mark.comment.trim() || null,
        annotations: [...mark.annotations],
      },
    ]
  }),
})

/** What the marks come to, before what a late sheet loses. */
export const totalOf = (items: readonly Item[], given: Given) =>
  items.reduce(
    (sum, item) => sum + tenths(isMine(item) ? (given.get(item.itemId)?.score ?? 0) : (item.score ?? 0)),
    0,
  ) / 10

/** The next that waits for a mark, after this one and then from the beginning; else the next at all. */
export const nextOf = (items: readonly Item[], given: Given, at: number) => {
  const order = [...items.keys()].map((step) => (at + 1 + step) % items.length)
  return (
    order.find((index) => index !== at && standing(items[index] as Item, given) === 'pending') ??
    Math.min(at + 1, items.length - 1)
  )
}

/** Whether nothing of the sheet waits for this marker any more: then its marks are submitted, else they are kept. */
export const isDone = (items: readonly Item[], given: Given) =>
  items.every((item) => standing(item, given) !== 'pending')

/** The next sheet of a queue that nobody has open and that was not seen in it before. */
export const nextSheet = (sheets: readonly Pick<Sheet, 'id' | 'lockedByName'>[], passed: ReadonlySet<number>) =>
  sheets.find(({ id, lockedByName }) => !passed.has(id) && !lockedByName)?.id

/** Scores that are one press away: none, half, all, in the school's steps. */
export const quickScores = (fullScore: number, step: number) => {
  const half = Math.round(fullScore / 2 / step) * step
  return [...new Set([0, Number(half.toFixed(1)), fullScore])]
}

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** The words of an answer with their lines: in it annotations are counted. */
export const linesIn = (html: string) =>
  html
    .replace(/<br\s*\/?>|<\/(?:p|li|tr|div|h[1-6])>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(nbsp|lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trimEnd()

/** Whether an answer has what plain words do not show. */
export const isRich = (html: string) => /<(?:img|table|span)\b/i.test(html)

export interface Range {
  from: number
  to: number
}

export interface Piece {
  text: string
  from: number
  /** The ranges that it lies in, by their places in the list. */
  within: number[]
}

/** A text cut where ranges begin and end. */
export const piecesOf = (text: string, ranges: readonly Range[]): Piece[] => {
  const inside = (place: number) => Math.max(0, Math.min(text.length, place))
  const cuts = [...new Set([0, text.length, ...ranges.flatMap(({ from, to }) => [inside(from), inside(to)])])]
  const places = cuts.sort((a, b) => a - b)
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1] ?? text.length
    const within = [...ranges.keys()].filter((index) => {
      const range = ranges[index] as Range
      return range.from <= from && to <= range.to
    })
    return { text: text.slice(from, to), from, within }
  })
}

/** Fragments of a pair are counted in whole characters, of which some have two places in a text. */
export const placesIn = (text: string, [from = 0, to = 0]: readonly number[]): Range => {
  const letters = Array.from(text)
  const before = letters.slice(0, from).join('').length
  return { from: before, to: before + letters.slice(from, to).join('').length }
}
