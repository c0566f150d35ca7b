import type { DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { generateOpenings, listOpenings } from './api'

export type Opening = RowOf<typeof listOpenings>
export type Generated = DataOf<typeof generateOpenings>
export type GeneratedPlan = Generated['plans'][number]

/** The tones of openings by their state. */
export const statusTones: Partial<Record<Opening['status'], Tone>> = {
  draft: 'quiet',
  opened: 'good',
  closed: 'quiet',
  cancelled: 'bad',
}

type Whose = Pick<Opening, 'courseName' | 'gradeName' | 'majorName'>

/** What an opening is called where one is meant: 大学英语(一)（2026级会计学）. */
export const nameOf = ({ courseName, gradeName, majorName }: Whose) => {
  const whose = [gradeName, majorName].filter(Boolean).join('')
  return whose ? `${courseName}（${whose}）` : courseName
}

type InState = Pick<Opening, 'status'>

/** Whether it is not over. */
export const isGoingOn = ({ status }: InState) => status === 'draft' || status === 'opened'

/** Why a step is not to be had now; the server has the last word (03 B2). */
export const can = {
  edit: (opening: InState) => (isGoingOn(opening) ? undefined : '已结课和已取消的开课不能修改'),
}

type Filled = Pick<Opening, 'selectedCount' | 'capacity'>

/** 选课人数/上限. */
export const filling = ({ selectedCount, capacity }: Filled) => `${selectedCount} / ${capacity ?? '不限'}`

type Counts = Pick<Generated, 'created' | 'existing' | 'skipped'>

/** What came of a generation, in one line. */
export const countsOf = ({ created, existing, skipped }: Counts) =>
  `新增${created}个，已有${existing}个，未生成${skipped}个`

/** Why courses of a plan were left out, a sentence a reason. */
export const reasonsOf = (plan: Pick<GeneratedPlan, 'skips'>, wordOf: (reason: string) => string) =>
  plan.skips.map(({ reason, count, courses }) => {
    if (count === 0) return wordOf(reason)
    return `${wordOf(reason)}（${count}门）${courses.length > 0 ? `：${courses.join('、')}` : ''}`
  })

/** Plans of whose courses something was left out come first, the others as they were. */
export const leftOutFirst = (plans: readonly GeneratedPlan[]) =>
  [...plans].sort((a, b) => Number(b.skips.length > 0) - Number(a.skips.length > 0))

interface Synced {
  added: number
  dropped: number
  moved: number
}

/** What became of the rosters. */
export const syncedWords = ({ added, dropped, moved }: Synced) =>
  added + dropped + moved === 0 ? '名单没有变动' : `名单已同步：新增${added}人，退选${dropped}人，转入${moved}人`
