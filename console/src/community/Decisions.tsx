import type { RowOf } from '@/api/operation'
import { useAuditQueue } from '@/kit/auditQueue'
import { Can } from '@/kit/Can'
import { DecideDrawer } from '@/kit/DecideDrawer'
import type { DrawerProps } from '@/kit/useDrawer'
import {
  auditCommunityBlog,
  auditCommunityQuestion,
  type listBlogComments,
  type listCommunityAnswers,
  type listCommunityBlogs,
  type listCommunityQuestions,
  viewCommunityBlog,
  viewCommunityQuestion,
} from './api'
import { shortened } from './standing'
import { BlogText, QuestionText } from './Texts'
import './community.css'

type Blog = RowOf<typeof listCommunityBlogs>
type Comment = RowOf<typeof listBlogComments>
type Question = RowOf<typeof listCommunityQuestions>
type Answer = RowOf<typeof listCommunityAnswers>

export const WAITING = 'pending'
export const isWaiting = ({ auditStatus }: { auditStatus: string }) => auditStatus === WAITING

const NOTE = '不通过时必填，作者可以看到'

interface Deciding<Row> extends DrawerProps<Row> {
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Row[]
  waiting?: number | undefined
}

/** 审核: whether others see a blog, which is read as visitors would read it. */
export const DecideBlog = ({ rows, waiting, ...drawer }: Deciding<Blog>) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditCommunityBlog}
      of={row && { id: row.id, version: row.version }}
      title={`审核 ${row?.title ?? ''}`}
      name={row?.title ?? ''}
      note={NOTE}
      width={760}
    >
      {row && (
        <Can do={viewCommunityBlog}>
          <BlogText id={row.id} />
        </Can>
      )}
    </DecideDrawer>
  )
}

/** 审核: whether others see a comment on a blog. */
export const DecideComment = ({ blogId, rows, ...drawer }: Deciding<Comment> & { blogId: number }) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditCommunityBlog}
      of={row && { id: blogId, commentId: row.id, version: row.version }}
      title="审核评论"
      name={shortened(row?.content ?? '')}
      note={NOTE}
    >
      <p className="community-said">{row?.content}</p>
    </DecideDrawer>
  )
}

/** 审核: whether others see a question. */
export const DecideQuestion = ({ rows, waiting, ...drawer }: Deciding<Question>) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditCommunityQuestion}
      of={row && { id: row.id, version: row.version }}
      title={`审核 ${row?.title ?? ''}`}
      name={row?.title ?? ''}
      note={NOTE}
      width={760}
    >
      {row && (
        <Can do={viewCommunityQuestion}>
          <QuestionText id={row.id} />
        </Can>
      )}
    </DecideDrawer>
  )
}

/** 审核: whether others see an answer to a question. */
export const DecideAnswer = ({ questionId, rows, ...drawer }: Deciding<Answer> & { questionId: number }) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditCommunityQuestion}
      of={row && { id: questionId, answerId: row.id, version: row.version }}
      title="审核回答"
      name={shortened(row?.content ?? '')}
      note={NOTE}
    >
      <p className="community-said">{row?.content}</p>
    </DecideDrawer>
  )
}
