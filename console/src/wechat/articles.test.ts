import { expect, it } from 'vitest'
import { type ArticleDraft, movedBy, newArticle, refusalOf, sentOf } from './articles'

const article: ArticleDraft = {
  title: '招生简章',
  coverId: 1,
  content: '<p>欢迎报考</p>',
  linkUrl: 'https://www.example.com/recruit',
}

it('says what is missing, and where', () => {
  expect(refusalOf([])).toBe('请至少添加一篇图文')
  expect(refusalOf([article])).toBeUndefined()
  expect(refusalOf([article, newArticle()])).toBe('请填写第2篇的标题')
  expect(refusalOf([{ ...article, coverId: null }])).toBe('请选择第1篇的封面')
  expect(refusalOf([{ ...article, content: '<p> &nbsp;</p>' }])).toBe('请填写第1篇的内容')
  expect(refusalOf([{ ...article, linkUrl: 'www.example.com' }])).toContain('原文链接')
})

it('moves an article', () => {
  const [one, two] = [article, { ...article, title: '学费' }]
  expect(movedBy([one, two], 1, -1)).toEqual([two, one])
  expect(movedBy([one, two], 0, 1)).toEqual([two, one])
})

it('sends what was left empty as none', () => {
  expect(sentOf([{ ...article, title: ' 招生简章 ', author: ' ', digest: '', coverName: '封面' }])).toEqual([
    { ...article, author: null, digest: null },
  ])
})
