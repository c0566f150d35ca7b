import type { LiveChapter } from '@/api/types/catalogue'
import { withZone } from '@/kit/moments'

/** A lesson while it is typed; `key` tells it from others that have no number yet. */
export interface LivePeriodDraft {
  key: string
  id?: number | null
  periodName: string
  isFree: boolean
  liveChannelId?: number
  startsAt?: string
  endsAt?: string
  replayAssetId?: number | null
  /** Keys of the files that the lesson brings with it. */
  attachmentKeys: string[]
}

/** A chapter while it is typed. */
export interface LiveChapterDraft {
  key: string
  id?: number | null
  chapterName: string
  chapterDesc?: string | null
  periods: LivePeriodDraft[]
}

let made = 0
const newKey = () => {
  made += 1
  return `live-${made}`
}

export const newLivePeriod = (): LivePeriodDraft => ({
  key: newKey(),
  periodName: '',
  isFree: false,
  attachmentKeys: [],
})
export const newLiveChapter = (): LiveChapterDraft => ({ key: newKey(), chapterName: '', periods: [newLivePeriod()] })

/** Chapters as they were read, ready to be typed into. */
export const liveDraftsOf = (chapters: readonly LiveChapter[]): LiveChapterDraft[] =>
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

const tidy = (text: string | null | undefined) => text?.trim() || null

/** Chapters as the server takes them: picked times with the product's zone. */
export const liveChaptersOf = (drafts: readonly LiveChapterDraft[]) =>
  drafts.map(({ id, chapterName, chapterDesc, periods }) => ({
    id,
    chapterName: tidy(chapterName),
    chapterDesc: tidy(chapterDesc),
    periods: periods.map(({ key: _, periodName, ...period }) => ({
      ...withZone(period, ['startsAt', 'endsAt']),
      periodName: tidy(periodName),
    })),
  }))
