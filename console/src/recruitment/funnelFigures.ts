import type { BodyOf } from '@/api/operation'
import type { FunnelFigures } from '@/api/types/recruitment'
import type { listPreRegistrations } from './api'

/** The filters behind which a figure's people stand. */
export type Behind = Pick<BodyOf<typeof listPreRegistrations>, 'status' | 'examStatus' | 'reached'> & {
  siteId?: string
  majorId?: string
}

interface Rate {
  field: 'admissionRate' | 'reportRate'
  label: string
  help: string
}

interface Figure {
  field: Exclude<keyof FunnelFigures, Rate['field']>
  label: string
  help: string
  behind: Behind
  /** Of those of the step before. */
  rate?: Rate
}

/** The steps in their order, each with its people. */
export const funnelFigures: readonly Figure[] = [
  { field: 'total', label: '报名', help: '预报名人数，不含回收站', behind: {} },
  { field: 'approved', label: '通过', help: '审核状态为已通过的人数', behind: { status: 'approved' } },
  { field: 'registered', label: '网报', help: '已网报的人数，含已录取和未录取', behind: { reached: 'registered' } },
  {
    field: 'admitted',
    label: '录取',
    help: '考试状态为已录取的人数',
    behind: { examStatus: 'admitted' },
    rate: { field: 'admissionRate', label: '录取率', help: '录取率：录取人数占网报人数的百分比' },
  },
  {
    field: 'reported',
    label: '报到',
    help: '已录取并已报到的人数',
    behind: { reached: 'reported' },
    rate: { field: 'reportRate', label: '报到率', help: '报到率：报到人数占录取人数的百分比' },
  },
]

/** The filters of a list that shows a figure's people alone: all others go. */
export const filtersBehind = ({ status, examStatus, reached, siteId, majorId }: Behind) => ({
  status: status ?? undefined,
  examStatus: examStatus ?? undefined,
  reached: reached ?? undefined,
  siteId,
  majorId,
})
