import { Button, Input, InputNumber, Select } from '@arco-design/web-react'
import { IconDelete, IconDown, IconPlus, IconUp } from '@arco-design/web-react/icon'
import { useEnumeration } from '@/settings/useEnumeration'
import { listQuestions } from './api'
import { SeveralOfBank } from './choices'
import { titleAt } from './composition'
import { newItem, type RuleItem, ruleTotal } from './ruleItems'

const MOST_ITEMS = 30
const MOST_COUNT = 200
const MOST_SCORE = 100
const MOST_TITLE = 100

const optionsOf = (field: 'type' | 'difficulty') =>
  (listQuestions.fields[field]?.options ?? []).map(([value, label]) => ({ value, label }))
const typeOptions = optionsOf('type')

const wordsOf = (type: string) => typeOptions.find(({ value }) => value === type)?.label ?? ''

interface RuleItemsInputProps {
  courseId?: number
  /** What the paper is to come to. */
  target?: number
  value?: RuleItem[]
  onChange?: (items: RuleItem[]) => void
  'aria-label'?: string
}

/** 抽题项: each is a section of the paper, with how many questions of which kind it draws. */
export const RuleItemsInput = ({ courseId, target = 100, value = [], onChange }: RuleItemsInputProps) => {
  const rules = useEnumeration('multipleRule')
  const change = (at: number, next: Partial<RuleItem>) =>
    onChange?.(value.map((item, index) => (index === at ? { ...item, ...next } : item)))
  const move = (from: number, to: number) => {
    const item = value[from]
    if (item && to >= 0 && to < value.length) onChange?.(value.toSpliced(from, 1).toSpliced(to, 0, item))
  }
  const total = ruleTotal(value)
  return (
    <fieldset className="subs-input rule-items" aria-label="抽题项">
      {value.map((item, at) => {
        const name = `第${at + 1}项`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
          <section key={at} aria-label={name}>
            <header>
              <strong>{name}</strong>
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
                  disabled={value.length <= 1}
                  aria-label={`删除${name}`}
                  onClick={() => onChange?.(value.toSpliced(at, 1))}
                />
              </span>
            </header>
            <div className="rule-item">
              <div>
                <span>题型</span>
                <Select
                  aria-label={`${name}题型`}
                  value={item.type}
                  options={typeOptions}
                  onChange={(type: RuleItem['type']) => {
                    const isOffered = item.title === '' || item.title === titleAt(at, wordsOf(item.type))
                    change(at, { type, ...(isOffered && { title: titleAt(at, wordsOf(type)) }) })
                  }}
                />
              </div>
              <div>
                <span>大题标题</span>
                <Input
                  aria-label={`${name}大题标题`}
                  maxLength={MOST_TITLE}
                  value={item.title}
                  onChange={(title) => change(at, { title })}
                />
              </div>
              <div>
                <span>难度</span>
                <Select
                  aria-label={`${name}难度`}
                  mode="multiple"
                  placeholder="不限"
                  allowClear
                  value={item.difficulties ?? []}
                  options={optionsOf('difficulty')}
                  onChange={(difficulties: RuleItem['difficulties']) => change(at, { difficulties })}
                />
              </div>
              <div>
                <span>题数</span>
                <InputNumber
                  aria-label={`${name}题数`}
                  min={1}
                  max={MOST_COUNT}
                  precision={0}
                  value={item.count}
                  onChange={(count) => change(at, { count: count || 1 })}
                />
              </div>
              <div>
                <span>每题分值</span>
                <InputNumber
                  aria-label={`${name}每题分值`}
                  min={0}
                  max={MOST_SCORE}
                  step={0.5}
                  precision={1}
                  value={item.scoreEach}
                  onChange={(scoreEach) => change(at, { scoreEach: scoreEach || 0 })}
                />
              </div>
              <div>
                <span>多选题计分</span>
                <Select
                  aria-label={`${name}多选题计分`}
                  value={item.multipleRule ?? 'all_or_nothing'}
                  options={rules.map(({ code, desc }) => ({ value: code, label: desc }))}
                  onChange={(multipleRule: RuleItem['multipleRule']) => change(at, { multipleRule })}
                />
              </div>
              <div>
                <span>题库</span>
                <SeveralOfBank
                  type="questionBank"
                  courseId={courseId}
                  label={`${name}题库`}
                  value={item.bankIds ?? []}
                  onChange={(bankIds) => change(at, { bankIds })}
                />
              </div>
              <div>
                <span>章节</span>
                <SeveralOfBank
                  type="chapter"
                  courseId={courseId}
                  label={`${name}章节`}
                  value={item.chapterIds ?? []}
                  onChange={(chapterIds) => change(at, { chapterIds })}
                />
              </div>
              <div>
                <span>知识点</span>
                <SeveralOfBank
                  type="knowledgePoint"
                  courseId={courseId}
                  label={`${name}知识点`}
                  value={item.knowledgePointIds ?? []}
                  onChange={(knowledgePointIds) => change(at, { knowledgePointIds })}
                />
              </div>
            </div>
          </section>
        )
      })}
      <div className="lines-foot">
        <Button
          size="small"
          icon={<IconPlus />}
          disabled={value.length >= MOST_ITEMS}
          onClick={() => onChange?.([...value, newItem(titleAt(value.length, wordsOf('single_choice')))])}
        >
          添加抽题项
        </Button>
        <output>
          共{total.count}题 / {total.score.toFixed(1)}分 / 目标 {target.toFixed(1)}分
        </output>
      </div>
    </fieldset>
  )
}
