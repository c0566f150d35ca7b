import { Form, Input } from '@arco-design/web-react'
import type { BodyOf, RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import { auditCourseComment, type listCourseComments, replyCourseComment, viewCourseComment } from './api'

type Comment = RowOf<typeof listCourseComments>
type Decision = BodyOf<typeof auditCourseComment>
type Reply = BodyOf<typeof replyCourseComment>

/** Characters of an answer. */
const MOST = 500

const DecisionField = fieldsOf(auditCourseComment)
const ReplyField = fieldsOf(replyCourseComment)

/** 审核: whether others see a comment. */
export const DecideComment = ({ record, ...drawer }: DrawerProps<Comment>) => (
  <FormDrawer<Partial<Decision>, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version, auditStatus: 'approved' }}
    title="审核评论"
    action={(decided) => formAction(auditCourseComment, '已审核', decided)}
    reload={withVersionOf(viewCourseComment)}
  >
    <p className="form-wide">{record?.content}</p>
    <DecisionField name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<Decision>) => (
        <DecisionField name="auditOpinion" required={auditStatus === 'rejected'} help="不通过时必填" />
      )}
    </Form.Item>
  </FormDrawer>
)

/** 回复: the operator's answer below a comment. */
export const ReplyComment = ({ record, ...drawer }: DrawerProps<Comment>) => (
  <FormDrawer<Partial<Reply>, Warned>
    {...drawer}
    record={record && { id: record.id }}
    title={`回复 ${record?.learnerName ?? ''}`}
    action={(said) => formAction(replyCourseComment, '已回复', said)}
  >
    <p className="form-wide">{record?.content}</p>
    <ReplyField name="content" help="以“官方回复”的名义显示">
      <Input.TextArea maxLength={MOST} showWordLimit autoSize={{ minRows: 3 }} />
    </ReplyField>
  </FormDrawer>
)
