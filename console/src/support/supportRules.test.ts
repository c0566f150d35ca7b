// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { ArticleDetail, Category } from './desks'
import {
  articleOf,
  can,
  filterOf,
  namedCategories,
  outlineOf,
  paragraphs,
  restored,
  shifted,
  shiftRefusal,
  waited,
} from './supportRules'

const article: ArticleDetail = {
  id: 7,
  version: 4,
  source: 'school',
  categoryId: 1,
  categoryName: '报名',
  title: '第四版',
  keywords: ['缴费'],
  content: '<p>四</p>',
  pictures: [],
  fileIds: [9],
  attachments: [],
  videoAssetId: null,
  videoTitle: null,
  schoolIds: [],
  schoolNames: [],
  pinned: true,
  sort: 3,
  status: 'published',
  publishAt: null,
  offlineAt: null,
  versionNo: 3,
  changed: true,
  publishedAt: null,
  viewCount: 0,
  helpful: 0,
  unhelpful: 0,
  helpfulRate: null,
  hidden: false,
  hiddenSchools: 0,
  createdAt: '2026-03-01T08:00:00+08:00',
  updatedAt: '2026-03-01T08:00:00+08:00',
  versions: [],
}

it('says why an article stays as it is', () => {
  const standing = { status: 'published', changed: false, publishAt: null } as const
  expect(can.publish(standing)).toBe('没有未发布的修改，无需再次发布')
  expect(can.publish({ ...standing, changed: true })).toBeUndefined()
  expect(can.remove(standing)).toBe('已发布的文章请先下线')
  expect(can.offline({ ...standing, status: 'draft' })).toBe('只有已发布的文章可以下线')
  expect(can.offline({ ...standing, status: 'draft', publishAt: '2026-03-01T08:00:00+08:00' })).toBeUndefined()
  expect(can.answer({ status: 'closed' })).toBe('咨询已关闭')
})

it('lets the asker add to a question as long as the server does', () => {
  const own = { status: 'replied', own: true, mayAppend: true } as const
  expect(can.append(own)).toBeUndefined()
  expect(can.append({ ...own, mayAppend: false })).toBe('回复已超过15天，不能继续追问，请重新提交咨询')
  expect(can.append({ ...own, status: 'closed', mayAppend: false })).toBe('咨询已关闭')
  expect(can.append({ ...own, own: false })).toBe('只有提问人可以办理')
  expect(can.end({ ...own })).toBeUndefined()
  expect(can.end({ ...own, status: 'closed' })).toBe('咨询已关闭')
})

it('restores a version that differs from what is written', () => {
  expect(can.restore({ versionNo: 3, changed: false }, 3)).toBe('正在编辑的内容就是该版本，无需恢复')
  expect(can.restore({ versionNo: 3, changed: true }, 3)).toBeUndefined()
  expect(can.restore({ versionNo: 3, changed: false }, 2)).toBeUndefined()
})

it('keeps what is pinned before the others', () => {
  const sisters = [{ pinned: true }, { pinned: true }, { pinned: false }]
  expect(shiftRefusal(sisters, 0, -1)).toBe('已经是第一篇')
  expect(shiftRefusal(sisters, 0, 1)).toBeUndefined()
  expect(shiftRefusal(sisters, 1, 1)).toBe('置顶的文章始终在其他文章之前')
  expect(shiftRefusal(sisters, 2, -1)).toBe('置顶的文章始终在其他文章之前')
  expect(shiftRefusal(sisters, 2, 1)).toBe('已经是最后一篇')
})

it('restores what a version had and leaves the rest', () => {
  const former = { ...article, title: '第二版', content: '<p>二</p>', fileIds: [], pinned: false, sort: 0 }
  expect(restored(article, former)).toMatchObject({
    id: 7,
    version: 4,
    title: '第二版',
    content: '<p>二</p>',
    fileIds: [],
    pinned: true,
    sort: 3,
  })
})

it('makes an article of what was answered', () => {
  const asked = { title: '如何缴费', content: '怎么交？' }
  expect(articleOf({ ...asked, replies: [] })).toEqual({ title: '如何缴费', content: '<p>怎么交？</p>' })
  const replies = [
    { fromAsker: false, content: '登录后\n点击“缴费”' },
    { fromAsker: true, content: '找不到' },
    { fromAsker: false, content: '在 <学费> 下' },
  ]
  expect(articleOf({ ...asked, replies }).content).toBe('<p>登录后</p><p>点击“缴费”</p><p>在 &lt;学费&gt; 下</p>')
  expect(paragraphs('一\n\n 二 ')).toBe('<p>一</p><p>二</p>')
})

it('names categories with what is above them', () => {
  const leaf = { icon: null, sort: 0, articles: 0, version: 1 }
  const tree: Category[] = [
    {
      ...leaf,
      id: 1,
      parentId: null,
      name: '学习',
      enabled: false,
      children: [{ ...leaf, id: 2, parentId: 1, name: '作业', enabled: true, children: [] }],
    },
  ]
  expect(namedCategories(tree)).toEqual([
    { id: 1, name: '学习', enabled: false },
    { id: 2, name: '学习 / 作业', enabled: false },
  ])
})

it('moves a sister by one place', () => {
  expect(shifted([1, 2, 3], 3, -1)).toEqual([1, 3, 2])
  expect(shifted([1, 2, 3], 1, 1)).toEqual([2, 1, 3])
  expect(shifted([1, 2, 3], 1, -1)).toEqual([1, 2, 3])
})

it('reads headings, spans and filters', () => {
  expect(outlineOf('<h2>如何缴费</h2><p>一</p><h3>网上</h3>')).toEqual([
    { at: 0, level: 2, text: '如何缴费' },
    { at: 1, level: 3, text: '网上' },
  ])
  expect(waited(62)).toBe('1小时2分')
  expect(waited(null)).toBe('—')
  expect(filterOf({ pageCurrent: 2, pageSize: 20, title: '缴费' })).toEqual({ title: '缴费' })
})
