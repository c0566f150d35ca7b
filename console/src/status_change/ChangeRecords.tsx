import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useSchoolContext } from '@/api/schoolContext'
import { columnsOf } from '@/kit/columns'
import { ShortList } from '@/kit/ShortList'
import { usePlaces } from '@/kit/usePlaces'
import { paths } from '@/paths'
import { listChanges } from './api'
import { type Row, resultOf, targetWords } from './changeRules'
import { statusTones } from './tones'
import '@/kit/figures.css'

/** To the change in its list: that of its results, or the queue of a school. */
export const ToChange = ({ row }: { row: Row }) => {
  const places = usePlaces()
  const { area } = useSchoolContext()
  const record = { keyword: row.changeNo, open: row.id }
  const result = resultOf(row)
  const queue = `${paths.changeApplications}?${new URLSearchParams({ keyword: row.changeNo, open: String(row.id) })}`
  if (!result && area === 'platform') return row.changeNo
  return (
    <Link className="overview-link" to={result ? places(result.place, { tab: result.tab, ...record }) : queue}>
      {row.changeNo}
    </Link>
  )
}

const columns = columnsOf(listChanges, [
  { field: 'changeNo', width: 150, render: (row) => <ToChange row={row} /> },
  { field: 'type', width: 100 },
  { field: 'after', title: '内容', width: 180, render: targetWords },
  { field: 'status', title: '状态', width: 110, tones: statusTones },
  { field: 'effectiveOn', width: 110 },
])

/** The changes that were asked for within a student's file, for whoever may look at them. */
export const ChangeRecords = ({ studentId }: { studentId: number }) => {
  const may = useAllowed()(listChanges)
  return may ? (
    <ShortList of={listChanges} filter={{ studentId }} columns={columns} page="异动申请" empty="没有申请过学籍异动" />
  ) : null
}
