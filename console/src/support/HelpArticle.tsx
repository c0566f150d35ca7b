import { Alert, Button, Space } from '@arco-design/web-react'
import { IconThumbDown, IconThumbUp } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useIdentity } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { playerOf } from '@/courses/mediaPlayer'
import { Player } from '@/courses/Player'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { showTitle, useWebsite } from '@/schools/website'
import { ArticleText, headingOf } from './ArticleText'
import { rateHelpArticle, searchHelp, viewHelpArticle } from './api'
import { Files } from './Files'
import { addressOf, type HelpPlace, type Numbered, type Reading } from './helpPlace'
import { type Heading, outlineOf } from './supportRules'
import './support.css'

/** Addresses of files and videos last ten minutes; before that there are new ones. */
const FRESH_MS = 8 * 60_000
/** So many headings make a table of contents worth its room. */
const LEAST_HEADINGS = 2

const Contents = ({ headings }: { headings: readonly Heading[] }) => (
  <nav className="help-contents" aria-label="目录">
    <ul>
      {headings.map(({ at, level, text }) => (
        <li key={at} className={level === 3 ? 'help-contents-sub' : undefined}>
          <button
            type="button"
            className="row-name"
            onClick={() => document.getElementById(headingOf(at))?.scrollIntoView({ block: 'start' })}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  </nav>
)

const Video = ({ video, title }: { video: NonNullable<Reading['video']>; title: string }) => {
  // Another address would begin it again. The player of videos plays what has no picture too.
  const [player] = useState(() => playerOf(video.preview, false))
  return player.kind === 'none' ? (
    <Alert type="warning" content={player.reason} />
  ) : (
    <Player player={player} title={`${title}的视频`} />
  )
}

/** 有用 or 没用, once a day; what is said later on the same day takes its place. */
const Feedback = ({ article }: { article: Reading }) => {
  const request = useRequest()
  const [said, say] = useState(article.helpful ?? undefined)
  const rating = useMutation({
    mutationFn: (helpful: boolean) =>
      request(rateHelpArticle, { body: { source: article.source, id: article.id, helpful } }),
    onSuccess: ({ helpful }) => say(helpful),
  })
  const button = (helpful: boolean, words: string, icon: ReactNode) => (
    <Button
      type={said === helpful ? 'primary' : 'secondary'}
      icon={icon}
      aria-pressed={said === helpful}
      disabled={rating.isPending}
      onClick={() => rating.mutate(helpful)}
    >
      {words}
    </Button>
  )
  return (
    <section className="help-feedback" aria-label="评价">
      <span>这篇文章对您有用吗？</span>
      <Space>
        {button(true, '有用', <IconThumbUp />)}
        {button(false, '没用', <IconThumbDown />)}
      </Space>
      {said !== undefined && <span className="form-hint">感谢您的评价</span>}
    </section>
  )
}

interface HelpArticleProps {
  place: HelpPlace
  at: Numbered
}

/** An article to be read, with the way to its neighbours. */
export const HelpArticle = ({ place, at }: HelpArticleProps) => {
  const request = useRequest()
  const website = useWebsite()
  // Who only looks at a school, or helps there, is no reader of it.
  const reads = useIdentity(({ account }) => account !== undefined && !account.readOnly && !account.actor)
  const query = useQuery({
    queryKey: [viewHelpArticle.path, at],
    queryFn: ({ signal }) => request(viewHelpArticle, { query: at }, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    // Nobody asks for new addresses behind another window, so whoever comes back gets them.
    refetchOnWindowFocus: true,
    gcTime: 0,
  })
  const title = query.data?.title
  useEffect(() => showTitle(title, website?.title), [title, website?.title])
  const to = (neighbour: Numbered) => addressOf({ ...place, article: { source: neighbour.source, id: neighbour.id } })
  return (
    <>
      <p>
        <Link to={addressOf({ ...place, article: undefined })}>返回列表</Link>
      </p>
      <Loaded query={query}>
        {(article) => {
          const headings = outlineOf(article.content)
          return (
            <article className="help-article">
              <h2>{article.title}</h2>
              <p className="form-hint">
                {article.categoryName} · {labelOf(searchHelp, 'source', article.source)} ·{' '}
                {formatTime(article.publishedAt, 'YYYY-MM-DD')} · {formatNumber(article.viewCount)}次阅读
              </p>
              {headings.length >= LEAST_HEADINGS && <Contents headings={headings} />}
              {article.video && <Video video={article.video} title={article.title} />}
              <ArticleText html={article.content} pictures={article.pictures} />
              <Files files={article.attachments} />
              {reads && <Feedback article={article} />}
              <nav className="help-neighbours" aria-label="相邻文章">
                {article.previous && <Link to={to(article.previous)}>上一篇：{article.previous.title}</Link>}
                {article.next && <Link to={to(article.next)}>下一篇：{article.next.title}</Link>}
              </nav>
            </article>
          )
        }}
      </Loaded>
    </>
  )
}
