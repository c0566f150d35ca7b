import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { formatNumber } from '@/kit/format'
import { usePlaces } from '@/kit/usePlaces'
import { listRegistrations } from '@/registration/api'

interface ReportedProps {
  count: number
  /** Of which batch, site and major; none while it is not known by which list they are found. */
  of?: { batchId: number; siteId?: number; majorId?: number }
}

/** How many reported, and behind the number who they are. */
export const Reported = ({ count, of }: ReportedProps) => {
  const places = usePlaces()
  const may = useAllowed()(listRegistrations)
  if (!may || !of) return formatNumber(count)
  return (
    <Link className="overview-link" to={places('registrations', { ...of, status: 'reported' })} title="查看已报到人员">
      {formatNumber(count)}
    </Link>
  )
}
