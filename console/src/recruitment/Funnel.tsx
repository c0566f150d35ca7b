import { Button } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { FunnelFigures, SchoolFunnel } from '@/api/types/recruitment'
import { formatNumber, formatTime } from '@/kit/format'
import { SchoolBars } from '@/kit/SchoolBars'
import { usePlaces } from '@/kit/usePlaces'
import { listRegistrations } from '@/registration/api'
import { type listPreRegistrations, viewPreRegistrationFunnel } from './api'
import './preRegistration.css'

type Figures = FunnelFigures
type OfSchool = SchoolFunnel

/** The filters behind which a figure's people stand. */
export type Behind = Pick<BodyOf<typeof listPreRegistrations>, 'status' | 'examStatus'>

interface Figure {
  field: Exclude<keyof Figures, 'admissionRate' | 'reportRate'>
  label: string
  help: string
  /** None where no one filter has them all. */
  behind?: Behind
}

const percent = (rate: number | null | undefined) => (rate == null ? '—' : `${rate.toFixed(1)}%`)

const figures: readonly Figure[] = [
  { field: 'total', label: '报名', help: '预报名人数，不含回收站', behind: {} },
  { field: 'approved', label: '通过', help: '审核状态为已通过的人数', behind: { status: 'approved' } },
  { field: 'registered', label: '网报', help: '已网报的人数，含已录取和未录取' },
  { field: 'admitted', label: '录取', help: '考试状态为已录取的人数', behind: { examStatus: 'admitted' } },
]
const RATE_HELP = '录取率：录取人数占网报人数的百分比'
const REPORTED_HELP = '已录取并已报到的人数'
const REPORT_RATE_HELP = '报到率：报到人数占录取人数的百分比'

/** How far the people of each school came. */
const Schools = ({ schools }: { schools: readonly OfSchool[] }) => (
  <SchoolBars
    caption="各院校预报名转化"
    bars="报名，其中录取"
    heads={[...figures.map(({ label }) => label), '录取率', '报到', '报到率']}
    rows={schools.map(({ schoolId, schoolName, figures: of }) => ({
      schoolId,
      schoolName,
      whole: of.total,
      part: of.admitted,
      figures: [
        ...figures.map(({ field }) => formatNumber(of[field])),
        percent(of.admissionRate),
        formatNumber(of.reported),
        percent(of.reportRate),
      ],
    }))}
  />
)

/** 报到 as the last step: those who came stand in the list of registrations, beside people who never were leads. */
const Reported = ({ all }: { all: Figures | undefined }) => {
  const places = usePlaces()
  const allowed = useAllowed()
  if (!all) return '—'
  const count = formatNumber(all.reported)
  if (!allowed(listRegistrations)) return count
  return (
    <Link
      className="overview-link"
      to={places('registrations', { status: 'reported' })}
      title="查看已报到名单，含未预报名的人员"
    >
      {count}
    </Link>
  )
}

/** How many of those of the step before. */
const Rate = ({ of, help }: { of: number | null | undefined; help: string }) =>
  of == null ? null : (
    <small className="funnel-rate" title={help}>
      {percent(of)}
    </small>
  )

interface FunnelProps {
  /** Of this batch, else of all. */
  batchId: number | undefined
  /** Leads to a figure's people. */
  onFollow: (behind: Behind) => void
}

/** 转化: how many of those who told the school that they want to study came further. */
export const Funnel = ({ batchId, onFollow }: FunnelProps) => {
  const request = useRequest()
  const [folded, setFolded] = useState(true)
  const funnel = useQuery({
    queryKey: [viewPreRegistrationFunnel.path, batchId],
    queryFn: ({ signal }) => request(viewPreRegistrationFunnel, { query: { batchId } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const all = funnel.data?.all
  const schools = funnel.data?.schools ?? []
  return (
    <section className="funnel" aria-label="预报名转化">
      <dl className={funnel.isPlaceholderData ? 'table-stale' : undefined}>
        {figures.map(({ field, label, help, behind }) => (
          <div key={field} title={help}>
            <dt>{label}</dt>
            <dd>
              {behind && all ? (
                <Button type="text" size="mini" aria-label={`查看${label}名单`} onClick={() => onFollow(behind)}>
                  {formatNumber(all[field])}
                </Button>
              ) : (
                formatNumber(all?.[field]) || '—'
              )}
              {field === 'admitted' && <Rate of={all?.admissionRate} help={RATE_HELP} />}
            </dd>
          </div>
        ))}
        <div title={REPORTED_HELP}>
          <dt>报到</dt>
          <dd>
            <Reported all={all} />
            <Rate of={all?.reportRate} help={REPORT_RATE_HELP} />
          </dd>
        </div>
      </dl>
      {funnel.isError && (
        <span role="alert">
          {messageOf(funnel.error)}
          <Button type="text" size="mini" onClick={() => funnel.refetch()}>
            重试
          </Button>
        </span>
      )}
      {all && <small>截至 {formatTime(new Date(funnel.dataUpdatedAt), 'HH:mm')}</small>}
      {schools.length > 0 && (
        <Button type="text" size="mini" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
          {folded ? '展开各院校' : '收起各院校'}
        </Button>
      )}
      {schools.length > 0 && !folded && <Schools schools={schools} />}
    </section>
  )
}
