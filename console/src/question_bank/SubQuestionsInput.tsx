import { Button, Checkbox, Select } from '@arco-design/web-react'
import { IconDelete, IconDown, IconPlus, IconUp } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { labelOf } from '@/kit/labels'
import { AnswerInput, ScoreInput, UploadInput } from './AnswerInput'
import { listQuestions } from './api'
import { ContentInput } from './ContentInput'
import { OptionsInput } from './OptionsInput'
import {
  isChoice,
  isParent,
  MOST_CHARACTERS,
  MOST_SUB_QUESTIONS,
  newSub,
  type QuestionType,
  type SubDraft,
  sumOf,
  switched,
  wordsIn,
} from './questionRules'

/** What may stand below another: every type but those that are parents themselves. */
const types = (listQuestions.fields.type?.options ?? [])
  .filter(([type]) => !isParent(type))
  .map(([value, label]) => ({ value, label }))

interface SubQuestionsInputProps {
  value?: SubDraft[]
  onChange?: (subs: SubDraft[]) => void
  /** The type stays once the question stands in a paper that was frozen. */
  typeFixed?: boolean
  'aria-label'?: string
}

const START = 40

/** 小题 of a 综合题 or 听力题: one is open at a time, the others show how they begin. */
export const SubQuestionsInput = ({ value = [], onChange, typeFixed = false }: SubQuestionsInputProps) => {
  const [open, setOpen] = useState(value[0]?.key)
  const change = (key: number, next: Partial<SubDraft>) =>
    onChange?.(value.map((sub) => (sub.key === key ? { ...sub, ...next } : sub)))
  const move = (from: number, to: number) => {
    const sub = value[from]
    if (sub && to >= 0 && to < value.length) onChange?.(value.toSpliced(from, 1).toSpliced(to, 0, sub))
  }
  const add = () => {
    const sub = newSub(value.at(-1)?.type)
    setOpen(sub.key)
    onChange?.([...value, sub])
  }
  return (
    <fieldset className="subs-input" aria-label="小题">
      {value.map((sub, at) => {
        const name = `第${at + 1}小题`
        const isOpen = sub.key === open
        return (
          <section key={sub.key} aria-label={name}>
            <header>
              <button
                type="button"
                className="row-name"
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? undefined : sub.key)}
              >
                {name}（{labelOf(listQuestions, 'type', sub.type)}，{sub.defaultScore.toFixed(1)}分）
                {!isOpen && wordsIn(sub.stem).slice(0, START)}
              </button>
              <span>
                <Button
                  type="text"
                  size="mini"
                  icon={<IconUp />}
                  disabled={at === 0}
                  aria-label={`${name}上移`}
                  onClick={() => move(at, at - 1)}
                />
                <Button
                  type="text"
                  size="mini"
                  icon={<IconDown />}
                  disabled={at === value.length - 1}
                  aria-label={`${name}下移`}
                  onClick={() => move(at, at + 1)}
                />
                <Button
                  type="text"
                  size="mini"
                  status="danger"
                  icon={<IconDelete />}
                  aria-label={`删除${name}`}
                  onClick={() => onChange?.(value.toSpliced(at, 1))}
                />
              </span>
            </header>
            {isOpen && <Sub sub={sub} name={name} typeFixed={typeFixed} change={(next) => change(sub.key, next)} />}
          </section>
        )
      })}
      <div className="lines-foot">
        <Button
          icon={<IconPlus />}
          disabled={value.length >= MOST_SUB_QUESTIONS}
          title={value.length >= MOST_SUB_QUESTIONS ? '最多20个小题' : undefined}
          onClick={add}
        >
          添加小题
        </Button>
        <output>
          {value.length}小题，合计{sumOf(value.map(({ defaultScore }) => defaultScore)).toFixed(1)}分
        </output>
      </div>
    </fieldset>
  )
}

interface SubProps {
  sub: SubDraft
  name: string
  typeFixed: boolean
  change: (next: Partial<SubDraft>) => void
}

const Sub = ({ sub, name, typeFixed, change }: SubProps) => (
  <div className="sub-input">
    <div className="lines-foot">
      <Select
        aria-label={`${name}题型`}
        value={sub.type}
        options={types}
        disabled={sub.unseen || (typeFixed && sub.id !== undefined)}
        onChange={(type: QuestionType) => change(switched(sub, type))}
      />
      <span>分值</span>
      <ScoreInput
        label={`${name}分值`}
        value={sub.defaultScore}
        onChange={(defaultScore) => change({ defaultScore })}
      />
    </div>
    <ContentInput
      aria-label={`${name}题干`}
      most={MOST_CHARACTERS}
      blanks={sub.type === 'fill_blank'}
      value={sub.stem}
      onChange={(stem) => change({ stem })}
    />
    {isChoice(sub.type) ? (
      <OptionsInput
        several={sub.type === 'multiple_choice'}
        unseen={sub.unseen}
        prefix={name}
        value={sub.options}
        onChange={(options) => change({ options })}
      />
    ) : (
      !sub.unseen && (
        <AnswerInput type={sub.type} prefix={name} value={sub.answer} onChange={(answer) => change({ answer })} />
      )
    )}
    {sub.type === 'essay' && (
      <Checkbox checked={sub.allowAttachment} onChange={(allowAttachment: boolean) => change({ allowAttachment })}>
        可以上传附件
      </Checkbox>
    )}
    {(sub.type === 'file_upload' || sub.allowAttachment) && (
      <UploadInput prefix={name} value={sub.upload} onChange={(upload) => change({ upload })} />
    )}
    {!sub.unseen && (
      <ContentInput
        compact
        aria-label={`${name}解析`}
        value={sub.analysis}
        onChange={(analysis) => change({ analysis })}
      />
    )}
  </div>
)
