import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { TabPanels } from '@/kit/TabList'
import { RecordHistory } from '@/logs/RecordHistory'
import { listQuestions, viewQuestion } from './api'
import { QuestionSheet, type ShownQuestion } from './QuestionSheet'
import type { QuestionView } from './questionRules'
import { questionTones } from './tones'
import { UseOfQuestion } from './UseOfQuestion'

/** A question as it stands in its bank. */
export const shownOf = (view: QuestionView): ShownQuestion => ({
  ...view,
  score: view.defaultScore,
  subQuestions: view.subQuestions.map((sub) => ({ ...sub, score: sub.defaultScore })),
})

/** Pictures and the recording. */
export const filesOf = ({ media, mediaKey, mediaUrl }: QuestionView) => [
  ...media,
  ...(mediaKey && mediaUrl ? [{ key: mediaKey, url: mediaUrl }] : []),
]

const facts = ['bankName', 'chapterTitle', 'difficulty', 'source', 'revision', 'rejectReason', 'updatedAt'] as const

const Whole = ({ view }: { view: QuestionView }) => (
  <>
    <dl className="question-facts">
      <dt>状态</dt>
      <dd>{show(listQuestions, 'status', view.status, questionTones)}</dd>
      {facts
        .filter((field) => view[field] !== null && view[field] !== undefined)
        .map((field) => [
          <dt key={`${field}-name`}>{listQuestions.columns[field]?.label ?? field}</dt>,
          <dd key={field}>{show(listQuestions, field, view[field], undefined)}</dd>,
        ])}
      <dt>知识点</dt>
      <dd>{view.knowledgePointNames.join('、') || '—'}</dd>
    </dl>
    {!view.answerVisible && <p className="form-hint">考试题库的答案和解析需要“查看答案”权限。</p>}
    <MediaOf files={filesOf(view)}>
      <QuestionSheet question={shownOf(view)} answers={view.answerVisible} />
    </MediaOf>
  </>
)

/** The drawer of a question: as a student sees it with what is right, who changed it, where it is used. */
export const QuestionFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewQuestion.path, id],
    queryFn: ({ signal }) => request(viewQuestion, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <TabPanels
          label="试题资料"
          panels={[
            { title: '预览', content: <Whole view={view} /> },
            { title: '修订记录', content: <RecordHistory of="question" id={id} />, late: true },
            { title: '使用情况', content: <UseOfQuestion view={view} /> },
          ]}
        />
      )}
    </Loaded>
  )
}
