import { Link } from '@arco-design/web-react'
import { type ReactNode, useState } from 'react'
import { formatBytes } from '@/kit/format'
import { ContentView } from '@/question_bank/ContentView'
import { answerWords, isChoice } from '@/question_bank/questionRules'
import { type Annotation, type Item, isRich, linesIn, piecesOf } from './markingRules'

/** What a mark looks like where it stands. */
const signs: Record<Annotation['kind'], string> = {
  highlight: '　',
  tick: '✓',
  cross: '✗',
  comment: '评',
  stamp: '阅',
}

const colourOf = ({ kind, color }: Annotation) => color || (kind === 'cross' ? '#d03050' : '#e6a23c')

/** The words with what was marked in them. */
export const MarkedWords = ({ text, annotations }: { text: string; annotations: readonly Annotation[] }) => {
  const own = annotations.filter(({ anchor }) => typeof anchor.start === 'number')
  const ranges = own.map(({ anchor }) => ({ from: anchor.start ?? 0, to: anchor.end ?? 0 }))
  return piecesOf(text, ranges).map(({ text: piece, from, within }): ReactNode => {
    const last = own[within.at(-1) ?? -1]
    return last ? (
      <mark key={from} title={last.text || undefined} style={{ boxShadow: `inset 0 -2px ${colourOf(last)}` }}>
        {piece}
      </mark>
    ) : (
      <span key={from}>{piece}</span>
    )
  })
}

interface FilesProps {
  files: Item['files']
  annotations: readonly Annotation[]
  /** Puts a mark on a picture: parts of its width and height. */
  onPlace?: (fileId: number, x: number, y: number) => void
}

/** 附件: pictures are shown and can be marked, everything else is opened. */
export const AnswerFiles = ({ files, annotations, onPlace }: FilesProps) => (
  <ul aria-label="附件">
    {files.map(({ id, name, url, contentType, size }) => (
      <li key={id}>
        <Link href={url} target="_blank" rel="noopener">
          {name}（{formatBytes(size)}）
        </Link>
        {contentType.startsWith('image/') && (
          // biome-ignore lint/a11y/noStaticElementInteractions: a mark is put where one points; its words are in the list below
          // biome-ignore lint/a11y/useKeyWithClickEvents: a place on a picture has no key
          <div
            className="marking-picture"
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect()
              onPlace?.(id, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height)
            }}
          >
            <img src={url} alt={name} />
            {annotations
              .filter(({ anchor }) => anchor.fileId === id)
              .map((annotation, at) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: marks have no number of their own
                  key={at}
                  role="img"
                  aria-label={annotation.text || '批注'}
                  title={annotation.text || undefined}
                  style={{
                    left: `${(annotation.anchor.x ?? 0) * 100}%`,
                    top: `${(annotation.anchor.y ?? 0) * 100}%`,
                    color: colourOf(annotation),
                  }}
                >
                  {signs[annotation.kind]}
                </span>
              ))}
          </div>
        )}
      </li>
    ))}
  </ul>
)

const NOTHING = <p className="nothing">未作答</p>

/** What a student answered, as it is read. */
export const AnswerWords = ({ item, annotations }: { item: Item; annotations: readonly Annotation[] }) => {
  const [rich, setRich] = useState(false)
  const { answer, type } = item
  if (isChoice(type))
    return answer?.letters?.length ? <p className="marking-answer">{answer.letters.join('')}</p> : NOTHING
  if (type === 'true_false')
    return typeof answer?.value === 'boolean' ? (
      <p className="marking-answer">{answer.value ? '正确' : '错误'}</p>
    ) : (
      NOTHING
    )
  if (type === 'fill_blank')
    return answer?.texts?.some(Boolean) ? (
      <ol className="marking-answer">
        {answer.texts.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a blank is known by its place
          <li key={at}>{text || '（空）'}</li>
        ))}
      </ol>
    ) : (
      NOTHING
    )
  const html = answer?.html ?? ''
  if (!html) return item.files.length > 0 ? null : NOTHING
  return (
    <>
      {rich ? (
        <div className="marking-answer">
          <ContentView html={html} />
        </div>
      ) : (
        <div className="marking-answer" data-words>
          <MarkedWords text={linesIn(html)} annotations={annotations} />
        </div>
      )}
      {isRich(html) && <Link onClick={() => setRich(!rich)}>{rich ? '查看文字和批注' : '查看原格式'}</Link>}
    </>
  )
}

/** What is right, and for what there are points. */
export const Reference = ({ item: { type, reference, analysis } }: { item: Item }) => {
  const words = answerWords(type, reference)
  const points = reference?.points ?? []
  if (!words && !reference?.text && points.length === 0 && !analysis) return null
  return (
    <dl className="question-solution">
      {words && (
        <>
          <dt>答案</dt>
          <dd>{words}</dd>
        </>
      )}
      {reference?.text && (
        <>
          <dt>{type === 'file_upload' ? '评分标准' : '参考答案'}</dt>
          <dd>
            <ContentView html={reference.text} />
          </dd>
        </>
      )}
      {points.length > 0 && (
        <>
          <dt>得分点</dt>
          {points.map(({ text, score }) => (
            <dd key={text}>
              {text}（{score.toFixed(1)}分）
            </dd>
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

/** A question with its material and options. */
export const QuestionShown = ({ item }: { item: Item }) => (
  <div className="question-sheet">
    {item.material && <ContentView html={item.material} />}
    <div className="question-stem">
      <span>{item.seq}. </span>
      <ContentView html={item.stem} />
      <span className="question-score">（{item.fullScore.toFixed(1)}分）</span>
    </div>
    {item.options.length > 0 && (
      <ul className="question-options">
        {item.options.map(({ letter, content }) => (
          <li key={letter}>
            <span>{letter}.</span>
            <ContentView html={content} />
          </li>
        ))}
      </ul>
    )}
  </div>
)
