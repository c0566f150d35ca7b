import { Form } from '@arco-design/web-react'
import type { BodyOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { auditCommunityBlog, auditCommunityQuestion } from './api'

type OfBlog = BodyOf<typeof auditCommunityBlog>
type OfQuestion = BodyOf<typeof auditCommunityQuestion>

/** What is decided on, and what was said in it where that has no file of its own. */
interface Deciding<Body> {
  title: string
  said?: string
  body: Body
}

export type BlogDeciding = Deciding<Pick<OfBlog, 'id' | 'commentId' | 'version'>>
export type QuestionDeciding = Deciding<Pick<OfQuestion, 'id' | 'answerId' | 'version'>>

const NOTE = '不通过时必填，作者可以看到'

const BlogField = fieldsOf(auditCommunityBlog)
const QuestionField = fieldsOf(auditCommunityQuestion)

/** 审核: whether others see a blog, or a comment on it. */
export const DecideBlog = ({ record: wanted, ...drawer }: DrawerProps<BlogDeciding>) => (
  <FormDrawer<Partial<OfBlog>, { id: number }>
    {...drawer}
    record={wanted?.body}
    title={wanted?.title ?? ''}
    action={(decided) => formAction(auditCommunityBlog, '已审核', decided)}
  >
    {wanted?.said && <p className="form-wide">{wanted.said}</p>}
    <BlogField name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<OfBlog>) => (
        <BlogField name="auditOpinion" required={auditStatus === 'rejected'} help={NOTE} />
      )}
    </Form.Item>
  </FormDrawer>
)

/** 审核: whether others see a question, or an answer to it. */
export const DecideQuestion = ({ record: wanted, ...drawer }: DrawerProps<QuestionDeciding>) => (
  <FormDrawer<Partial<OfQuestion>, { id: number }>
    {...drawer}
    record={wanted?.body}
    title={wanted?.title ?? ''}
    action={(decided) => formAction(auditCommunityQuestion, '已审核', decided)}
  >
    {wanted?.said && <p className="form-wide">{wanted.said}</p>}
    <QuestionField name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<OfQuestion>) => (
        <QuestionField name="auditOpinion" required={auditStatus === 'rejected'} help={NOTE} />
      )}
    </Form.Item>
  </FormDrawer>
)
