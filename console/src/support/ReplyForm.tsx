import { Form, Switch } from '@arco-design/web-react'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { PapersInput } from './AskForm'
import { replyStudentHelpQuestion } from './api'
import type { Desk, Question } from './desks'

// The fields are the same at every desk.
const Field = fieldsOf(replyStudentHelpQuestion)

interface ReplyFormProps extends DrawerProps<Question> {
  desk: Desk
}

/** 回复 of a question; one that was changed since it was read is refused. */
export const ReplyForm = ({ desk, record: question, ...drawer }: ReplyFormProps) => (
  <FormDrawer<Question, Warned>
    {...drawer}
    record={question}
    title={`回复 ${question?.title ?? ''}`}
    okText="回复"
    width={640}
    action={(read) =>
      formAction(desk.reply, '已回复，提问人会收到通知', read && { id: read.id, version: read.version })
    }
  >
    <div className="form-whole">
      <Field name="content" required help="提问人会收到通知" />
      <Field name="fileIds" label="附件" help="最多4个，每个不超过10MB">
        <PapersInput aria-label="附件" />
      </Field>
      <Form.Item field="close" label="同时关闭" triggerPropName="checked" extra="关闭后提问人不能再追问">
        <Switch aria-label="同时关闭" />
      </Form.Item>
    </div>
  </FormDrawer>
)
