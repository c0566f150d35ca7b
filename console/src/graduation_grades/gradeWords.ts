import type { RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type { listGraduationScores, listInternships } from './api'

export type Grade = RowOf<typeof listGraduationScores>

export const internshipTones: Partial<Record<RowOf<typeof listInternships>['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'warning',
  passed: 'good',
  returned: 'bad',
}

export const gradeTones: Partial<Record<Grade['status'], Tone>> = {
  pending: 'quiet',
  entering: 'busy',
  submitted: 'warning',
  reviewed: 'warning',
  published: 'good',
  locked: 'good',
  returned: 'bad',
}

const ENTERED: readonly Grade['status'][] = ['pending', 'entering', 'returned']

/** Why a grade cannot be taken on now; nothing where it can. */
export const can = {
  enter: ({ status }: Pick<Grade, 'status'>) => (ENTERED.includes(status) ? undefined : '成绩已提交，请先退回'),
  submit: ({ status }: Pick<Grade, 'status'>) => (ENTERED.includes(status) ? undefined : '成绩已提交'),
  review: ({ status }: Pick<Grade, 'status'>) => (status === 'submitted' ? undefined : '只有待审核的可以审核'),
  reject: ({ status }: Pick<Grade, 'status'>) =>
    status === 'submitted' || status === 'reviewed' ? undefined : '提交后、发布前的可以退回',
  publish: ({ status }: Pick<Grade, 'status'>) => (status === 'reviewed' ? undefined : '审核通过后才能发布'),
  lock: ({ status }: Pick<Grade, 'status'>) => (status === 'published' ? undefined : '只有已发布的可以锁定'),
}
