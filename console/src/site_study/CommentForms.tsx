import { Input } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { useAuditQueue } from '@/kit/auditQueue'
import { DecideDrawer } from '@/kit/DecideDrawer'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatTime } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { auditCourseComment, type listCourseComments, replyCourseComment } from './api'

type Comment = RowOf<typeof listCourseComments>
type Reply = BodyOf<typeof replyCourseComment>

/** Characters of an answer. */
const MOST = 500

const ReplyField = fieldsOf(replyCourseComment)

export const WAITING = 'pending'
export const isWaiting = ({ auditStatus }: Pick<Comment, 'auditStatus'>) => auditStatus === WAITING

const SHOWN = 12

/** So much of a comment names it. */
export const nameOf = ({ content }: Pick<Comment, 'content'>) =>
  content.length > SHOWN ? `${content.slice(0, SHOWN)}…` : content

interface DecideCommentProps extends DrawerProps<Comment> {
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Comment[]
  waiting: number | undefined
}

/** 审核: whether others see a comment. */
export const DecideComment = ({ rows, waiting, ...drawer }: DecideCommentProps) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  return (
    <DecideDrawer
      queue={queue}
      do={auditCourseComment}
      of={row && { id: row.id, version: row.version }}
      title="审核评论"
      name={row ? nameOf(row) : ''}
      note="不通过时必填"
    >
      {row && (
        <>
          <p>
            {row.learnerName}，{formatTime(row.createdAt)}，{row.courseName}
          </p>
          <p>{row.content}</p>
        </>
      )}
    </DecideDrawer>
  )
}

/** 回复: the operator's answer below a comment. */
export const ReplyComment = ({ record, ...drawer }: DrawerProps<Comment>) => (
  <FormDrawer<Partial<Reply>, Warned>
    {...drawer}
    record={record && { id: record.id }}
    title={`回复 ${record?.learnerName ?? ''}`}
    okText="回复"
    action={(said) => formAction(replyCourseComment, '已回复', said)}
  >
    <p className="form-wide">{record?.content}</p>
    <ReplyField name="content" help="以“官方回复”的名义显示">
      <Input.TextArea maxLength={MOST} showWordLimit autoSize={{ minRows: 3 }} />
    </ReplyField>
  </FormDrawer>
)
