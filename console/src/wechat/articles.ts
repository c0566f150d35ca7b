/** 图文 as it is typed. */

export const MOST_ARTICLES = 8

export interface ArticleDraft {
  title: string
  author?: string | null
  digest?: string | null
  coverId?: number | null
  /** What the cover is called, where it is known. */
  coverName?: string | null
  content: string
  linkUrl?: string | null
}

export const newArticle = (): ArticleDraft => ({ title: '', content: '' })

const WEB = /^https?:\/\/[^\s/\\?#@]+([/?#][^\s\\]*)?$/

/** Whether anything is to be read between the marks. */
const isWritten = (html: string) => html.replace(/<[^>]*>|&nbsp;|\s/g, '') !== ''

/** The first thing that is missing, and in which article. */
export const refusalOf = (articles: readonly ArticleDraft[]) => {
  if (articles.length === 0) return '请至少添加一篇图文'
  for (const [at, { title, coverId, content, linkUrl }] of articles.entries()) {
    const of = `第${at + 1}篇`
    if (!title.trim()) return `请填写${of}的标题`
    if (!coverId) return `请选择${of}的封面`
    if (!isWritten(content)) return `请填写${of}的内容`
    if (!linkUrl || !WEB.test(linkUrl)) return `请填写${of}的原文链接，以 http:// 或 https:// 开头`
  }
  return undefined
}

/** The articles with one at another place. */
export const movedBy = (articles: readonly ArticleDraft[], at: number, by: 1 | -1) => {
  const moved = [...articles]
  const [article] = moved.splice(at, 1)
  if (article) moved.splice(at + by, 0, article)
  return moved
}

const tidy = (text: string | null | undefined) => text?.trim() || null

/** The articles as the server takes them: what was left empty is none. */
export const sentOf = (articles: readonly ArticleDraft[]) =>
  articles.map(({ title, author, digest, coverId, content, linkUrl }) => ({
    title: title.trim(),
    author: tidy(author),
    digest: tidy(digest),
    coverId,
    content,
    linkUrl: tidy(linkUrl),
  }))
