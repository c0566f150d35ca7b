import { Link } from 'react-router'
import { listAdmissions } from '@/admission/api'
import { useAllowed } from '@/api/identity'
import { formatNumber } from '@/kit/format'
import { usePlaces } from '@/kit/usePlaces'

interface AdmittedProps {
  count: number
  /** Of which batch, site and major; none while it is not known by which list they are found. */
  of?: { batchId: number; siteId?: number; majorId?: number }
}

/** How many were admitted, and behind the number who they are. */
export const Admitted = ({ count, of }: AdmittedProps) => {
  const places = usePlaces()
  const may = useAllowed()(listAdmissions)
  if (!may || !of) return formatNumber(count)
  return (
    <Link className="overview-link" to={places('admittedStudents', of)} title="查看录取学生">
      {formatNumber(count)}
    </Link>
  )
}
