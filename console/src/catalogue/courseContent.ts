import { ApiError, fieldErrors } from '@/api/errors'
import type { RecordChapter } from '@/api/types/catalogue'

type Chapter = RecordChapter

/** A lesson while it is typed; `key` tells it from others that have no number yet. */
export interface PeriodDraft {
  key: string
  id?: number | null
  periodName: string
  isFree: boolean
  mediaAssetId?: number
  /** Keys of the files that the lesson brings with it. */
  attachmentKeys: string[]
}

/** A chapter while it is typed. */
export interface ChapterDraft {
  key: string
  id?: number | null
  chapterName: string
  chapterDesc?: string | null
  periods: PeriodDraft[]
}

let made = 0
const newKey = () => {
  made += 1
  return `new-${made}`
}

export const newPeriod = (): PeriodDraft => ({
  key: newKey(),
  periodName: '',
  isFree: false,
  attachmentKeys: [],
})
export const newChapter = (): ChapterDraft => ({ key: newKey(), chapterName: '', periods: [newPeriod()] })

/** Chapters as they were read, ready to be typed into. */
export const draftsOf = (chapters: readonly Chapter[]): ChapterDraft[] =>
  chapters.map((chapter) => ({
    ...chapter,
    key: newKey(),
    periods: chapter.periods.map((period) => ({
      ...period,
      isFree: period.isFree ?? false,
      attachmentKeys: [...(period.attachmentKeys ?? [])],
      key: newKey(),
    })),
  }))

/** The same for another course: its chapters and lessons are new ones, and files stay those of the first. */
export const copiesOf = (chapters: readonly Chapter[]): ChapterDraft[] =>
  draftsOf(chapters).map((chapter) => ({
    ...chapter,
    id: null,
    periods: chapter.periods.map((period) => ({ ...period, id: null, attachmentKeys: [] })),
  }))

const COPY = '（副本）'
const LONGEST_NAME = 60

/** What a copy is called at first; a name has an end. */
export const copyName = (name: string) => `${name.slice(0, LONGEST_NAME - COPY.length)}${COPY}`

const tidy = (text: string | null | undefined) => text?.trim() || null

/** Chapters as the server takes them. */
export const chaptersOf = (drafts: readonly ChapterDraft[]) =>
  drafts.map(({ id, chapterName, chapterDesc, periods }) => ({
    id,
    chapterName: tidy(chapterName),
    chapterDesc: tidy(chapterDesc),
    periods: periods.map((period) => ({
      id: period.id,
      periodName: tidy(period.periodName),
      isFree: period.isFree,
      mediaAssetId: period.mediaAssetId,
      attachmentKeys: period.attachmentKeys,
    })),
  }))

/** The same list with one item a place earlier or later; at its end it stays. */
export const moved = <Item>(items: readonly Item[], index: number, by: 1 | -1): Item[] => {
  const item = items[index]
  const other = items[index + by]
  if (item === undefined || other === undefined) return [...items]
  return items.map((each, at) => (at === index ? other : at === index + by ? item : each))
}

const ofChapters = /^chapters\[(\d+)\](?:\.periods\[(\d+)\])?/

/** Where a sentence about chapters belongs: all of them are one field of the form. */
const placed = ({ field, message }: { field: string; message: string }) => {
  const [found, chapter, period] = ofChapters.exec(field) ?? []
  if (!found) return { field, message }
  const lesson = period === undefined ? '' : `第${Number(period) + 1}课时`
  return { field: 'chapters', message: `第${Number(chapter) + 1}章${lesson}：${message}` }
}

/** A refusal whose sentences stand at the fields of this form. Of several about the chapters, the first is shown. */
export const atItsFields = (error: unknown) => {
  const errors = fieldErrors(error)
  if (!(error instanceof ApiError) || errors.length === 0) return error
  const shown = errors.map(placed)
  const first = shown.filter((each, index) => shown.findIndex(({ field }) => field === each.field) === index)
  return new ApiError(error.code, error.message, first)
}

const CENTS = 100

/** 分 as 元 with its two places. */
export const yuanOf = (fen: number) => (fen / CENTS).toFixed(2)
export const fenOf = (yuan: number) => Math.round(yuan * CENTS)

/** A column of amounts in 分, within a file or a drawer. */
export const yuanColumn = (title: string, dataIndex: string, width = 100) => ({
  title,
  dataIndex,
  width,
  align: 'right' as const,
  className: 'numeric',
  render: (fen: number) => yuanOf(fen),
})

const KIB = 1024

/** Bytes as people read them: `1.5 MB`. */
export const sizeOf = (bytes: number | null | undefined) => {
  if (bytes === null || bytes === undefined) return '—'
  if (bytes < KIB * KIB) return `${Math.max(1, Math.round(bytes / KIB))} KB`
  return `${(bytes / KIB / KIB).toFixed(1)} MB`
}
