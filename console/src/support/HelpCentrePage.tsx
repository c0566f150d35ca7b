import { Button, Input, Result } from '@arco-design/web-react'
import { IconSearch } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '@/api/errors'
import { useAllowed, useIdentity } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { TabList } from '@/kit/TabList'
import { showTitle, useWebsite } from '@/schools/website'
import { askSchoolHelpQuestion, searchHelp, viewHelpTree } from './api'
import { HelpArticle } from './HelpArticle'
import { HelpCategories } from './HelpCategories'
import { HelpHits } from './HelpHits'
import { addressOf, type HelpPlace, placeOf } from './helpPlace'
import { OwnQuestions } from './OwnQuestions'
import './support.css'

const CONFLICT = 409
const MOST_WORDS = searchHelp.fields.keyword?.maxLength

/** There is no help centre, or the school has none. */
const isClosed = (error: unknown) => error instanceof ApiError && error.code === CONFLICT

/** What is typed is looked for on Enter; what the address says replaces it. */
const Search = ({ place }: { place: HelpPlace }) => {
  const navigate = useNavigate()
  const [typed, setTyped] = useState(place.words ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    navigate(addressOf({ audience: place.audience, words: typed.trim() || undefined }))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is unknown to the browsers of some schools
    <form className="help-search" role="search" aria-label="搜索帮助" onSubmit={submit}>
      <Input
        aria-label="搜索帮助"
        placeholder="搜索帮助，多个词以空格分开"
        allowClear
        maxLength={MOST_WORDS}
        value={typed}
        onChange={setTyped}
      />
      <Button type="primary" htmlType="submit" icon={<IconSearch />}>
        搜索
      </Button>
    </form>
  )
}

/** Whose help centre it is. */
const Brand = () => {
  const account = useIdentity((state) => state.account)
  const website = useWebsite()
  const name = account?.schoolName ?? website?.title ?? '成教云'
  const logo = account?.schoolLogo ?? website?.logo
  return (
    <Link className="help-brand" to="?">
      {logo && <img src={logo} alt="" />}
      <h1>{name} 帮助中心</h1>
    </Link>
  )
}

/** 帮助中心: what is written for somebody, to be found and read, in a window of its own (05 B5). */
export const HelpCentrePage = () => {
  const request = useRequest()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const place = placeOf(search)
  const website = useWebsite()
  const mayAsk = useAllowed()(askSchoolHelpQuestion)
  const { audience, article } = place
  const query = useQuery({
    queryKey: [viewHelpTree.path, audience],
    queryFn: ({ signal }) => request(viewHelpTree, { query: { audience } }, { signal, quiet: isClosed }),
    placeholderData: keepPreviousData,
  })
  const reading = article !== undefined
  useEffect(() => {
    if (!reading) showTitle('帮助中心', website?.title)
  }, [reading, website?.title])
  const closed = query.isError && isClosed(query.error)
  return (
    <div className="help-centre">
      <header className="help-head">
        <Brand />
        <Search key={place.words} place={place} />
      </header>
      {closed ? (
        <main>
          <Result status="404" title="帮助中心未开放" subTitle="如需开放，请联系系统管理员。" />
        </main>
      ) : (
        <Loaded query={query}>
          {(tree) => (
            <>
              {tree.audiences.length > 1 && (
                <TabList
                  label="对象"
                  tabs={tree.audiences.map((each) => [each, labelOf(viewHelpTree, 'audience', each)] as const)}
                  value={tree.audience}
                  onChange={(next) => navigate(addressOf({ audience: next, words: place.words }))}
                />
              )}
              <div className="help-body">
                <HelpCategories categories={tree.categories} place={place} />
                <main>
                  {article ? (
                    <HelpArticle key={`${article.source}-${article.id}`} place={place} at={article} />
                  ) : (
                    <HelpHits place={place} tree={tree} />
                  )}
                </main>
                {tree.questionOpen && mayAsk && <OwnQuestions place={place} />}
              </div>
            </>
          )}
        </Loaded>
      )}
    </div>
  )
}
