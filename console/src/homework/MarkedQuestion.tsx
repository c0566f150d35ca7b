import { Button, Input, InputNumber, Radio, Space } from '@arco-design/web-react'
import { useEffect, useRef, useState } from 'react'
import { labelOf } from '@/kit/labels'
import { AnswerFiles, AnswerWords, QuestionShown, Reference } from './AnswerShown'
import { listStudentHomework } from './api'
import { score } from './homeworkRules'
import { type Annotation, type Item, isMine, linesIn, type Mark, quickScores, scoreRefusal } from './markingRules'

const MOST_WORDS = 500
const MOST_COMMENT = 1000
const MOST_ANNOTATIONS = 200

/** 常用评语. */
const PHRASES = ['要点完整，论述清楚', '要点不全，请对照教材补充', '思路正确，计算有误', '请独立完成'] as const

const tools = [
  ['highlight', '高亮'],
  ['tick', '对勾'],
  ['cross', '叉'],
  ['comment', '评语'],
  ['stamp', '印章'],
] as const satisfies readonly (readonly [Annotation['kind'], string])[]

const colours: Record<Annotation['kind'], string> = {
  highlight: '#e6a23c',
  tick: '#18a058',
  cross: '#d03050',
  comment: '#2080f0',
  stamp: '#d03050',
}

