import { expect, it } from 'vitest'
import { sizeOf } from './courseContent'
import { liveChaptersOf, liveDraftsOf, newLiveChapter } from './liveContent'

it('a live course comes back as it was read, without what only the form knows', () => {
  const chapters = [
    {
      id: 3,
      chapterName: '第一章',
      chapterDesc: null,
      periods: [
        {
          id: 7,
          periodName: '第一讲',
          isFree: true,
          liveChannelId: 2,
          startsAt: '2026-12-01T19:00:00+08:00',
          endsAt: '2026-12-01T20:30:00+08:00',
          replayAssetId: null,
          attachmentKeys: ['a.pdf'],
        },
      ],
    },
  ]
  expect(liveChaptersOf(liveDraftsOf(chapters))).toEqual(chapters)
})

it('picked times are those of the product', () => {
  const chapter = newLiveChapter()
  const periods = chapter.periods.map((period) => ({ ...period, startsAt: '2026-12-01 19:00:00' }))
  const [sent] = liveChaptersOf([{ ...chapter, chapterName: ' 第一章 ', periods }])
  expect(sent).toMatchObject({ chapterName: '第一章', periods: [{ startsAt: '2026-12-01T19:00:00+08:00' }] })
})

it('sizes are told in words', () => {
  expect([sizeOf(null), sizeOf(10), sizeOf(1_572_864)]).toEqual(['—', '1 KB', '1.5 MB'])
})
