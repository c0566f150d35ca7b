import { Button } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import type { SchoolFunnel } from '@/api/types/recruitment'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { SchoolBars } from '@/kit/SchoolBars'
import { viewPreRegistrationFunnel } from './api'
import { FunnelLines } from './FunnelLines'
import { type Behind, funnelFigures } from './funnelFigures'
import './preRegistration.css'

type OfSchool = SchoolFunnel

/** How far the people of each school came. */
const Schools = ({ schools }: { schools: readonly OfSchool[] }) => (
  <SchoolBars
    caption="各院校预报名转化"
    bars="报名，其中录取"
    heads={funnelFigures.flatMap(({ label, rate }) => (rate ? [label, rate.label] : [label]))}
    rows={schools.map(({ schoolId, schoolName, figures: of }) => ({
      schoolId,
      schoolName,
      whole: of.total,
      part: of.admitted,
      figures: funnelFigures.flatMap(({ field, rate }) =>
        rate ? [formatNumber(of[field]), formatPercent(of[rate.field])] : [formatNumber(of[field])],
      ),
    }))}
  />
)

/** How many of those of the step before. */
const Rate = ({ of, help }: { of: number | null | undefined; help: string }) =>
  of == null ? null : (
    <small className="funnel-rate" title={help}>
      {formatPercent(of)}
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
  const overAll = isOverAll(useSchoolContext())
  const [folded, setFolded] = useState(true)
  const funnel = useQuery({
    queryKey: [viewPreRegistrationFunnel.path, batchId],
    queryFn: ({ signal }) => request(viewPreRegistrationFunnel, { query: { batchId } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const all = funnel.data?.all
  const schools = funnel.data?.schools ?? []
  const parts = overAll ? '各院校' : '各站点、专业'
  return (
    <section className="funnel" aria-label="预报名转化">
      <dl className={funnel.isPlaceholderData ? 'table-stale' : undefined}>
        {funnelFigures.map(({ field, label, help, behind, rate }) => (
          <div key={field} title={help}>
            <dt>{label}</dt>
            <dd>
              {all ? (
                <Button type="text" size="mini" aria-label={`查看${label}名单`} onClick={() => onFollow(behind)}>
                  {formatNumber(all[field])}
                </Button>
              ) : (
                '—'
              )}
              {rate && <Rate of={all?.[rate.field]} help={rate.help} />}
            </dd>
          </div>
        ))}
      </dl>
      {funnel.isError && (
        <span role="alert">
          {messageOf(funnel.error)}
          <Button type="text" size="mini" onClick={() => funnel.refetch()}>
            重试
          </Button>
        </span>
      )}
      {all && !folded && <small>截至 {formatTime(new Date(funnel.dataUpdatedAt), 'HH:mm')}</small>}
      {(!overAll || schools.length > 0) && (
        <Button
          type="text"
          size="mini"
          aria-label={`明细：${parts}`}
          aria-expanded={!folded}
          icon={folded ? <IconDown /> : <IconUp />}
          onClick={() => setFolded(!folded)}
        >
          明细
        </Button>
      )}
      {overAll && schools.length > 0 && !folded && <Schools schools={schools} />}
      {!overAll && !folded && <FunnelLines batchId={batchId} onFollow={onFollow} />}
    </section>
  )
}
