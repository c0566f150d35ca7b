import { Drawer, Form, Input, InputNumber } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { QuizMark, QuizQuestion } from '@/api/types/quizzes'
import { DialogName } from '@/kit/DialogName'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { MediaOf } from '@/kit/MediaOf'
import type { DrawerProps } from '@/kit/useDrawer'
import { ContentView } from '@/question_bank/ContentView'
import { markQuizRecord, viewQuizRecord } from './api'
import { answerWords, itemsOf, keyOf, type MarksDraft, marksDraftOf, seqsOf } from './marks'
import { PaperView } from './PaperView'
import './quizzes.css'

export type RecordRead = RowOf<typeof viewQuizRecord>

const MOST_COMMENT = 1000

interface Draft {
  id: number
  version: number
  items: MarksDraft
}

const draftOf = (record: RecordRead): Draft => ({
  id: record.id,
  version: record.version,
  items: marksDraftOf(record.marks),
})

interface AnsweredProps {
  record: RecordRead
  seq: string
  mark: QuizMark | undefined
  /** The marker's own fields stand below. */
  marking: boolean
}

/** What the learner answered, and what it earned. */
const Answered = ({ record, seq, mark, marking }: AnsweredProps) => {
  const answer = record.answers.find((each) => each.seq === seq)?.answer
  const words = answerWords(answer)
  return (
    <div className="paper-answered">
      <p>
        第{seq}题作答：{answer?.html ? '' : words || '未作答'}
        {mark && !marking && (
          <b>
            {' '}
            得分{mark.score ?? '待批改'}/{mark.fullScore}
          </b>
        )}
        {mark?.hint !== undefined && mark?.hint !== null && ` 按答案应得${mark.hint}分`}
      </p>
      {answer?.html && <ContentView html={answer.html} />}
      {mark?.comment && !marking && <p>评语：{mark.comment}</p>}
    </div>
  )
}

const Given = ({ mark }: { mark: QuizMark }) => (
  <div className="paper-given">
    <Form.Item
      field={`items.${keyOf(mark.seq)}.score`}
      label={`第${mark.seq}题得分`}
      required
      rules={[{ required: true, message: `第${mark.seq}题未给分` }]}
    >
      <InputNumber
        aria-label={`第${mark.seq}题得分`}
        min={0}
        max={mark.fullScore}
        step={0.5}
        precision={1}
        suffix={`/${mark.fullScore}分`}
      />
    </Form.Item>
    <Form.Item field={`items.${keyOf(mark.seq)}.comment`} label={`第${mark.seq}题评语`}>
      <Input aria-label={`第${mark.seq}题评语`} maxLength={MOST_COMMENT} />
    </Form.Item>
  </div>
)

const Paper = ({ record, marking }: { record: RecordRead; marking: boolean }) => {
  const marks = new Map(record.marks.map((mark) => [mark.seq, mark]))
  const below = (question: QuizQuestion) =>
    seqsOf(question).map((seq) => {
      const mark = marks.get(seq)
      const gives = marking && mark !== undefined && !mark.objective
      return (
        <div key={seq}>
          <Answered record={record} seq={seq} mark={mark} marking={gives} />
          {gives && <Given mark={mark} />}
        </div>
      )
    })
  return (
    <MediaOf files={record.media}>
      <PaperView paper={record.paper} below={below} />
    </MediaOf>
  )
}

const titleOf = (record: RecordRead | undefined) => `${record?.learnerName ?? ''} 第${record?.attemptNo ?? ''}次考试`

/** A record to be read: paper, answers and marks. */
export const RecordFile = ({ record, visible, onClose }: DrawerProps<RecordRead>) => (
  <Drawer title={titleOf(record)} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
    <DialogName name={titleOf(record)} />
    {record && <Paper record={record} marking={false} />}
  </Drawer>
)

/** 批改 of what was handed in, as far as no machine could. */
export const MarkForm = ({ record, ...drawer }: DrawerProps<RecordRead>) => (
  <FormDrawer<Draft, { id: number }>
    {...drawer}
    record={record && draftOf(record)}
    title={`批改 ${titleOf(record)}`}
    okText="完成批改"
    width={860}
    action={(edited) => {
      const save = formAction(markQuizRecord, '已批改', edited && { id: edited.id, version: edited.version })
      return {
        ...save,
        send: (values, request) => {
          const { items = {} }: Partial<Draft> = values
          return save.send({ items: itemsOf(items) }, request)
        },
      }
    }}
    reload={async (edited, call) => draftOf(await call(viewQuizRecord, { query: { id: edited.id } }))}
  >
    <div className="form-wide">{record && <Paper record={record} marking />}</div>
  </FormDrawer>
)
