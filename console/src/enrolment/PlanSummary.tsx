import { Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import { Admitted } from './Admitted'
import { summarizeSiteEnrollments } from './api'
import { BatchSelect } from './BatchSelect'
import { type MajorColumn, MajorTable } from './MajorTable'
import { useMajorNumbers } from './majorNumbers'
import { useOpenBatch } from './openBatch'
import { Reported } from './Reported'

type OfMajor = RowOf<typeof summarizeSiteEnrollments>
type Figure = 'siteCount' | 'quota' | 'applied' | 'allocated' | 'remaining' | 'admitted' | 'reported'

const figures: readonly Figure[] = ['siteCount', 'quota', 'applied', 'allocated', 'remaining']

const wordOf = (field: Figure) => summarizeSiteEnrollments.columns[field]?.label ?? field

const columns: readonly MajorColumn<OfMajor>[] = figures.map((field) => ({
  title: wordOf(field),
  width: 100,
  align: 'right',
  of: (major) => (major[field] == null ? '—' : formatNumber(major[field])),
}))

/** 录取 and 报到 of each major, which lead to their people. */
const peopleOf = (batchId: number, numbers: ReadonlyMap<number, number>): readonly MajorColumn<OfMajor>[] => {
  const of = (id: number) => {
    const majorId = numbers.get(id)
    return majorId === undefined ? undefined : { batchId, majorId }
  }
  return [
    {
      title: wordOf('admitted'),
      width: 100,
      align: 'right',
      of: ({ id, admitted }) => <Admitted count={admitted} of={of(id)} />,
    },
    {
      title: wordOf('reported'),
      width: 100,
      align: 'right',
      of: ({ id, reported }) => <Reported count={reported} of={of(id)} />,
    },
  ]
}

const sum = (majors: readonly OfMajor[], field: Figure) =>
  majors.reduce((total, major) => total + (major[field] ?? 0), 0)

/** What all majors of the batch have together, and the plans that make it. */
const Totals = ({ batchId, majors }: { batchId: number; majors: readonly OfMajor[] }) => {
  const places = usePlaces()
  const led = (field: Figure, filter: object) => (
    <Link className="overview-link" to={places('siteEnrollments', { batchId, ...filter })}>
      {formatNumber(sum(majors, field))}
    </Link>
  )
  const isWhole = majors.every(({ remaining }) => remaining != null)
  return (
    <Table.Summary.Row>
      <Table.Summary.Cell colSpan={3}>合计{formatNumber(majors.length)}个专业</Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">{formatNumber(sum(majors, 'quota'))}</Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">{led('applied', {})}</Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">{led('allocated', { status: 'approved' })}</Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">
        {isWhole ? formatNumber(sum(majors, 'remaining')) : '—'}
      </Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">
        <Admitted count={sum(majors, 'admitted')} of={{ batchId }} />
      </Table.Summary.Cell>
      <Table.Summary.Cell className="plan-sum">
        <Reported count={sum(majors, 'reported')} of={{ batchId }} />
      </Table.Summary.Cell>
    </Table.Summary.Row>
  )
}

const OfBatch = ({ batchId }: { batchId: number }) => {
  const request = useRequest()
  const numbers = useMajorNumbers(batchId)
  const summary = useQuery({
    queryKey: [summarizeSiteEnrollments.path, batchId],
    queryFn: ({ signal }) => request(summarizeSiteEnrollments, { body: { batchId } }, { signal }),
  })
  return (
    <Loaded query={summary}>
      {(majors) => (
        <>
          <MajorTable
            rows={majors}
            keyOf={({ id }) => id}
            columns={[...columns, ...peopleOf(batchId, numbers)]}
            empty="该批次还没有招生专业"
            foot={majors.length > 0 && <Totals batchId={batchId} majors={majors} />}
          />
          <p className="form-hint">
            申报、已分配、录取和报到为您数据范围内的站点，录取不含不予入学和已注销；截至{' '}
            {formatTime(new Date(summary.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
          </p>
        </>
      )}
    </Loaded>
  )
}

/** 按专业汇总: what the sites of a batch took on of each major. The open batch, unless another is chosen. */
export const PlanSummary = () => {
  const [search, change] = useAddress()
  const open = useOpenBatch()
  const batchId = Number(search.get('batchId')) || open.batchId
  return (
    <>
      <div className="filters plan-batch">
        <div className="filter">
          <span className="filter-label">批次</span>
          <BatchSelect
            closed
            value={batchId}
            onChange={(id) =>
              change((before) => {
                const after = new URLSearchParams(before)
                if (id === undefined) after.delete('batchId')
                else after.set('batchId', String(id))
                return after
              })
            }
          />
        </div>
      </div>
      {batchId !== undefined && <OfBatch key={batchId} batchId={batchId} />}
      {batchId === undefined && <p className="form-hint">{open.isSettled ? '请选择批次' : '正在载入'}</p>}
    </>
  )
}
