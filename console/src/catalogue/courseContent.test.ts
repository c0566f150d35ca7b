import { describe, expect, it } from 'vitest'
import { ApiError, fieldErrors } from '@/api/errors'
import {
  atItsFields,
  chaptersOf,
  copiesOf,
  copyName,
  draftsOf,
  fenOf,
  moved,
  newChapter,
  yuanOf,
} from './courseContent'

describe('the content of a course', () => {
  it('comes back as it was read, without what only the form knows', () => {
    const chapters = [
      {
        id: 3,
        chapterName: '第一章',
        chapterDesc: null,
        periods: [{ id: 7, periodName: '1.1', isFree: true, mediaAssetId: 9, attachmentKeys: ['a.pdf'] }],
      },
    ]
    expect(chaptersOf(draftsOf(chapters))).toEqual(chapters)
    expect(chaptersOf([{ ...newChapter(), chapterName: ' 第二章 ' }])[0]).toMatchObject({
      id: undefined,
      chapterName: '第二章',
      periods: [{ periodName: null, isFree: false, attachmentKeys: [] }],
    })
  })

  it('is new chapters and lessons in a copy', () => {
    const lesson = { id: 7, periodName: '1.1', isFree: true, mediaAssetId: 9, attachmentKeys: ['a.pdf'] }
    const chapters = [{ id: 3, chapterName: '第一章', chapterDesc: null, periods: [lesson] }]
    expect(chaptersOf(copiesOf(chapters))).toEqual([
      { id: null, chapterName: '第一章', chapterDesc: null, periods: [{ ...lesson, id: null, attachmentKeys: [] }] },
    ])
    expect(copyName('大学英语')).toBe('大学英语（副本）')
    expect(copyName('长'.repeat(60))).toHaveLength(60)
  })

  it('moves within its list', () => {
    expect(moved(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
  })

  it('tells which chapter is wrong', () => {
    const refusal = new ApiError(422, '请检查', [
      { field: 'chapters[0].periods[1].mediaAssetId', message: '音视频不能为空' },
      { field: 'chapters[2].chapterName', message: '章节名称“绪论”重复' },
      { field: 'priceSale', message: '优惠价不能高于原价' },
    ])
    expect(fieldErrors(atItsFields(refusal))).toEqual([
      { field: 'chapters', message: '第1章第2课时：音视频不能为空' },
      { field: 'priceSale', message: '优惠价不能高于原价' },
    ])
    const other = new Error('断开')
    expect(atItsFields(other)).toBe(other)
  })

  it('costs whole cents', () => {
    expect([fenOf(199.9), yuanOf(9905)]).toEqual([19990, '99.05'])
  })
})
