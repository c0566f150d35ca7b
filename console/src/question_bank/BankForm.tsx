import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { CourseSelect } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editQuestionBank, type listQuestionBanks, saveQuestionBank, viewQuestionBank } from './api'
import { SeveralOfBank } from './choices'

type Bank = RowOf<typeof listQuestionBanks>

const Field = fieldsOf(saveQuestionBank)

/** 新增 and 编辑 of a bank (03 A7). */
export const BankForm = ({ record, ...drawer }: DrawerProps<Bank>) => {
  const hasQuestions = (record?.questionCount ?? 0) > 0
  return (
    <FormDrawer<Bank, { id: number }>
      {...drawer}
      record={record}
      title={record ? `编辑题库 ${record.name}` : '新增题库'}
      initial={{ visibility: 'school' }}
      action={(bank) => {
        const save = bank
          ? formAction(editQuestionBank, '已保存题库', bank)
          : formAction(saveQuestionBank, '已新增题库')
        // Who sees all banks of the school needs no list of members.
        const without = (values: object) =>
          'visibility' in values && values.visibility === 'school' ? { ...values, memberAccountIds: [] } : values
        return { ...save, send: (values, request) => save.send(without(values), request) }
      }}
      reload={(bank, call) => call(viewQuestionBank, { query: { id: bank.id } })}
      keep={['courseId', 'usage', 'organizationId', 'visibility']}
    >
      <Field name="name" />
      <Field name="code" />
      <Field name="courseId" help={hasQuestions ? '已有试题，不能更换课程' : undefined} disabled={hasQuestions}>
        <CourseSelect
          type="course"
          disabled={hasQuestions}
          known={known(record?.courseId, record && `${record.courseCode} ${record.courseName}`)}
        />
      </Field>
      <Field name="usage" help="作业题库的题不出现在考试中，考试题库的题不出现在作业中" />
      <Field name="organizationId">
        <BasicSelect type="organization" known={known(record?.organizationId, record?.organizationName)} />
      </Field>
      <Field name="visibility" />
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<Bank>) =>
          values.visibility === 'owner' && (
            <Field name="memberAccountIds" label="成员" help="创建人之外可以使用的账号，最多100个">
              <SeveralOfBank type="account" placeholder="仅创建人" />
            </Field>
          )
        }
      </Form.Item>
    </FormDrawer>
  )
}
