import { Form } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { BodyOf, OperationMeta } from '@/api/operation'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { withVersionOf } from '@/kit/versionOf'
import { auditCommunityBlog, auditCommunityQuestion, viewCommunityBlog, viewCommunityQuestion } from './api'
import { BlogText, QuestionText } from './Texts'

type OfBlog = BodyOf<typeof auditCommunityBlog>
type OfQuestion = BodyOf<typeof auditCommunityQuestion>

/** What is decided on: what was said, or a blog or a question, which is read as visitors would read it. */
interface Deciding<Body> {
  title: string
  said?: string
  body: Body
}

export type BlogDeciding = Deciding<Pick<OfBlog, 'id' | 'commentId' | 'version'>>
export type QuestionDeciding = Deciding<Pick<OfQuestion, 'id' | 'answerId' | 'version'>>

interface ReadProps {
  said: string | undefined
  /** Whose permission its text needs. */
  view: OperationMeta
  text: ReactNode
}

const Read = ({ said, view, text }: ReadProps) => (
  <div className="form-wide">{said ? <p>{said}</p> : <Can do={view}>{text}</Can>}</div>
)

/** Whoever decides has read it, and lets most of it in. */
const passing = <Body extends object>(body: Body) => ({ ...body, auditStatus: 'approved' as const })

/** A text is read in full, what was said is short. */
const widthOf = (said: string | undefined) => (said ? undefined : 760)

const NOTE = '不通过时必填，作者可以看到'

const BlogField = fieldsOf(auditCommunityBlog)
const QuestionField = fieldsOf(auditCommunityQuestion)

/** 审核: whether others see a blog, or a comment on it. */
export const DecideBlog = ({ record: wanted, ...drawer }: DrawerProps<BlogDeciding>) => (
  <FormDrawer<Partial<OfBlog>, { id: number }>
    {...drawer}
    record={wanted && passing(wanted.body)}
    title={wanted?.title ?? ''}
    width={widthOf(wanted?.said)}
    action={(decided) => formAction(auditCommunityBlog, '已审核', decided)}
    reload={wanted?.said === undefined ? withVersionOf(viewCommunityBlog) : undefined}
  >
    {wanted && <Read said={wanted.said} view={viewCommunityBlog} text={<BlogText id={wanted.body.id} />} />}
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
    record={wanted && passing(wanted.body)}
    title={wanted?.title ?? ''}
    width={widthOf(wanted?.said)}
    action={(decided) => formAction(auditCommunityQuestion, '已审核', decided)}
    reload={wanted?.said === undefined ? withVersionOf(viewCommunityQuestion) : undefined}
  >
    {wanted && <Read said={wanted.said} view={viewCommunityQuestion} text={<QuestionText id={wanted.body.id} />} />}
    <QuestionField name="auditStatus" />
    <Form.Item noStyle shouldUpdate>
      {({ auditStatus }: Partial<OfQuestion>) => (
        <QuestionField name="auditOpinion" required={auditStatus === 'rejected'} help={NOTE} />
      )}
    </Form.Item>
  </FormDrawer>
)
