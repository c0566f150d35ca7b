import { Button, Checkbox } from '@arco-design/web-react'
import { IconDelete, IconDown, IconUp } from '@arco-design/web-react/icon'
import { type DragEvent, useState } from 'react'
import { labelOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { listQuestions } from './api'
import {
  firstNumbers,
  movedTo,
  type Outcome,
  type PaperQuestion,
  type Section,
  sectionStepped,
  stepped,
  titleAt,
  withoutQuestions,
  withScore,
  withSubScore,
} from './composition'
import { isParent, sumOf, wordsIn } from './questionRules'
import { SavedScore } from './SavedScore'
import { SectionForm } from './SectionForm'
import type { PaperDesk } from './usePaper'

export const typeWords = (type: string) => labelOf(listQuestions, 'type', type)

interface PaperLinesProps {
  desk: PaperDesk
  sections: readonly Section[]
  /** Ticked questions, where several are changed at once. */
  ticked?: readonly number[]
  onTick?: (ids: readonly number[]) => void
  onOpen?: (question: PaperQuestion) => void
  /** Replaces a question by another one like it. */
  onReplace?: (question: PaperQuestion) => void
  /** The section into which questions go, where one is chosen. */
  target?: number
  onTarget?: (at: number) => void
}

/** The sections of a paper with their questions: scores in place, order by dragging or by the keyboard, removal. */
export const PaperLines = (props: PaperLinesProps) => {
  const { desk, sections, target, onTarget } = props
  const [dragged, setDragged] = useState<number>()
  const [edited, setEdited] = useState<number | 'new'>()
  const first = firstNumbers(sections)
  const compose = (outcome: readonly Section[] | Outcome) => desk.compose(outcome)
  const drop = (to: number, at?: number) => {
    if (dragged !== undefined) compose(movedTo(sections, [dragged], to, at, typeWords))
    setDragged(undefined)
  }
  const over = (event: DragEvent) => {
    if (dragged !== undefined) event.preventDefault()
  }
  return (
    <>
      {sections.map((section, at) => (
        <section
          key={section.id ?? at}
          className="paper-section"
          aria-label={section.title}
          onDragOver={over}
          onDrop={(event) => {
            event.preventDefault()
            drop(at)
          }}
        >
          <header>
            <h2>
              {section.title}{' '}
              <span className="nothing">
                {section.questions.length}题 {sumOf(section.questions.map(({ score }) => score)).toFixed(1)}分
              </span>
            </h2>
            <span className="paper-line-tools">
              {onTarget && (
                <Button
                  size="mini"
                  type={target === at ? 'primary' : 'secondary'}
                  aria-pressed={target === at}
                  onClick={() => onTarget(at)}
                >
                  {target === at ? '加入到这里' : '选为目标'}
                </Button>
              )}
              <Button size="mini" type="text" aria-label={`编辑${section.title}`} onClick={() => setEdited(at)}>
                编辑
              </Button>
              <Button
                size="mini"
                type="text"
                icon={<IconUp />}
                disabled={at === 0 || desk.isBusy}
                aria-label={`${section.title}上移`}
                onClick={() => compose(sectionStepped(sections, at, -1))}
              />
              <Button
                size="mini"
                type="text"
                icon={<IconDown />}
                disabled={at === sections.length - 1 || desk.isBusy}
                aria-label={`${section.title}下移`}
                onClick={() => compose(sectionStepped(sections, at, 1))}
              />
              <Button
                size="mini"
                type="text"
                status="danger"
                icon={<IconDelete />}
                disabled={section.questions.length > 0 || desk.isBusy}
                title={section.questions.length > 0 ? '请先移出其中的试题' : undefined}
                aria-label={`删除${section.title}`}
                onClick={() => compose(sections.toSpliced(at, 1))}
              />
            </span>
          </header>
          {section.questions.length === 0 && <p className="nothing">还没有试题</p>}
          <ol>
            {section.questions.map((question, index) => (
              <Line
                key={question.questionId}
                {...props}
                question={question}
                number={(first[at] ?? 0) + index + 1}
                isFirst={index === 0}
                isLast={index === section.questions.length - 1}
                onDrag={setDragged}
                onOver={over}
                onDropped={() => drop(at, index)}
              />
            ))}
          </ol>
        </section>
      ))}
      <Button size="small" disabled={desk.isBusy} onClick={() => setEdited('new')}>
        新增大题
      </Button>
      {edited !== undefined && (
        <SectionForm
          section={edited === 'new' ? undefined : sections[edited]}
          title={titleAt(sections.length, '')}
          save={(section) =>
            compose(edited === 'new' ? [...sections, section] : sections.toSpliced(edited, 1, section))
          }
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

interface LineProps extends PaperLinesProps {
  question: PaperQuestion
  number: number
  isFirst: boolean
  isLast: boolean
  onDrag: (id: number | undefined) => void
  onOver: (event: DragEvent) => void
  onDropped: () => void
}

const MOST_WORDS = 60

const Line = (props: LineProps) => {
  const { desk, sections, question, number, isFirst, isLast, ticked, onTick, onOpen, onReplace } = props
  const { questionId: id, type, stem, status, score } = question
  const name = `第${number}题`
  const words = wordsIn(stem).slice(0, MOST_WORDS) || '（仅图片或公式）'
  return (
    <li
      className="paper-line"
      draggable={!desk.isBusy}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        props.onDrag(id)
      }}
      onDragEnd={() => props.onDrag(undefined)}
      onDragOver={props.onOver}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        props.onDropped()
      }}
    >
      {onTick && ticked ? (
        <Checkbox
          aria-label={`选择${name}`}
          checked={ticked.includes(id)}
          onChange={(on) => onTick(on ? [...ticked, id] : ticked.filter((other) => other !== id))}
        />
      ) : (
        <span>{number}.</span>
      )}
      <div className="paper-line-words">
        {onOpen ? (
          <button type="button" className="row-name" title={words} onClick={() => onOpen(question)}>
            {onTick && `${number}. `}
            {words}
          </button>
        ) : (
          <p title={words}>{words}</p>
        )}
        <span className="nothing">{typeWords(type)}</span>{' '}
        {status !== 'enabled' && <Word tone="warning">{labelOf(listQuestions, 'status', status)}</Word>}
      </div>
      <span className="paper-line-tools">
        <SavedScore
          label={`${name}分值`}
          value={score}
          disabled={desk.isBusy}
          save={(next) => desk.compose(withScore(sections, [id], next))}
        />
        {onReplace && (
          <Button
            size="mini"
            type="text"
            disabled={desk.isBusy}
            aria-label={`替换${name}`}
            onClick={() => onReplace(question)}
          >
            替换
          </Button>
        )}
        <Button
          size="mini"
          type="text"
          icon={<IconUp />}
          disabled={isFirst || desk.isBusy}
          aria-label={`${name}上移`}
          onClick={() => desk.compose(stepped(sections, id, -1))}
        />
        <Button
          size="mini"
          type="text"
          icon={<IconDown />}
          disabled={isLast || desk.isBusy}
          aria-label={`${name}下移`}
          onClick={() => desk.compose(stepped(sections, id, 1))}
        />
        <Button
          size="mini"
          type="text"
          status="danger"
          icon={<IconDelete />}
          disabled={desk.isBusy}
          aria-label={`移出${name}`}
          onClick={() => desk.compose(withoutQuestions(sections, [id]))}
        />
      </span>
      {onTick && isParent(type) && (
        <div className="paper-subs">
          {question.subQuestions.map((sub, at) => (
            <span key={sub.id}>
              ({at + 1}){' '}
              <SavedScore
                label={`${name}第${at + 1}小题分值`}
                value={question.subScores?.[at] ?? sub.defaultScore}
                disabled={desk.isBusy}
                save={(next) => desk.compose(withSubScore(sections, id, at, next))}
              />
            </span>
          ))}
        </div>
      )}
    </li>
  )
}
