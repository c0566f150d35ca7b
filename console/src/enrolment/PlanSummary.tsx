import { Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import { useRequest } from '@/api/schoolContext'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import { Admitted } from './Admitted'
import { summarizeSiteEnrollments } from './api'
import { BatchSelect, batches } from './BatchSelect'
import { type MajorColumn, MajorTable } from './MajorTable'
import { useMajorNumbers } from './majorNumbers'

type OfMajor = RowOf<typeof summarizeSiteEnrollments>
type Figure = 'siteCount' | 'quota' | 'applied' | 'allocated' | 'remaining' | 'admitted'

const figures: readonly Figure[] = ['siteCount', 'quota', 'applied', 'allocated', 'remaining']

const wordOf = (field: Figure) => summarizeSiteEnrollments.columns[field]?.label ?? field

const columns: readonly MajorColumn<OfMajor>[] = figures.map((field) => ({
  title: wordOf(field),
  width: 100,
  align: 'right',
  of: (major) => (major[field] == null ? '—' : formatNumber(major[field])),
}))

/** 录取 of each major, which leads to its people. */
const admittedOf = (batchId: number, numbers: ReadonlyMap<number, number>): MajorColumn<OfMajor> => ({
  title: wordOf('admitted'),
  width: 100,
  align: 'right',
  of: ({ id, admitted }) => {
    const majorId = numbers.get(id)
    return <Admitted count={admitted} of={majorId === undefined ? undefined : { batchId, majorId }} />
  },
})

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
            columns={[...columns, admittedOf(batchId, numbers)]}
            empty="该批次还没有招生专业"
            foot={majors.length > 0 && <Totals batchId={batchId} majors={majors} />}
          />
          <p className="form-hint">
            申报、已分配和录取为您数据范围内的站点，录取不含不予入学和已注销；截至{' '}
            {formatTime(new Date(summary.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
          </p>
        </>
      )}
    </Loaded>
  )
}

/** 按专业汇总: what the sites of a batch took on of each major. The newest batch, unless another is chosen. */
export const PlanSummary = () => {
  const [search, change] = useAddress()
  const newest = useOptions(listOptions, batches.query(''))
  const asked = Number(search.get('batchId')) || undefined
  return (
    <Loaded query={newest}>
      {([first]) => {
        const batchId = asked ?? first?.code
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
            {batchId === undefined ? (
              <p className="form-hint">还没有招生批次</p>
            ) : (
              <OfBatch key={batchId} batchId={batchId} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
