import { Alert, Checkbox, Form } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import { known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { TabPanels } from '@/kit/TabList'
import { usePlaces } from '@/kit/usePlaces'
import { RecordHistory } from '@/logs/RecordHistory'
import { editQuestion, saveQuestion, viewQuestion, viewQuestionBank } from './api'
import { ContentInput } from './ContentInput'
import { BankSelect, knownOf, SeveralOfBank } from './choices'
import { NoBank } from './NoBank'
import { OfType, Preview, type Report, TypeSelect } from './QuestionParts'
import {
  atItsFields,
  bodyOf,
  type Difficulty,
  draftOf,
  isParent,
  MOST_ANALYSIS,
  MOST_CHARACTERS,
  newQuestion,
  type QuestionDraft,
  type QuestionType,
  type QuestionView,
  stemRefusal,
} from './questionRules'
import { UseOfQuestion } from './UseOfQuestion'
import './questionBank.css'

/** What the form says of the bank. */
type Bank = Pick<RowOf<typeof viewQuestionBank>, 'id' | 'name' | 'courseId' | 'courseName'>

const Field = fieldsOf(saveQuestion)
interface PartsProps {
  before: QuestionDraft
  view?: QuestionView
}

/** What belongs to the whole question, whatever its type. */
const Facts = ({ bank, before, view }: PartsProps & { bank: Bank }) => {
  const { form } = Form.useFormContext()
  const type: QuestionType = Form.useWatch('type', form) ?? before.type
  return (
    <>
      <Form.Item field="bankId" label="题库" required rules={[{ required: true, message: '请选择题库' }]}>
        <BankSelect
          type="questionBank"
          courseId={bank.courseId}
          label="题库"
          known={{ code: bank.id, desc: bank.name }}
          disabled={view !== undefined}
        />
      </Form.Item>
      <Form.Item
        field="type"
        label="题型"
        required
        extra={
          view?.typeFixed
            ? '已用于定稿的试卷，题型不能再修改'
            : before.unseen
              ? '您没有查看答案的权限，不能修改题型'
              : '更换题型会保留题干'
        }
      >
        <TypeSelect before={before} disabled={before.unseen || (view?.typeFixed ?? false)} aria-label="题型" />
      </Form.Item>
      <Field name="chapterId" label="章节">
        <BankSelect type="chapter" courseId={bank.courseId} known={known(view?.chapterId, view?.chapterTitle)} />
      </Field>
      <Field name="knowledgePointIds" label="知识点">
        <SeveralOfBank
          type="knowledgePoint"
          courseId={bank.courseId}
          placeholder="请选择"
          known={knownOf(view?.knowledgePointIds ?? [], view?.knowledgePointNames ?? [])}
        />
      </Field>
      <Field name="difficulty" label="难度" required />
      {!isParent(type) && <Field name="defaultScore" label="分值" required help="0.5至100" />}
      <Form.Item
        field="draft"
        label="保存为"
        triggerPropName="checked"
        extra="不勾选时保存后即可使用；试题需要审核的，还要在列表中提交"
      >
        <Checkbox>草稿</Checkbox>
      </Form.Item>
    </>
  )
}

interface FormProps {
  bank: Bank
  view?: QuestionView
  /** The question that is copied. */
  copied?: QuestionView
  begun?: Partial<QuestionDraft>
}

const QuestionForm = ({ bank, view, copied, begun = {} }: FormProps) => {
  const places = usePlaces()
  const source = copied ?? view
  const before: QuestionDraft = {
    ...newQuestion(begun.type ?? 'single_choice'),
    ...begun,
    ...(source && draftOf(source, !copied && !source.answerVisible)),
    ...(copied && { draft: false }),
    id: view?.id ?? 0,
    version: view?.version ?? 0,
    bankId: bank.id,
  }
  const record = view && before
  const parts = (
    <div className="question-form">
      <div className="question-parts">
        {source && !source.answerVisible && (
          <Alert
            className="form-lead"
            type="warning"
            content={
              copied
                ? '您没有查看答案的权限，复制的试题需要填写答案和解析'
                : '您没有查看答案的权限，答案和解析保存后保持不变'
            }
          />
        )}
        <div className="form-grid">
          <Facts bank={bank} before={before} view={view} />
        </div>
        <Form.Item
          field="stem"
          label="题干"
          required
          extra="填空题用“____”（至少3个下划线）表示一个空"
          rules={[{ validator: (value, report: Report) => report(stemRefusal(String(value ?? ''))) }]}
        >
          <ContentInput aria-label="题干" most={MOST_CHARACTERS} blanks />
        </Form.Item>
        <OfType before={before} typeFixed={view?.typeFixed} />
        {!before.unseen && (
          <Form.Item field="analysis" label="解析">
            <ContentInput aria-label="解析" most={MOST_ANALYSIS} />
          </Form.Item>
        )}
      </div>
      <Preview before={before} />
    </div>
  )
  return (
    <MediaOf files={filesOf(source)}>
      <FormPage<QuestionDraft, { id: number }>
        title={view ? `编辑试题 ${view.id}` : '新增试题'}
        help={`${bank.courseName} · ${bank.name}${view ? ` · 第${view.revision}次修订` : ''}`}
        record={record}
        initial={before}
        list={places('questions', { courseId: bank.courseId, bankId: bank.id })}
        action={(row) => {
          const save = row
            ? formAction(editQuestion, '已保存试题', { id: row.id, version: row.version })
            : formAction(saveQuestion, '已新增试题', { copiedFrom: copied?.id })
          return {
            ...save,
            send: async (values, request) => {
              const typed: QuestionDraft = { ...before, ...values }
              try {
                return await save.send(bodyOf(typed), request)
              } catch (error) {
                throw atItsFields(typed.type, error)
              }
            },
          }
        }}
        reload={async (row, call) => {
          const now = await call(viewQuestion, { query: { id: row.id } })
          return draftOf(now, !now.answerVisible)
        }}
        next={
          view
            ? undefined
            : {
                label: '保存并新增下一题',
                to: ({ id }, { type, chapterId, difficulty }) =>
                  places('questionAdd', {
                    bankId: bank.id,
                    type: String(type),
                    chapterId: typeof chapterId === 'number' ? chapterId : undefined,
                    difficulty: typeof difficulty === 'string' ? difficulty : undefined,
                    after: id,
                  }),
              }
        }
      >
        {view ? (
          <TabPanels
            label="试题资料"
            panels={[
              { title: '试题', content: parts },
              { title: '修订记录', content: <RecordHistory of="question" id={view.id} />, late: true },
              { title: '使用情况', content: <UseOfQuestion view={view} /> },
            ]}
          />
        ) : (
          parts
        )}
      </FormPage>
    </MediaOf>
  )
}

/** Where the pictures and the recording of a question are. */
const filesOf = (view: QuestionView | undefined) => {
  if (!view) return undefined
  const audio = view.mediaKey && view.mediaUrl ? [{ key: view.mediaKey, url: view.mediaUrl }] : []
  return [...view.media, ...audio]
}

const numberIn = (search: URLSearchParams, name: string) => Number(search.get(name)) || undefined

const isOne = <Word extends string>(
  options: readonly (readonly [string, string])[],
  text: string | null,
): text is Word => options.some(([value]) => value === text)

/** 新增: `?bankId=&type=`, or `?bankId=&copy=` of a question that is copied. */
export const NewQuestionPage = () => (
  <SchoolFirst title="新增试题">
    <New />
  </SchoolFirst>
)

const New = () => {
  const places = usePlaces()
  const request = useRequest()
  const search = new URLSearchParams(useLocation().search)
  const bankId = numberIn(search, 'bankId')
  const copy = numberIn(search, 'copy')
  const bank = useQuery({
    queryKey: [viewQuestionBank.path, bankId],
    queryFn: ({ signal }) => request(viewQuestionBank, { query: { id: bankId } }, { signal }),
    enabled: bankId !== undefined,
  })
  const copied = useQuery({
    queryKey: [viewQuestion.path, copy],
    queryFn: ({ signal }) => request(viewQuestion, { query: { id: copy } }, { signal }),
    enabled: copy !== undefined,
  })
  if (bankId === undefined) return <NoBank list={places('questionBanks')} />
  const type = search.get('type')
  const difficulty = search.get('difficulty')
  const begun: Partial<QuestionDraft> = {
    ...(isOne<QuestionType>(saveQuestion.fields.type?.options ?? [], type) && { type }),
    ...(isOne<Difficulty>(saveQuestion.fields.difficulty?.options ?? [], difficulty) && { difficulty }),
    chapterId: numberIn(search, 'chapterId'),
  }
  return (
    <Loaded query={bank}>
      {(known) =>
        copy === undefined ? (
          <QuestionForm bank={known} begun={begun} />
        ) : (
          <Loaded query={copied}>{(view) => <QuestionForm key={view.id} bank={known} copied={view} />}</Loaded>
        )
      }
    </Loaded>
  )
}

export const EditQuestionPage = () => (
  <SchoolFirst title="编辑试题">
    <Edit />
  </SchoolFirst>
)

const Edit = () => {
  const call = useCall()
  const id = numberIn(new URLSearchParams(useLocation().search), 'id')
  const query = useQuery({
    queryKey: [viewQuestion.path, id, 'form'],
    queryFn: async () => {
      const view = await call(viewQuestion, { query: { id: id ?? 0 } })
      const { bankId, bankName, courseId, courseName } = view
      return { view, bank: { id: bankId, name: bankName, courseId, courseName } }
    },
    gcTime: 0,
  })
  return <Loaded query={query}>{({ view, bank }) => <QuestionForm key={view.id} bank={bank} view={view} />}</Loaded>
}
