import { Checkbox, Form, Select } from '@arco-design/web-react'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { AnswerInput, UploadInput } from './AnswerInput'
import { saveQuestion } from './api'
import { OptionsInput } from './OptionsInput'
import { QuestionSheet, type ShownQuestion } from './QuestionSheet'
import {
  answerOf,
  answerRefusal,
  isChoice,
  isParent,
  letterAt,
  newQuestion,
  optionsRefusal,
  type Parts,
  type QuestionDraft,
  type QuestionType,
  scoreOf,
  subsRefusal,
  switched,
} from './questionRules'
import { SubQuestionsInput } from './SubQuestionsInput'
import './questionBank.css'

const Field = fieldsOf(saveQuestion)
const AUDIO = '.mp3,.m4a'

/** What the form holds now; before its fields stand, what it began with. */
const typedIn = (form: ReturnType<typeof Form.useFormContext>['form'], before: QuestionDraft): QuestionDraft => ({
  ...before,
  ...form.getFieldsValue(),
})

type ShownParts = Parts & Partial<Pick<QuestionDraft, 'mediaKey' | 'playLimit'>>

const shownParts = (parts: ShownParts): ShownQuestion => ({
  type: parts.type,
  stem: parts.stem ?? '',
  options: (parts.options ?? []).map(({ content }, at) => ({ letter: letterAt(at), content })),
  score: parts.defaultScore || 0,
  answer: answerOf({ type: parts.type, options: parts.options ?? [], answer: parts.answer ?? {} }),
  analysis: parts.analysis,
  upload: parts.type === 'file_upload' || parts.allowAttachment ? parts.upload : undefined,
  mediaKey: parts.mediaKey,
  playLimit: parts.playLimit,
})

const shownOf = (draft: QuestionDraft): ShownQuestion => ({
  ...shownParts(draft),
  score: scoreOf({ ...draft, subQuestions: draft.subQuestions ?? [] }) || 0,
  subQuestions: isParent(draft.type) ? (draft.subQuestions ?? []).map(shownParts) : [],
})

interface TypeSelectProps {
  before: QuestionDraft
  disabled: boolean
  value?: QuestionType
  onChange?: (type: QuestionType) => void
  'aria-label'?: string
}

/** Another type keeps what it has in common with the former. */
export const TypeSelect = ({ before, disabled, value, onChange, ...named }: TypeSelectProps) => {
  const { form } = Form.useFormContext()
  return (
    <Select
      {...named}
      disabled={disabled}
      value={value}
      options={(saveQuestion.fields.type?.options ?? []).map(([word, label]) => ({ value: word, label }))}
      onChange={(type: QuestionType) => {
        const { options, answer, upload, allowAttachment, subQuestions } = switched(typedIn(form, before), type)
        const subs = isParent(type) && subQuestions.length === 0 ? newQuestion(type).subQuestions : subQuestions
        onChange?.(type)
        // Fields of the new type stand with the next paint, and take what is set here.
        form.setFieldsValue({ options, answer, upload, allowAttachment, subQuestions: subs })
      }}
    />
  )
}

interface OfTypeProps {
  before: QuestionDraft
  /** The types of its sub-questions stay, too. */
  typeFixed?: boolean
}

export type Report = (message?: string) => void

/** What depends on the type: options, answer, files, a recording, sub-questions. */
export const OfType = ({ before, typeFixed }: OfTypeProps) => {
  const { form } = Form.useFormContext()
  const type: QuestionType = Form.useWatch('type', form) ?? before.type
  const typed = () => typedIn(form, before)
  return (
    <>
      {isChoice(type) && (
        <Form.Item
          field="options"
          label="选项"
          required
          extra={before.unseen ? '答案不显示，保持不变' : '勾选正确的选项；字母随顺序变化'}
          rules={[
            {
              validator: (value, report: Report) =>
                report(optionsRefusal(type, Array.isArray(value) ? value : [], before.unseen)),
            },
          ]}
        >
          <OptionsInput several={type === 'multiple_choice'} unseen={before.unseen} />
        </Form.Item>
      )}
      {!isChoice(type) && !isParent(type) && !before.unseen && (
        <Form.Item
          field="answer"
          label={type === 'file_upload' ? '评分标准' : '答案'}
          required={type !== 'file_upload'}
          rules={[
            {
              validator: (value, report: Report) =>
                report(answerRefusal({ ...typed(), type, answer: typeof value === 'object' && value ? value : {} })),
            },
          ]}
        >
          <AnswerInput type={type} />
        </Form.Item>
      )}
      {type === 'essay' && (
        <Form.Item field="allowAttachment" label="附件" triggerPropName="checked">
          <Checkbox>可以上传附件</Checkbox>
        </Form.Item>
      )}
      <Form.Item noStyle shouldUpdate>
        {(values: Partial<QuestionDraft>) =>
          (type === 'file_upload' || (type === 'essay' && values.allowAttachment)) && (
            <Form.Item field="upload" label="附件要求">
              <UploadInput />
            </Form.Item>
          )
        }
      </Form.Item>
      {type === 'listening' && (
        <>
          <Field name="mediaKey" label="音频" required help="mp3 或 m4a">
            <FileUpload type={3} accept={AUDIO} aria-label="音频" />
          </Field>
          <Field name="playLimit" label="播放次数" help="0为不限" />
        </>
      )}
      {isParent(type) && (
        <Form.Item
          field="subQuestions"
          label="小题"
          required
          rules={[
            { validator: (value, report: Report) => report(subsRefusal(type, Array.isArray(value) ? value : [])) },
          ]}
        >
          <SubQuestionsInput typeFixed={typeFixed} />
        </Form.Item>
      )}
    </>
  )
}

export const Preview = ({ before, who = '学生' }: { before: QuestionDraft; who?: string }) => (
  <aside className="question-preview" aria-label="预览">
    <h2>{who}看到的样子</h2>
    <Form.Item noStyle shouldUpdate>
      {(values: Partial<QuestionDraft>) => <QuestionSheet question={shownOf({ ...before, ...values })} />}
    </Form.Item>
  </aside>
)
