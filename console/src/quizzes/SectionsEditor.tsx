import { Button, Form, Input } from '@arco-design/web-react'
import { IconDelete, IconDown, IconPlus, IconUp } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { moved } from '@/catalogue/courseContent'
import { ScoreInput } from '@/question_bank/AnswerInput'
import { ProblemPicker } from './ProblemPicker'
import { type ChosenProblem, chosenIn, countOf, newSection, type SectionDraft, totalOf } from './quizContent'
import './quizzes.css'

const MOST_SECTIONS = 50
const MOST_TITLE = 60

interface StepsProps {
  name: string
  first: boolean
  last: boolean
  move: (by: 1 | -1) => void
  remove: () => void
}

const Steps = ({ name, first, last, move, remove }: StepsProps) => (
  <span className="paper-steps">
    <Button
      type="text"
      size="mini"
      icon={<IconUp />}
      disabled={first}
      aria-label={`${name}上移`}
      onClick={() => move(-1)}
    />
    <Button
      type="text"
      size="mini"
      icon={<IconDown />}
      disabled={last}
      aria-label={`${name}下移`}
      onClick={() => move(1)}
    />
    <Button type="text" size="mini" status="danger" icon={<IconDelete />} aria-label={`删除${name}`} onClick={remove} />
  </span>
)

interface SectionProps {
  section: SectionDraft
  /** Its place in the paper, and the number of its first question. */
  at: number
  from: number
  last: boolean
  change: (next: Partial<SectionDraft>) => void
  move: (by: 1 | -1) => void
  remove: () => void
  choose: () => void
}

const Section = ({ section, at, from, last, change, move, remove, choose }: SectionProps) => {
  const { title, problems } = section
  const name = `第${at + 1}大题`
  const put = (index: number, next: Partial<ChosenProblem>) =>
    change({ problems: problems.map((problem, place) => (place === index ? { ...problem, ...next } : problem)) })
  return (
    <fieldset className="paper-section" aria-label={name}>
      <div className="paper-line">
        <Input
          aria-label={`${name}标题`}
          placeholder="大题标题，如：一、单项选择题"
          maxLength={MOST_TITLE}
          value={title}
          onChange={(text) => change({ title: text })}
        />
        <Button size="small" icon={<IconPlus />} aria-label={`${name}选题`} onClick={choose}>
          选题
        </Button>
        <Steps name={name} first={at === 0} last={last} move={move} remove={remove} />
      </div>
      <ol className="paper-problems" start={from}>
        {problems.map((problem, index) => {
          const each = `第${from + index}题`
          return (
            <li key={problem.problemId}>
              <span className="paper-stem">
                [{problem.type}] {problem.stem}
              </span>
              <ScoreInput label={`${each}分值`} value={problem.score} onChange={(score) => put(index, { score })} />
              <Steps
                name={each}
                first={index === 0}
                last={index === problems.length - 1}
                move={(by) => change({ problems: moved(problems, index, by) })}
                remove={() => change({ problems: problems.toSpliced(index, 1) })}
              />
            </li>
          )
        })}
      </ol>
      {problems.length === 0 && <p className="nothing">还没有试题，点击“选题”加入。</p>}
    </fieldset>
  )
}

interface SectionsEditorProps {
  value?: SectionDraft[]
  onChange?: (sections: SectionDraft[]) => void
  'aria-label'?: string
}

/** 组卷: sections with their questions, each with what it is worth. */
export const SectionsEditor = ({ value = [], onChange }: SectionsEditorProps) => {
  const { form } = Form.useFormContext()
  const paperTotal: unknown = Form.useWatch('totalScore', form)
  const [choosing, setChoosing] = useState<number>()
  const change = (key: number, next: Partial<SectionDraft>) =>
    onChange?.(value.map((section) => (section.key === key ? { ...section, ...next } : section)))
  const startOf = (at: number) => countOf(value.slice(0, at)) + 1
  const total = totalOf(value)
  const chosen = value.find(({ key }) => key === choosing)
  return (
    <div className="paper-editor">
      {value.map((section, at) => (
        <Section
          key={section.key}
          section={section}
          at={at}
          from={startOf(at)}
          last={at === value.length - 1}
          change={(next) => change(section.key, next)}
          move={(by) => onChange?.(moved(value, at, by))}
          remove={() => onChange?.(value.toSpliced(at, 1))}
          choose={() => setChoosing(section.key)}
        />
      ))}
      <div className="paper-foot">
        <Button
          icon={<IconPlus />}
          disabled={value.length >= MOST_SECTIONS}
          onClick={() => onChange?.([...value, newSection()])}
        >
          添加大题
        </Button>
        <output aria-label="组卷合计">
          {countOf(value)}题，合计{total}分
        </output>
        {total > 0 && total !== paperTotal && (
          <Button
            type="text"
            size="small"
            onClick={() => {
              form.setFieldsValue({ totalScore: total })
              form.validate(['sections']).catch(() => undefined)
            }}
          >
            设为总分
          </Button>
        )}
      </div>
      <ProblemPicker
        key={choosing}
        visible={chosen !== undefined}
        chosen={chosenIn(value)}
        onChoose={(problems) => chosen && change(chosen.key, { problems: [...chosen.problems, ...problems] })}
        onClose={() => setChoosing(undefined)}
      />
    </div>
  )
}
