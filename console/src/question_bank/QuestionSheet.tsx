import { Fragment, type ReactNode, useId } from 'react'
import { labelOf } from '@/kit/labels'
import { useMedia } from '@/kit/media'
import { listQuestions } from './api'
import { ContentView } from './ContentView'
import {
  type Answer,
  answerWords,
  isChoice,
  isWritten,
  type Option,
  type QuestionType,
  type Upload,
  uploadWords,
  wordsIn,
} from './questionRules'

/** A question to be shown, wherever it comes from: as it is typed, from its bank, from a paper. */
export interface ShownQuestion {
  type: QuestionType
  stem: string
  options: readonly Option[]
  score: number
  answer?: Answer | null
  analysis?: string | null
  upload?: Upload | null
  mediaKey?: string | null
  playLimit?: number | null
  subQuestions?: readonly ShownQuestion[]
}

interface QuestionSheetProps {
  question: ShownQuestion
  /** Its number in a paper. */
  number?: string
  /** What is right is shown too. */
  answers?: boolean
  /** On paper nothing is chosen or typed. */
  onPaper?: boolean
}

/** A question as a student sees it; with `answers` also what is right, and why. */
export const QuestionSheet = ({ question, number, answers = false, onPaper = false }: QuestionSheetProps) => {
  const { type, stem, score, subQuestions = [] } = question
  return (
    <div className="question-sheet">
      <div className="question-stem">
        <span>
          {number && `${number}. `}
          {!onPaper && `[${labelOf(listQuestions, 'type', type)}] `}
        </span>
        <ContentView html={stem} />
        <span className="question-score">（{score.toFixed(1)}分）</span>
      </div>
      <Recording question={question} onPaper={onPaper} />
      {isChoice(type) && <Options question={question} onPaper={onPaper} />}
      {subQuestions.length === 0 && <Room question={question} onPaper={onPaper} />}
      {subQuestions.length > 0 && (
        <ol className="question-subs">
          {subQuestions.map((sub, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a sub-question is known by its place
            <li key={at}>
              <QuestionSheet question={sub} number={`(${at + 1})`} answers={answers} onPaper={onPaper} />
            </li>
          ))}
        </ol>
      )}
      {answers && <Solution question={question} />}
    </div>
  )
}

type PartProps = Required<Pick<QuestionSheetProps, 'question' | 'onPaper'>>

const Recording = ({ question: { type, mediaKey, playLimit }, onPaper }: PartProps) => {
  const { urlOf } = useMedia()
  if (type !== 'listening') return null
  const url = mediaKey ? urlOf(mediaKey) : undefined
  return (
    <p className="question-audio">
      {url && !onPaper && (
        // biome-ignore lint/a11y/useMediaCaption: the words of a listening test are what is asked for
        <audio controls preload="none" src={url} aria-label="听力音频" />
      )}
      {!mediaKey && '未上传音频'}
      {playLimit ? ` 可播放${playLimit}次` : ' 播放次数不限'}
    </p>
  )
}

const Options = ({ question: { type, options }, onPaper }: PartProps) => {
  const group = useId()
  return (
    <ul className="question-options">
      {options.map(({ letter, content }) => (
        <li key={letter}>
          {!onPaper && (
            <input
              type={type === 'multiple_choice' ? 'checkbox' : 'radio'}
              name={group}
              aria-label={`${letter} ${wordsIn(content)}`}
            />
          )}
          <span>{letter}.</span>
          <ContentView html={content} />
        </li>
      ))}
    </ul>
  )
}

/** Where the answer goes. */
const Room = ({ question: { type, upload }, onPaper }: PartProps): ReactNode => {
  const group = useId()
  if (onPaper) {
    if (type === 'true_false') return <p className="question-answer-room">（　　）</p>
    return isWritten(type) ? <div className="question-space" /> : null
  }
  if (type === 'true_false') {
    return (
      <div className="question-options">
        {['正确', '错误'].map((word) => (
          <label key={word}>
            <input type="radio" name={group} /> {word}
          </label>
        ))}
      </div>
    )
  }
  return (
    <>
      {isWritten(type) && type !== 'file_upload' && <textarea className="question-text" rows={3} aria-label="作答" />}
      {upload && <p className="nothing">上传附件：{uploadWords(upload)}</p>}
    </>
  )
}

const Solution = ({ question: { type, answer, analysis } }: Pick<QuestionSheetProps, 'question'>) => {
  const words = answerWords(type, answer)
  const points = answer?.points ?? []
  return (
    <dl className="question-solution">
      {words && (
        <>
          <dt>答案</dt>
          <dd>{words}</dd>
        </>
      )}
      {answer?.text && (
        <>
          <dt>{type === 'file_upload' ? '评分标准' : '参考答案'}</dt>
          <dd>
            <ContentView html={answer.text} />
          </dd>
        </>
      )}
      {points.length > 0 && (
        <>
          <dt>得分点</dt>
          {points.map(({ text, score }) => (
            <Fragment key={text}>
              <dd>
                {text}（{score.toFixed(1)}分）
              </dd>
            </Fragment>
          ))}
        </>
      )}
      {analysis && (
        <>
          <dt>解析</dt>
          <dd>
            <ContentView html={analysis} />
          </dd>
        </>
      )}
    </dl>
  )
}
