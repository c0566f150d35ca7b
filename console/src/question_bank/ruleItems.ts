import type { BodyOf, DataOf } from '@/api/operation'
import type { savePaperRule, viewPaperRule } from './api'

/** What a rule draws, as it is typed (03 A8). Pure; the server repeats every check. */

export type RuleItem = BodyOf<typeof savePaperRule>['items'][number]

export const newItem = (title: string): RuleItem => ({
  title,
  type: 'single_choice',
  count: 10,
  scoreEach: 2,
  multipleRule: 'all_or_nothing',
})

type KeptItem = DataOf<typeof viewPaperRule>['items'][number]

/** What a new rule begins with. */
export const firstItems = (): KeptItem[] => [
  {
    ...newItem('一、单选题'),
    multipleRule: 'all_or_nothing',
    bankIds: [],
    chapterIds: [],
    difficulties: [],
    knowledgePointIds: [],
    sortNo: 1,
  },
]

/** The form as it is sent: the place of an item is its place in the list. */
export const sentItems = (values: object) => {
  if (!('items' in values) || !Array.isArray(values.items)) return values
  return { ...values, items: values.items.map(({ sortNo: _place, ...item }: KeptItem) => item) }
}

/** How many questions the rule draws, and what they count for. */
export const ruleTotal = (items: readonly Pick<RuleItem, 'count' | 'scoreEach'>[]) => ({
  count: items.reduce((sum, { count }) => sum + count, 0),
  score: items.reduce((sum, { count, scoreEach }) => sum + count * Math.round(scoreEach * 10), 0) / 10,
})

/** Why the items cannot stay so. */
export const itemsRefusal = (items: readonly RuleItem[], target: number | undefined) => {
  if (items.length === 0) return '至少需要1个抽题项'
  const untitled = items.findIndex(({ title }) => !title.trim())
  if (untitled >= 0) return `请填写第${untitled + 1}项的大题标题`
  const worthless = items.findIndex(({ scoreEach }) => scoreEach <= 0)
  if (worthless >= 0) return `请填写第${worthless + 1}项的每题分值`
  const { score } = ruleTotal(items)
  return target === undefined || score === target
    ? undefined
    : `各项合计${score.toFixed(1)}分，与目标总分${target.toFixed(1)}不一致`
}
