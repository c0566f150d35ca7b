import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { RichTextView } from '@/kit/RichTextView'
import { Word } from '@/kit/Status'
import { listCommunityBlogs, listCommunityQuestions, viewCommunityBlog, viewCommunityQuestion } from './api'
import './community.css'

const Labels = ({ of: labels }: { of: readonly { id: number; labelName: string }[] }) => (
  <div className="community-labels">
    {labels.map(({ id, labelName }) => (
      <Word key={id}>{labelName}</Word>
    ))}
  </div>
)

const Opinion = ({ text }: { text?: string | null }) => text && <p className="form-hint">审核意见：{text}</p>

interface CoverProps {
  url?: string | null
  /** As a list shows it. */
  small?: boolean
}

/** What stands before a blog; it may lie anywhere, so nobody is told who looks at it. */
export const Cover = ({ url, small }: CoverProps) => {
  if (!url) return small ? <span className="nothing">—</span> : null
  const of = small ? 'community-thumb' : 'community-cover'
  return <img className={of} src={url} alt="封面" loading="lazy" referrerPolicy="no-referrer" />
}

/** Where it was sent from, for whoever looks for others of the same place. */
const sentFrom = (ip?: string | null) => ip && `发表地址 ${ip}`

/** A blog as visitors read it. */
export const BlogText = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listCommunityBlogs.path, viewCommunityBlog.path, id],
    queryFn: () => call(viewCommunityBlog, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {(blog) => (
        <>
          <p className="community-head">
            {[
              blog.bloggerName,
              blog.badge,
              labelOf(listCommunityBlogs, 'articleType', blog.articleType),
              blog.categoryName,
              formatTime(blog.createdAt),
              sentFrom(blog.ip),
            ]
              .filter(Boolean)
              .join('，')}
          </p>
          {blog.sourceUrl && (
            <p className="community-head">
              原文：
              <a href={blog.sourceUrl} target="_blank" rel="noopener noreferrer nofollow">
                {blog.sourceUrl}
              </a>
            </p>
          )}
          <Opinion text={blog.auditOpinion} />
          <Cover url={blog.cover} />
          <RichTextView html={blog.content} />
          <Labels of={blog.labelList} />
        </>
      )}
    </Loaded>
  )
}

/** A question as visitors read it. */
export const QuestionText = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listCommunityQuestions.path, viewCommunityQuestion.path, id],
    queryFn: () => call(viewCommunityQuestion, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {(question) => (
        <>
          <p className="community-head">
            {[question.learnerName, formatTime(question.createdAt), sentFrom(question.ip)].filter(Boolean).join('，')}
          </p>
          <Opinion text={question.auditOpinion} />
          <RichTextView html={question.content} />
          <Labels of={question.labelList} />
        </>
      )}
    </Loaded>
  )
}
