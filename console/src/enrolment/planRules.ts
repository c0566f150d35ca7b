import type { RowOf } from '@/api/operation'
import type { SiteEnrollmentLineForm } from '@/api/types/enrolment'
import type { Tone } from '@/kit/Status'
import type { listSiteEnrollments, viewSiteEnrollment } from './api'

export type Plan = RowOf<typeof listSiteEnrollments>
export type PlanView = RowOf<typeof viewSiteEnrollment>
export type Line = PlanView['lines'][number]

/** A plan's tones by its state. */
export const statusTones: Partial<Record<Plan['status'], Tone>> = {
  draft: 'quiet',
  submitted: 'busy',
  approved: 'good',
  rejected: 'warning',
}

type InState = Pick<Plan, 'status'>

/** Why a step is not to be had now; the server has the last word (02 §5). */
export const can = {
  edit: ({ status }: InState) => {
    if (status === 'submitted') return '已提交的申报不能修改，请先退回'
    return status === 'approved' ? '已核定的申报不能修改，请先撤销核定' : undefined
  },
  submit: ({ status }: InState) => {
    if (status === 'draft') return undefined
    return status === 'rejected' ? '退回的申报请先修改，再提交' : '该申报已提交'
  },
  decide: ({ status }: InState) => (status === 'submitted' ? undefined : '只有待审核的申报可以审核'),
  revoke: ({ status }: InState) => (status === 'approved' ? undefined : '只有已核定的申报可以撤销核定'),
  delete: ({ status }: InState) => (status === 'draft' ? undefined : '只有草稿可以删除'),
}

/** A line as it is typed: a number may still be missing. */
export type TypedLine = Pick<SiteEnrollmentLineForm, 'enrollmentMajorId'> & { quotaApplied?: number | null }

/** Why lines cannot be sent yet. */
export const linesRefusal = (lines: readonly TypedLine[] | undefined) => {
  if (!lines || lines.length === 0) return '请选择申报专业'
  return lines.some(({ quotaApplied }) => quotaApplied == null) ? '请填写每个专业的申报人数' : undefined
}

/** 核定人数 by the line's number, as it is typed. */
export type Granted = Readonly<Record<number, number | undefined>>

/** What the school grants when it changes nothing: all that was declared. */
export const asApplied = (lines: readonly Line[]): Granted =>
  Object.fromEntries(lines.map(({ id, quotaApplied }) => [id, quotaApplied]))

export const sumOf = (granted: Granted) => Object.values(granted).reduce<number>((sum, each) => sum + (each ?? 0), 0)

/** How many more of a major are granted than are left of it; what is left is told to whole-school people only. */
export const exceededBy = ({ remaining }: Pick<Line, 'remaining'>, granted: number | undefined) =>
  remaining == null ? 0 : Math.max(0, (granted ?? 0) - Math.max(0, remaining))

/** How many people a site would have beyond its capacity; 0 is no capacity, and is not measured. */
export const overCapacity = ({ capacity, studentCount }: Pick<PlanView, 'capacity' | 'studentCount'>, sum: number) =>
  capacity > 0 ? Math.max(0, studentCount + sum - capacity) : 0

export interface PlansOfSchool {
  schoolId: number
  schoolName: string
  plans: number
  applied: number
  approved: number
  admitted: number
}

type Figures = Pick<Plan, 'schoolId' | 'schoolName' | 'quotaApplied' | 'quotaApproved' | 'admitted'>

/** Figures of each school's plans, the largest first. */
export const bySchool = (plans: readonly Figures[]): PlansOfSchool[] => {
  const schools = new Map<number, PlansOfSchool>()
  for (const { schoolId, schoolName, quotaApplied, quotaApproved, admitted } of plans) {
    if (schoolId == null) continue
    const none = { schoolId, schoolName: schoolName ?? '', plans: 0, applied: 0, approved: 0, admitted: 0 }
    const of = schools.get(schoolId) ?? none
    schools.set(schoolId, {
      ...of,
      plans: of.plans + 1,
      applied: of.applied + quotaApplied,
      approved: of.approved + (quotaApproved ?? 0),
      admitted: of.admitted + admitted,
    })
  }
  return [...schools.values()].sort((a, b) => b.applied - a.applied || a.schoolId - b.schoolId)
}
