import { Empty, Pagination } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { useRequest } from '@/api/schoolContext'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { searchHelp } from './api'
import { addressOf, type HelpPlace, type HelpTree, nameAt } from './helpPlace'
import './support.css'

const PAGE_SIZE = 20

interface HelpHitsProps {
  place: HelpPlace
  tree: HelpTree
}

/** What was found: everything, a category, or what has the words that were looked for. */
export const HelpHits = ({ place, tree }: HelpHitsProps) => {
  const request = useRequest()
  const navigate = useNavigate()
  const { words, category, page = 1 } = place
  const body = {
    audience: tree.audience,
    keyword: words,
    categoryId: category?.id,
    categorySource: category?.source,
    pageCurrent: page,
    pageSize: PAGE_SIZE,
  }
  const query = useQuery({
    queryKey: [searchHelp.path, body],
    queryFn: ({ signal }) => request(searchHelp, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const title = words ? `搜索“${words}”` : (nameAt(tree.categories, category) ?? '全部文章')
  return (
    <section className="help-hits" aria-label={title}>
      <h2>{title}</h2>
      <Loaded query={query}>
        {({ list, totalCount }) =>
          totalCount === 0 ? (
            <Empty description={words ? '没有找到文章，请换一个词再试' : '这里还没有文章'} />
          ) : (
            <>
              <ul>
                {list.map((hit) => (
                  <li key={`${hit.source}-${hit.id}`}>
                    <h3>
                      <Link to={addressOf({ ...place, article: { source: hit.source, id: hit.id } })}>{hit.title}</Link>
                      {hit.pinned && <Word tone="busy">置顶</Word>}
                    </h3>
                    <p>{hit.excerpt}</p>
                    <p className="form-hint">
                      {hit.categoryName} · {labelOf(searchHelp, 'source', hit.source)} ·{' '}
                      {formatTime(hit.publishedAt, 'YYYY-MM-DD')}
                    </p>
                  </li>
                ))}
              </ul>
              {totalCount > PAGE_SIZE && (
                <Pagination
                  size="small"
                  current={page}
                  pageSize={PAGE_SIZE}
                  total={totalCount}
                  onChange={(next) => navigate(addressOf({ ...place, page: next }))}
                />
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
