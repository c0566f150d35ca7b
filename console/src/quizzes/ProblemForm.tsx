import { Form } from '@arco-design/web-react'
import { CategorySelect } from '@/catalogue/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { MediaOf } from '@/kit/MediaOf'
import type { DrawerProps } from '@/kit/useDrawer'
import { ContentInput } from '@/question_bank/ContentInput'
import { OfType, Preview, type Report, TypeSelect } from '@/question_bank/QuestionParts'
import {
  atItsFields,
  isParent,
  MOST_ANALYSIS,
  MOST_CHARACTERS,
  type QuestionType,
  stemRefusal,
} from '@/question_bank/questionRules'
import { editQuizProblem, listQuizProblemCategories, saveQuizProblem, viewQuizProblem } from './api'
import { draftOf, newProblem, type ProblemDraft, type ProblemView, problemBody } from './problemDraft'
import './quizzes.css'

const Field = fieldsOf(saveQuizProblem)

/** A question that is edited, or copied, or a new one of a category. */
export interface ProblemOpened {
  view?: ProblemView
  copied?: ProblemView
  categoryId: number
}

const Facts = ({ before, typeFixed }: { before: ProblemDraft; typeFixed: boolean }) => {
  const { form } = Form.useFormContext()
  const type: QuestionType = Form.useWatch('type', form) ?? before.type
  return (
    <div className="form-grid">
      <Field name="categoryId">
        <CategorySelect of={listQuizProblemCategories} />
      </Field>
      <Form.Item
        field="type"
        label="题型"
        required
        extra={typeFixed ? '已用于试卷，题型不能再修改' : '更换题型会保留题干'}
      >
        <TypeSelect before={before} disabled={typeFixed} aria-label="题型" />
      </Form.Item>
      <Field name="difficulty" required />
      {!isParent(type) && <Field name="defaultScore" required help="0.5至100" />}
      <Field name="enabled" />
    </div>
  )
}

/** 新增 and 编辑 of a question of the site. */
export const ProblemForm = ({ record: opened, ...drawer }: DrawerProps<ProblemOpened>) => {
  const view = opened?.view
  const source = view ?? opened?.copied
  const before: ProblemDraft = {
    ...(source ? draftOf(source) : newProblem(opened?.categoryId ?? 0)),
    id: view?.id ?? 0,
    version: view?.version ?? 0,
  }
  return (
    <MediaOf files={source?.media}>
      <FormDrawer<ProblemDraft, { id: number }>
        {...drawer}
        record={view && before}
        title={view ? `编辑试题 ${view.id}` : '新增试题'}
        width={1080}
        initial={before}
        action={(edited) => {
          const save = edited
            ? formAction(editQuizProblem, '已保存试题', { id: edited.id, version: edited.version })
            : formAction(saveQuizProblem, '已新增试题', { copiedFrom: opened?.copied?.id })
          return {
            ...save,
            send: async (values, request) => {
              const typed: ProblemDraft = { ...before, ...values }
              try {
                return await save.send(problemBody(typed), request)
              } catch (error) {
                throw atItsFields(typed.type, error)
              }
            },
          }
        }}
        reload={async (edited, call) => draftOf(await call(viewQuizProblem, { query: { id: edited.id } }))}
      >
        <div className="question-form form-wide">
          <div className="question-parts">
            <Facts before={before} typeFixed={view?.typeFixed ?? false} />
            <Form.Item
              field="stem"
              label="题干"
              required
              extra="填空题用“____”（至少3个下划线）表示一个空"
              rules={[{ validator: (value, report: Report) => report(stemRefusal(String(value ?? ''))) }]}
            >
              <ContentInput aria-label="题干" most={MOST_CHARACTERS} blanks />
            </Form.Item>
            <OfType before={before} />
            <Form.Item field="analysis" label="解析">
              <ContentInput aria-label="解析" most={MOST_ANALYSIS} />
            </Form.Item>
          </div>
          <Preview before={before} who="学员" />
        </div>
      </FormDrawer>
    </MediaOf>
  )
}
