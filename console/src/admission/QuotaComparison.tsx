import { Button, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DataOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { Admitted } from '@/enrolment/Admitted'
import { useMajorNumbers } from '@/enrolment/majorNumbers'
import { useOpenBatch } from '@/enrolment/openBatch'
import { Expander } from '@/kit/Expander'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import { beyond, completion } from './admissionRules'
import { listAdmissions, viewAdmissionQuota } from './api'
import './admission.css'

const studyForms = new Map<string, string>(listAdmissions.fields.studyForm?.options)

type Quota = DataOf<typeof viewAdmissionQuota>

/** A major of the batch, or one of its sites. */
interface Line {
  key: string
  name: string
  quota: number | null | undefined
  admitted: number
  unassigned?: number | null
  /** By which list the people are found; none while that is not known. */
  of?: { batchId: number; majorId: number; siteId?: number }
  children?: Line[]
}

const linesOf = ({ batchId, majors }: Quota, numbers: ReadonlyMap<number, number>): Line[] =>
  majors.map((major) => {
    const majorId = numbers.get(major.enrollmentMajorId)
    const of = majorId === undefined ? undefined : { batchId, majorId }
    const key = String(major.enrollmentMajorId)
    return {
      key,
      name: `${major.majorName}（${major.levelName} ${studyForms.get(major.studyForm) ?? ''}）`,
      quota: major.quota,
      admitted: major.admitted,
      unassigned: major.unassigned,
      of,
      children: major.sites.map((site) => ({
        key: `${key}-${site.siteId}`,
        name: site.siteName,
        quota: site.quota,
        admitted: site.admitted,
        of: of && { ...of, siteId: site.siteId },
      })),
    }
  })

/** How full the plan is, drawn beside the figures that tell it. */
const Bar = ({ line: { admitted, quota } }: { line: Line }) => (
  <span className="quota-bar" aria-hidden="true">
    <span
      className={beyond(admitted, quota) > 0 ? 'over' : undefined}
      style={{ width: `${Math.min(100, quota ? (admitted * 100) / quota : admitted > 0 ? 100 : 0)}%` }}
    />
  </span>
)

/** Those of a major who have no site yet. */
const Unassigned = ({ line: { unassigned, of } }: { line: Line }) => {
  const places = usePlaces()
  if (unassigned == null) return <span className="nothing">—</span>
  if (!of) return formatNumber(unassigned)
  return (
    <Link
      className="overview-link"
      to={places('admittedStudents', { ...of, assigned: 'false' })}
      title="查看待分配的录取学生"
    >
      {formatNumber(unassigned)}
    </Link>
  )
}

const OfBatch = ({ batchId }: { batchId: number }) => {
  const call = useCall()
  const numbers = useMajorNumbers(batchId)
  const quota = useQuery({
    queryKey: [viewAdmissionQuota.path, batchId],
    queryFn: () => call(viewAdmissionQuota, { query: { batchId } }),
  })
  return (
    <Loaded query={quota} rows={4}>
      {(told) => {
        const lines = linesOf(told, numbers)
        const byKey = new Map(lines.map((line) => [line.key, line]))
        return (
          <>
            <small>
              {told.batchName}；专业的计划为招生计划，站点的计划为核定人数；不含不予入学和已注销；截至{' '}
              {formatTime(new Date(quota.dataUpdatedAt), 'HH:mm')}
            </small>
            <Table
              className="quota-table"
              rowKey="key"
              size="mini"
              border={{ wrapper: true }}
              pagination={false}
              scroll={{ y: 220 }}
              data={lines}
              noDataElement={<Empty description="该批次还没有招生专业" />}
              expandProps={{
                icon: ({ expanded, record, ...button }) => {
                  const line = byKey.get(String(record.key))
                  return line?.children?.length ? <Expander {...button} expanded={expanded} name={line.name} /> : null
                },
              }}
              columns={[
                { title: '专业、站点', dataIndex: 'name' },
                {
                  title: '计划',
                  dataIndex: 'quota',
                  width: 80,
                  align: 'right',
                  render: (planned: number | null) => (planned == null ? '未核定' : formatNumber(planned)),
                },
                {
                  title: '录取',
                  dataIndex: 'admitted',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, { admitted, of }: Line) => <Admitted count={admitted} of={of} />,
                },
                {
                  title: '对比',
                  dataIndex: 'bar',
                  width: 160,
                  render: (_: unknown, line: Line) => <Bar line={line} />,
                },
                {
                  title: '完成率',
                  dataIndex: 'rate',
                  width: 160,
                  render: (_: unknown, { admitted, quota: planned }: Line) => {
                    const over = beyond(admitted, planned)
                    return (
                      <>
                        {completion(admitted, planned)}{' '}
                        {over > 0 && <Word tone="warning">超出{formatNumber(over)}人</Word>}
                      </>
                    )
                  },
                },
                {
                  title: '待分配',
                  dataIndex: 'unassigned',
                  width: 80,
                  align: 'right',
                  render: (_: unknown, line: Line) => <Unassigned line={line} />,
                },
              ]}
            />
          </>
        )
      }}
    </Loaded>
  )
}

interface QuotaComparisonProps {
  /** The batch that the list shows, else the open one. */
  shown: number | undefined
}

const Compared = ({ shown }: QuotaComparisonProps) => {
  const open = useOpenBatch()
  const batchId = shown ?? open.batchId
  if (batchId === undefined) return <span role="status">{open.isSettled ? '请先按招生批次筛选' : '正在载入'}</span>
  return <OfBatch key={batchId} batchId={batchId} />
}

/** 招生计划对比: who was admitted to each major and site, against what was planned; each number leads to its people. */
export const QuotaComparison = ({ shown }: QuotaComparisonProps) => {
  const [folded, setFolded] = useState(true)
  return (
    <section className={folded ? 'admission-fold' : 'admission-fold open'} aria-label="招生计划对比">
      <Button type="text" size="mini" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        {folded ? '展开招生计划对比' : '收起招生计划对比'}
      </Button>
      {!folded && <Compared shown={shown} />}
    </section>
  )
}