/** Where in the words of an answer something is selected. */
const selectedIn = (box: HTMLElement | null) => {
  const selection = window.getSelection()
  const words = box?.querySelector('[data-words]')
  if (!selection || selection.isCollapsed || !words || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  if (!words.contains(range.startContainer) || !words.contains(range.endContainer)) return undefined
  const before = document.createRange()
  before.selectNodeContents(words)
  before.setEnd(range.startContainer, range.startOffset)
  const start = before.toString().length
  return { start, end: start + range.toString().length }
}

interface AnnotateProps {
  annotations: readonly Annotation[]
  kind: Annotation['kind']
  onKind: (kind: Annotation['kind']) => void
  text: string
  onText: (text: string) => void
  onMark: () => void
  onRemove: (at: number) => void
}

/** 批注: chosen, then put on selected words or on a place of a picture. */
const Annotate = ({ annotations, kind, onKind, text, onText, onMark, onRemove }: AnnotateProps) => (
  <section aria-label="批注">
    <Space wrap>
      <Radio.Group
        type="button"
        size="small"
        aria-label="批注类型"
        value={kind}
        options={tools.map(([value, label]) => ({ value, label }))}
        onChange={onKind}
      />
      <Input
        size="small"
        style={{ width: 220 }}
        aria-label="批注文字"
        placeholder="批注文字（可不填）"
        maxLength={MOST_WORDS}
        value={text}
        onChange={onText}
      />
      <Button size="small" disabled={annotations.length >= MOST_ANNOTATIONS} onClick={onMark}>
        标注选中的文字
      </Button>
    </Space>
    <p className="form-hint">选中答案中的文字后标注；图片附件点击即可标注。</p>
    <ul aria-label="已有批注">
      {annotations.map((annotation, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks have no number of their own
        <li key={at}>
          {tools.find(([value]) => value === annotation.kind)?.[1]} {annotation.text}
          <Button type="text" size="mini" status="danger" onClick={() => onRemove(at)}>
            删除
          </Button>
        </li>
      ))}
    </ul>
  </section>
)

interface ScoreProps {
  item: Item
  mark: Mark
  step: number
  onChange: (mark: Partial<Mark>) => void
  onNext: () => void
}

/** 得分: typed from anywhere on the page; Enter goes on. */
const ScoreBox = ({ item, mark, step, onChange, onNext }: ScoreProps) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const input = () => box.current?.querySelector('input')
    input()?.focus()
    const onKey = (event: KeyboardEvent) => {
      const from = event.target
      const typing =
        from instanceof HTMLElement && (from.isContentEditable || from.matches('input, textarea, select, button, a'))
      if (!typing && /^[\d.]$/.test(event.key) && !event.ctrlKey && !event.metaKey) input()?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const refusal = scoreRefusal(item, mark.score)
  return (
    <div ref={box}>
      <Space wrap>
        <InputNumber
          aria-label={`第${item.seq}题得分`}
          style={{ width: 140 }}
          min={0}
          // Beyond the question's own score the refusal says so; the box takes it.
          max={9_999}
          step={step}
          precision={1}
          error={refusal !== undefined}
          suffix={`/ ${score(item.fullScore)}`}
          value={mark.score ?? undefined}
          onChange={(value) => onChange({ score: typeof value === 'number' ? value : null })}
          onKeyDown={(event) => {
            if ('key' in event && event.key === 'Enter') onNext()
          }}
        />
        {quickScores(item.fullScore, step).map((value) => (
          <Button key={value} size="small" onClick={() => onChange({ score: value })}>
            {score(value)}
          </Button>
        ))}
        <Button size="small" onClick={onNext}>
          下一题
        </Button>
      </Space>
      {refusal && <p role="alert">{refusal}</p>}
    </div>
  )
}

interface QuestionProps {
  item: Item
  /** None of what is only looked at. */
  mark: Mark | undefined
  step: number
  onChange: (mark: Partial<Mark>) => void
  onNext: () => void
}

/** One question at the desk: what was asked, answered, expected, and what it is given. */
export const MarkedQuestion = ({ item, mark, step, onChange, onNext }: QuestionProps) => {
  const box = useRef<HTMLElement>(null)
  const [kind, setKind] = useState<Annotation['kind']>('highlight')
  const [text, setText] = useState('')
  const annotations = mark?.annotations ?? item.annotations
  const add = (anchor: Annotation['anchor']) => {
    if (annotations.length >= MOST_ANNOTATIONS) return
    onChange({ annotations: [...annotations, { kind, anchor, text: text.trim(), color: colours[kind] }] })
    setText('')
  }
  const addWords = () => {
    const place = selectedIn(box.current)
    if (place) add(place)
  }
  const hasWords = Boolean(item.answer?.html && linesIn(item.answer.html))
  return (
    <section ref={box} aria-label={`第${item.seq}题`}>
      <p className="form-hint">{item.sectionTitle}</p>
      <QuestionShown item={item} />
      <h3>学生答案</h3>
      <AnswerWords item={item} annotations={annotations} />
      {item.files.length > 0 && (
        <AnswerFiles
          files={item.files}
          annotations={annotations}
          onPlace={mark && ((fileId, x, y) => add({ fileId, page: 1, x, y, w: 0, h: 0 }))}
        />
      )}
      <h3>参考答案</h3>
      <Reference item={item} />
      {mark && isMine(item) ? (
        <>
          <div className="marking-score">
            <h3>得分</h3>
            <ScoreBox item={item} mark={mark} step={step} onChange={onChange} onNext={onNext} />
          </div>
          <h3>评语</h3>
          <Input.TextArea
            aria-label={`第${item.seq}题评语`}
            maxLength={MOST_COMMENT}
            autoSize={{ minRows: 2, maxRows: 6 }}
            value={mark.comment}
            onChange={(comment) => onChange({ comment })}
          />
          <Space wrap>
            {PHRASES.map((phrase) => (
              <Button
                key={phrase}
                size="mini"
                onClick={() => onChange({ comment: [mark.comment.trim(), phrase].filter(Boolean).join('；') })}
              >
                {phrase}
              </Button>
            ))}
          </Space>
          {(hasWords || item.files.length > 0) && (
            <Annotate
              annotations={annotations}
              kind={kind}
              onKind={setKind}
              text={text}
              onText={setText}
              onMark={addWords}
              onRemove={(at) => onChange({ annotations: annotations.filter((_, index) => index !== at) })}
            />
          )}
        </>
      ) : (
        <>
          <h3>得分</h3>
          <p>
            {score(item.score)} / {score(item.fullScore)}
            {item.ofAnother &&
              `　由其他教师批阅${item.markState === 'pending' ? `（${labelOf(listStudentHomework, 'state', 'submitted')}）` : ''}`}
          </p>
          <Button size="small" onClick={onNext}>
            下一题
          </Button>
        </>
      )}
    </section>
  )
}
