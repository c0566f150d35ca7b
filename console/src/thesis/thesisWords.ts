import type { DataOf, RowOf } from '@/api/operation'
import { points } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type {
  listDefenseGroups,
  listTheses,
  listThesisAdvisers,
  listThesisPlans,
  listThesisTopics,
  viewThesis,
} from './api'

export type Thesis = RowOf<typeof listTheses>
export type Plan = RowOf<typeof listThesisPlans>
export type Topic = RowOf<typeof listThesisTopics>
export type Adviser = RowOf<typeof listThesisAdvisers>
export type Group = RowOf<typeof listDefenseGroups>

export const statusTones: Partial<Record<Thesis['status'], Tone>> = {
  active: 'busy',
  finished: 'good',
  failed: 'bad',
  cancelled: 'quiet',
}

export const stageTones: Partial<Record<Thesis['stageStatus'], Tone>> = {
  pending: 'quiet',
  submitted: 'warning',
  passed: 'good',
  returned: 'bad',
  failed: 'bad',
}

export const planTones: Partial<Record<Plan['status'], Tone>> = { draft: 'quiet', active: 'good', closed: 'quiet' }

export const topicTones: Partial<Record<Topic['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'warning',
  approved: 'good',
  rejected: 'bad',
  closed: 'quiet',
}

export const groupTones: Partial<Record<Group['status'], Tone>> = { draft: 'quiet', arranged: 'busy', finished: 'good' }

export const resultTones: Partial<Record<NonNullable<Thesis['defenseResult']>, Tone>> = {
  passed: 'good',
  second: 'warning',
  failed: 'bad',
}

export type MarkItem = DataOf<typeof viewThesis>['reviews'][number]['items'][number]
export type TypedMarks = Record<string, number | undefined>

/** What was typed for the items of a rule, as it is sent. */
export const givenMarks = (items: readonly MarkItem[], typed: TypedMarks = {}) =>
  items.flatMap(({ code }) => {
    const score = typed[code]
    return score === undefined || score === null ? [] : [{ code, score }]
  })

/** 创新80、论证85: the items that were given; nothing where the score was given as a whole. */
export const marksText = (items: readonly MarkItem[]) =>
  items
    .flatMap(({ name, score }) => (score === null || score === undefined ? [] : [`${name}${points(score)}`]))
    .join('、')

type Standing = Pick<Thesis, 'status' | 'stage' | 'stageStatus'>

const isOver = ({ status }: Standing) => (status === 'active' ? undefined : '论文已结束')
const WRITTEN: readonly Thesis['stage'][] = ['proposal', 'draft', 'final']

/** Why something cannot be done with a thesis now; nothing where it can. */
export const can = {
  change: isOver,
  topic: (thesis: Standing) => isOver(thesis) ?? (thesis.stage === 'topic' ? undefined : '选题已完成，请用“变更题目”'),
  title: (thesis: Standing) => isOver(thesis) ?? (thesis.stage === 'topic' ? '选题阶段请指定题目' : undefined),
  decide: (thesis: Standing) =>
    isOver(thesis) ??
    (thesis.stageStatus === 'submitted' && thesis.stage !== 'defense' && thesis.stage !== 'topic'
      ? undefined
      : thesis.stage === 'review'
        ? undefined
        : '没有待审核的文稿'),
  upload: isOver,
  similarity: (thesis: Standing) =>
    isOver(thesis) ?? (thesis.stage === 'similarity' ? undefined : '终稿通过后才能查重'),
  review: (thesis: Standing) => isOver(thesis) ?? (thesis.stage === 'review' ? undefined : '查重通过后才能评阅'),
}

/** What staff may hand in for a student now: the document of the stage, and what stands beside every stage. */
export const uploadable = ({ stage, stageStatus }: Standing): readonly string[] => [
  ...(WRITTEN.includes(stage) && (stageStatus === 'pending' || stageStatus === 'returned') ? [stage] : []),
  'midterm',
  'revision',
  'slides',
]

/** Whether a topic was chosen for which the adviser has not yet said yes. */
export const isWaiting = ({ stage, stageStatus }: Standing) => stage === 'topic' && stageStatus === 'submitted'

type Check = Pick<Thesis, 'similarityRate' | 'similarityTool' | 'similarityOn' | 'similarityCount'>

/** 12.5%（知网，2026-04-20，第1次）: what the checker found last. */
export const similarityText = ({ similarityRate, similarityTool, similarityOn, similarityCount }: Check) => {
  if (similarityRate === null || similarityRate === undefined) return '—'
  const details = [similarityTool, similarityOn, `第${similarityCount}次`].filter(Boolean)
  return `${points(similarityRate)}%（${details.join('，')}）`
}

export interface Milestone {
  name: string
  from?: string | null
  to?: string | null
}

type Dates = Pick<
  Plan,
  | 'topicFrom'
  | 'topicTo'
  | 'proposalDue'
  | 'draftDue'
  | 'finalDue'
  | 'similarityDue'
  | 'reviewDue'
  | 'defenseFrom'
  | 'defenseTo'
>

/** The stages of a plan in their order, those that have a date. */
export const milestones = (plan: Dates): Milestone[] =>
  [
    { name: '选题', from: plan.topicFrom, to: plan.topicTo },
    { name: '开题', to: plan.proposalDue },
    { name: '初稿', to: plan.draftDue },
    { name: '终稿', to: plan.finalDue },
    { name: '查重', to: plan.similarityDue },
    { name: '评阅', to: plan.reviewDue },
    { name: '答辩', from: plan.defenseFrom, to: plan.defenseTo },
  ].filter(({ from, to }) => from || to)

/** Moves one of a list to another place: the order of a defence. */
export const moved = <Item>(items: readonly Item[], from: number, to: number): Item[] => {
  const next = [...items]
  const [one] = next.splice(from, 1)
  if (one === undefined || to < 0 || to >= items.length) return [...items]
  next.splice(to, 0, one)
  return next
}

/** The mean of the members who scored; five and more without the highest and the lowest. */
export const memberMean = (scores: readonly number[]): number | undefined => {
  if (scores.length === 0) return undefined
  const sorted = [...scores].sort((a, b) => a - b)
  const counted = sorted.length >= 5 ? sorted.slice(1, -1) : sorted
  return Math.floor((counted.reduce((sum, score) => sum + score, 0) / counted.length) * 10 + 0.5) / 10
}

/** A score that its items come to, by their weights; nothing while one is missing. */
export const weighted = (items: readonly { weight: number; score?: number | null }[]): number | undefined => {
  if (items.length === 0 || items.some(({ score }) => score === null || score === undefined)) return undefined
  const whole = items.reduce((sum, { weight }) => sum + weight, 0)
  const sum = items.reduce((all, { weight, score }) => all + weight * (score ?? 0), 0)
  return whole === 0 ? undefined : Math.floor((sum / whole) * 10 + 0.5) / 10
}
