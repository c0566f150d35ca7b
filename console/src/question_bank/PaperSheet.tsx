import { Button, Checkbox, Drawer, Space } from '@arco-design/web-react'
import { IconPrinter } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import { useNamed, useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { MediaOf } from '@/kit/MediaOf'
import { Paper } from '@/kit/Paper'
import { labelled } from './answers'
import { listPapers, printPaper, viewPaperComposition, viewPaperSnapshot } from './api'
import { ContentView } from './ContentView'
import type { PaperQuestion, Section } from './composition'
import { firstNumbers } from './composition'
import { QuestionSheet, type ShownQuestion } from './QuestionSheet'
import { sumOf } from './questionRules'

const shownIn = (question: PaperQuestion): ShownQuestion => ({
  ...question,
  subQuestions: question.subQuestions.map((sub, at) => ({
    ...sub,
    score: question.subScores?.[at] ?? sub.defaultScore,
  })),
})

interface Shown {
  name: string
  courseName: string
  kind: string
  variant: string
  totalScore: number
  durationMinutes?: number | null
  sections: readonly Section[]
  media: readonly { key: string; url: string }[]
  answerVisible: boolean
}

interface SheetProps {
  paper: Shown
  answers: boolean
  onPaper: boolean
}

/** A paper as it is handed out; the printed one is the server's, with its sealed margin. */
export const Sheet = ({ paper, answers, onPaper }: SheetProps) => {
  const first = firstNumbers(paper.sections)
  return (
    <MediaOf files={paper.media}>
      <article className="paper-sheet" aria-label={paper.name}>
        <h1>
          {paper.courseName} {labelOf(listPapers, 'kind', paper.kind)}试卷（
          {labelOf(listPapers, 'variant', paper.variant)}）
        </h1>
        <p>
          {paper.name} · 满分{paper.totalScore.toFixed(1)}分
          {paper.durationMinutes ? ` · ${paper.durationMinutes}分钟` : ''}
        </p>
        {paper.sections.map((section, at) => (
          <section key={section.id ?? at} aria-label={section.title}>
            <h2>
              {section.title}（{section.questions.length}题，共
              {sumOf(section.questions.map(({ score }) => score)).toFixed(1)}分）
            </h2>
            {section.instruction && <ContentView html={section.instruction} />}
            {section.questions.map((question, index) => (
              <QuestionSheet
                key={question.questionId}
                question={shownIn(question)}
                number={String((first[at] ?? 0) + index + 1)}
                answers={answers}
                onPaper={onPaper}
              />
            ))}
          </section>
        ))}
      </article>
    </MediaOf>
  )
}

/** A paper as it stands, or as it was frozen. */
export interface Printed {
  id?: number
  snapshotId?: number
  name: string
  /** Printing it freezes it. */
  final?: boolean
}

/** Printing of a paper by the server: the paper itself, its answers, the booklet to answer in. */
export const usePrinting = ({ id, snapshotId, name }: Printed) => {
  const named = useNamed()
  return useMutation({
    mutationFn: async (wish: { withAnswer?: boolean; booklet?: boolean }) => {
      const query = { ...(snapshotId ? { snapshotId } : { id }), ...wish }
      const what = wish.booklet ? '答题卷' : wish.withAnswer ? '答案' : '试卷'
      await download(printPaper, named(printPaper, { query }), `${name}${what}.pdf`)
      tellSuccess(`已生成${what}，请打开后打印`)
    },
  })
}

const Prints = ({ printed, answerVisible }: { printed: Printed; answerVisible: boolean }) => {
  const printing = usePrinting(printed)
  return (
    <Can do={printPaper}>
      <Button
        type="primary"
        icon={<IconPrinter />}
        loading={printing.isPending}
        title={printed.final ? '打印后试卷定稿，可在使用记录中查看' : undefined}
        onClick={() => printing.mutate({})}
      >
        打印试卷
      </Button>
      <Button disabled={printing.isPending} onClick={() => printing.mutate({ booklet: true })}>
        打印答题卷
      </Button>
      {answerVisible && (
        <Button disabled={printing.isPending} onClick={() => printing.mutate({ withAnswer: true })}>
          打印答案
        </Button>
      )}
    </Can>
  )
}

interface PreviewProps {
  printed: Printed | undefined
  visible: boolean
  onClose: () => void
}

/** 预览 of a paper or of a snapshot, with its printing. Ctrl+P prints what is seen. */
export const PaperPreview = ({ printed, visible, onClose }: PreviewProps) => {
  const title = `预览 ${printed?.name ?? ''}`
  return (
    <Drawer title={title} width={900} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {printed && <Content printed={printed} />}
    </Drawer>
  )
}

const Content = ({ printed }: { printed: Printed }) => {
  const request = useRequest()
  const [answers, setAnswers] = useState(false)
  const { id = 0, snapshotId } = printed
  const query = useQuery<Shown & Partial<Corrected>>({
    queryKey: [viewPaperComposition.path, 'sheet', id, snapshotId],
    queryFn: ({ signal }) =>
      snapshotId
        ? request(viewPaperSnapshot, { query: { id: snapshotId } }, { signal }).then((snapshot) => ({
            ...snapshot,
            name: snapshot.paperName,
          }))
        : request(viewPaperComposition, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(paper) => (
        <>
          <div className="toolbar">
            {paper.answerVisible ? (
              <Checkbox checked={answers} onChange={setAnswers}>
                显示答案和解析
              </Checkbox>
            ) : (
              <span className="nothing">考试试卷的答案需要“查看答案”权限</span>
            )}
            <div className="toolbar-right">
              <Space>
                <Prints printed={printed} answerVisible={paper.answerVisible} />
              </Space>
            </div>
          </div>
          {paper.sections.length === 0 && <p className="nothing">试卷还没有大题。</p>}
          <Sheet paper={paper} answers={answers} onPaper={false} />
          <Corrections corrections={paper.corrections ?? []} />
          <Paper upright>
            <Sheet paper={paper} answers={answers} onPaper />
          </Paper>
        </>
      )}
    </Loaded>
  )
}

interface Corrected {
  corrections: readonly Parameters<typeof labelled>[0][]
}

/** Answers that were corrected after the paper was frozen. */
const Corrections = ({ corrections }: Corrected) =>
  corrections.length > 0 && (
    <section aria-label="答案更正">
      <h3>答案更正</h3>
      <ol className="history">
        {corrections.map((correction) => (
          <li key={`${correction.seq}-${correction.at}`}>{labelled(correction)}</li>
        ))}
      </ol>
    </section>
  )
