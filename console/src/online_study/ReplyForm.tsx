import type { Saved } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { replyCourseQa } from './api'
import type { Question } from './studyRules'

const Reply = fieldsOf(replyCourseQa)

/** 回复: an answer of the school, which all who study the course see. */
export const ReplyForm = ({ record: question, ...drawer }: DrawerProps<Question>) => (
  <FormDrawer<{ content?: string }, Saved>
    {...drawer}
    record={undefined}
    title={`回复“${question?.title ?? ''}”`}
    okText="回复"
    action={() => formAction(replyCourseQa, '已回复', { id: question?.id })}
  >
    <p className="form-hint">{question?.content}</p>
    <Reply name="content" help="同一课程的学生都可以看到，回复后不能修改" />
  </FormDrawer>
)
