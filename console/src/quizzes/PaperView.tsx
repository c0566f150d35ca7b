import type { ReactNode } from 'react'
import type { QuizPaperSection, QuizQuestion } from '@/api/types/quizzes'
import { QuestionSheet, type ShownQuestion } from '@/question_bank/QuestionSheet'
import './quizzes.css'

type Part = QuizQuestion['parts'][number]

const partOf = ({ type, stem, options, score, answer, analysis }: Part): ShownQuestion => ({
  type,
  stem,
  options,
  score,
  answer,
  analysis,
})

const questionOf = (question: QuizQuestion): ShownQuestion => ({
  ...partOf(question),
  mediaKey: question.mediaKey,
  playLimit: question.playLimit,
  subQuestions: question.parts.map(partOf),
})

interface PaperViewProps {
  paper: readonly QuizPaperSection[]
  /** Below a question: what was answered, and what it earned. */
  below?: (question: QuizQuestion) => ReactNode
}

/** The questions of an exam with what is right of them, section by section. */
export const PaperView = ({ paper, below }: PaperViewProps) => (
  <div className="paper-view">
    {paper.map(({ title, questions }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a section is known by its place
      <section key={at} aria-label={title}>
        <h3>{title}</h3>
        {questions.map((question) => (
          <div key={question.seq} className="paper-question">
            <QuestionSheet question={questionOf(question)} number={question.seq} answers onPaper />
            {below?.(question)}
          </div>
        ))}
      </section>
    ))}
    {paper.length === 0 && <p className="nothing">还没有组卷。</p>}
  </div>
)
