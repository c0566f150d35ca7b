import type { DataOf } from '@/api/operation'
import type { viewHelpArticle, viewHelpTree } from './api'
import type { Source } from './desks'

/** Where somebody is in the help centre: it stands in the address, so that a link leads there. Pure. */

export type HelpTree = DataOf<typeof viewHelpTree>
type Audience = HelpTree['audience']
export type HelpCategory = HelpTree['categories'][number]
export type Reading = DataOf<typeof viewHelpArticle>

/** A number says nothing without whose it is. */
export interface Numbered {
  source: Source
  id: number
}

export interface HelpPlace {
  /** None: what school staff read. */
  audience?: Audience
  words?: string
  category?: Numbered
  article?: Numbered
  page?: number
  /** One of one's own questions, to which messages lead. */
  question?: number
}

const written = ({ source, id }: Numbered) => `${source}-${id}`

const numbered = (text: string | null): Numbered | undefined => {
  const [, source, id] = /^(platform|school)-(\d+)$/.exec(text ?? '') ?? []
  return source === 'platform' || source === 'school' ? { source, id: Number(id) } : undefined
}

const AUDIENCES: readonly Audience[] = ['school', 'student', 'teacher', 'site']

const countIn = (text: string | null, least: number) => {
  const count = Number(text)
  return Number.isInteger(count) && count >= least ? count : undefined
}

export const placeOf = (search: URLSearchParams): HelpPlace => ({
  audience: AUDIENCES.find((audience) => audience === search.get('audience')),
  words: search.get('q') || undefined,
  category: numbered(search.get('category')),
  article: numbered(search.get('article')),
  page: countIn(search.get('page'), 2),
  question: countIn(search.get('question'), 1),
})

/** What stands behind the path. */
export const addressOf = ({ audience, words, category, article, page, question }: HelpPlace) => {
  const said = {
    audience,
    q: words,
    category: category && written(category),
    article: article && written(article),
    page: page && page > 1 ? String(page) : undefined,
    question: question === undefined ? undefined : String(question),
  }
  const search = new URLSearchParams(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return `?${search}`
}

/** A category of both sides has two numbers, either of which names it. */
export const numberOf = ({ platformId, ownId }: Pick<HelpCategory, 'platformId' | 'ownId'>): Numbered =>
  platformId == null ? { source: 'school', id: ownId ?? 0 } : { source: 'platform', id: platformId }

/** Whether a place is in a category itself. */
export const isAt = (category: Pick<HelpCategory, 'platformId' | 'ownId'>, at: Numbered | undefined) =>
  at !== undefined && at.id === (at.source === 'platform' ? category.platformId : category.ownId)

/** The category of a place, with those above it in its name. */
export const nameAt = (categories: readonly HelpCategory[], at: Numbered | undefined): string | undefined => {
  for (const category of categories) {
    if (isAt(category, at)) return category.name
    const below = nameAt(category.children, at)
    if (below) return `${category.name} / ${below}`
  }
  return undefined
}
