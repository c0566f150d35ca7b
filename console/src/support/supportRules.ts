import { formatSpan } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type { Article, ArticleDetail, Category, Question } from './desks'

/** What the screens of the help centre decide by themselves. Pure; the server repeats what matters. */

export const articleTones: Record<Article['status'], Tone> = { draft: 'quiet', published: 'good', offline: 'warning' }
export const questionTones: Record<Question['status'], Tone> = { waiting: 'warning', replied: 'good', closed: 'quiet' }

type Standing = Pick<Article, 'status' | 'changed' | 'publishAt'>
type Asked = Pick<Question, 'status' | 'own' | 'mayAppend'>

const NOT_OWN = '只有提问人可以办理'

/** Why a step is not to be had now, if so. */
export const can = {
  publish: ({ status, changed }: Standing) =>
    status === 'published' && !changed ? '没有未发布的修改，无需再次发布' : undefined,
  offline: ({ status, publishAt }: Standing) =>
    status === 'published' || publishAt ? undefined : '只有已发布的文章可以下线',
  remove: ({ status }: Standing) => (status === 'published' ? '已发布的文章请先下线' : undefined),
  answer: ({ status }: Pick<Question, 'status'>) => (status === 'closed' ? '咨询已关闭' : undefined),
  append: ({ status, own, mayAppend }: Asked) => {
    if (!own) return NOT_OWN
    if (status === 'closed') return '咨询已关闭'
    return mayAppend ? undefined : '回复已超过15天，不能继续追问，请重新提交咨询'
  },
  end: ({ status, own }: Pick<Asked, 'status' | 'own'>) => {
    if (!own) return NOT_OWN
    return status === 'closed' ? '咨询已关闭' : undefined
  },
  restore: ({ versionNo, changed }: Pick<Article, 'versionNo' | 'changed'>, former: number) =>
    versionNo === former && !changed ? '正在编辑的内容就是该版本，无需恢复' : undefined,
  becomeArticle: ({ asArticleId }: Pick<Question, 'asArticleId'>) => (asArticleId ? '该咨询已转为文章' : undefined),
}

const MINUTE_SECONDS = 60

/** How long somebody waits: 1小时2分. */
export const waited = (minutes: number | null | undefined) =>
  minutes == null ? '—' : formatSpan(minutes * MINUTE_SECONDS)

/** The form of an article as it was read: an edit replaces all of it. */
export const formOf = ({
  id,
  version,
  categoryId,
  title,
  keywords,
  content,
  fileIds,
  videoAssetId,
  schoolIds,
  pinned,
  sort,
  offlineAt,
}: ArticleDetail) => ({
  id,
  version,
  categoryId,
  title,
  keywords,
  content,
  fileIds,
  videoAssetId,
  schoolIds,
  pinned,
  sort,
  offlineAt,
})

/** What a version had, over the rest of the article as it stands. */
export const restored = (now: ArticleDetail, former: ArticleDetail) => ({
  ...formOf(now),
  title: former.title,
  keywords: former.keywords,
  content: former.content,
  fileIds: former.fileIds,
  videoAssetId: former.videoAssetId,
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Words that somebody typed, as a text with a paragraph for each line. */
export const paragraphs = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')

/** An article that is made of a question: what is asked is its title, what was answered its text. */
export const articleOf = ({
  title,
  content,
  replies,
}: {
  title: string
  content: string
  replies: readonly { fromAsker: boolean; content: string }[]
}) => {
  const answers = replies.filter(({ fromAsker }) => !fromAsker).map((reply) => reply.content)
  return { title, content: paragraphs(answers.length > 0 ? answers.join('\n') : content) }
}

/** What a list was asked for, without its page. */
export const filterOf = (body: object) => {
  const { pageCurrent: _page, pageSize: _size, ...filter } = body as Record<string, unknown>
  return filter
}

/** The categories of a tree with their superiors in their names. */
export const namedCategories = (nodes: readonly Category[]): { id: number; name: string; enabled: boolean }[] =>
  nodes.flatMap(({ id, name, enabled, children }) => [
    { id, name, enabled },
    ...namedCategories(children).map((below) => ({
      id: below.id,
      name: `${name} / ${below.name}`,
      enabled: enabled && below.enabled,
    })),
  ])

/** The numbers of sisters when one of them has gone a place up or down. */
export const shifted = (ids: readonly number[], id: number, by: 1 | -1) => {
  const at = ids.indexOf(id)
  const to = at + by
  if (at < 0 || to < 0 || to >= ids.length) return [...ids]
  const others = ids.filter((each) => each !== id)
  return [...others.slice(0, to), id, ...others.slice(to)]
}

/** Why one of the articles of a category cannot go a place up or down: what is pinned stays before the others. */
export const shiftRefusal = (sisters: readonly Pick<Article, 'pinned'>[], at: number, by: 1 | -1) => {
  const [one, other] = [sisters[at], sisters[at + by]]
  if (!one || !other) return by < 0 ? '已经是第一篇' : '已经是最后一篇'
  return one.pinned === other.pinned ? undefined : '置顶的文章始终在其他文章之前'
}

export interface Heading {
  /** Its place among the headings. */
  at: number
  level: 2 | 3
  text: string
}

/** The table of contents of a text. */
export const outlineOf = (html: string): Heading[] => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return [...body.querySelectorAll('h2, h3')].map((element, at) => ({
    at,
    level: element.tagName === 'H2' ? 2 : 3,
    text: element.textContent ?? '',
  }))
}
