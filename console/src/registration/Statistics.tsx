import { Empty, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { BodyOf, DataOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { BatchSelect } from '@/enrolment/BatchSelect'
import { useOpenBatch } from '@/enrolment/openBatch'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { SchoolBars } from '@/kit/SchoolBars'
import { SchoolNotices } from '@/kit/SchoolNotices'
import { useSchoolChoice } from '@/kit/schoolChoice'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { usePlaces } from '@/kit/usePlaces'
import { listRegistrations, summarizeRegistrations } from './api'
import { type Figures, lengthOf } from './registrationRules'
import '@/kit/figures.css'
import './registration.css'

type Asked = BodyOf<typeof summarizeRegistrations>
type Answer = DataOf<typeof summarizeRegistrations>

const HELP =
  '应到为已到、保留、放弃与未报到之和，未报到含待报到和逾期未报到；取消资格不计入应到；报到率为已到占应到的百分比'

const useFigures = (body: Asked, enabled = true) => {
  const request = useRequest()
  return useQuery({
    queryKey: [summarizeRegistrations.path, body],
    queryFn: ({ signal }) => request(summarizeRegistrations, { body }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** The figures in their order, each with the list of those who are counted. */
const figures: readonly {
  field: 'expected' | 'reported' | 'reserved' | 'abandoned' | 'missing' | 'revoked'
  label: string
  behind: { status?: string; sheet?: string }
}[] = [
  { field: 'expected', label: '应到', behind: {} },
  { field: 'reported', label: '已到', behind: { status: 'reported' } },
  { field: 'reserved', label: '保留', behind: { status: 'reserved' } },
  { field: 'abandoned', label: '放弃', behind: { status: 'abandoned' } },
  { field: 'missing', label: '未报到', behind: { sheet: 'missing' } },
  { field: 'revoked', label: '取消资格', behind: { status: 'revoked' } },
]

type Of = Readonly<Record<string, number | undefined>>

interface CountProps {
  row: Figures
  figure: (typeof figures)[number]
  /** By what the people of the line are found. */
  of: Of
}

/** A figure that leads to its people; 应到 leads to all of the line, also those whose right was taken away. */
const Count = ({ row, figure: { field, label, behind }, of }: CountProps) => {
  const places = usePlaces()
  const beside = field === 'expected' && row.revoked > 0 ? `，名单中另有取消资格${formatNumber(row.revoked)}人` : ''
  return (
    <Link
      className="overview-link"
      to={places('registrations', { ...of, ...behind })}
      title={`查看${row.name}${label}名单${beside}`}
    >
      {formatNumber(row[field])}
    </Link>
  )
}

/** 应到 as a bar, and in front of it 已到; the figures beside it tell both. */
const Bar = ({ row, longest }: { row: Figures; longest: number }) => (
  <span className="arrival-bar" aria-hidden="true">
    <span style={{ width: `${lengthOf(row.expected, longest)}%` }} />
    <span style={{ width: `${lengthOf(row.reported, longest)}%` }} />
  </span>
)

interface LinesProps {
  answer: Answer
  by: 'site' | 'major'
  batchId: number | undefined
}

const Lines = ({ answer: { rows, all }, by, batchId }: LinesProps) => {
  const longest = Math.max(0, ...rows.map(({ expected }) => expected))
  const lineOf = ({ id }: Figures): Of => ({ batchId, [by === 'site' ? 'siteId' : 'majorId']: id })
  return (
    <Table
      rowKey="id"
      size="small"
      border={{ wrapper: true }}
      pagination={false}
      data={rows}
      noDataElement={<Empty description="还没有报到数据。录取审核通过的人员在这里统计。" />}
      scroll={{ x: 1080 }}
      summary={
        rows.length > 0
          ? () => (
              <Table.Summary.Row>
                <Table.Summary.Cell colSpan={2}>合计</Table.Summary.Cell>
                {figures.map((figure) => (
                  <Table.Summary.Cell key={figure.field} className="arrival-sum">
                    <Count row={all} figure={figure} of={{ batchId }} />
                  </Table.Summary.Cell>
                ))}
                <Table.Summary.Cell className="arrival-sum">{formatPercent(all.reportRate)}</Table.Summary.Cell>
              </Table.Summary.Row>
            )
          : undefined
      }
      columns={[
        {
          title: by === 'site' ? '站点' : '专业',
          dataIndex: 'name',
          width: 220,
          render: (_: unknown, { name, code, levelName }: Figures) => [levelName, name, code].filter(Boolean).join(' '),
        },
        {
          title: '应到，其中已到',
          dataIndex: 'bar',
          width: 220,
          render: (_: unknown, row: Figures) => <Bar row={row} longest={longest} />,
        },
        ...figures.map((figure) => ({
          title: figure.label,
          dataIndex: figure.field,
          width: 90,
          align: 'right' as const,
          render: (_: unknown, row: Figures) => <Count row={row} figure={figure} of={lineOf(row)} />,
        })),
        {
          title: '报到率',
          dataIndex: 'reportRate',
          width: 100,
          align: 'right',
          render: (_: unknown, row: Figures) => formatPercent(row.reportRate),
        },
      ]}
    />
  )
}

const groups = [
  ['site', '按站点'],
  ['major', '按专业'],
] as const
type Group = (typeof groups)[number][0]

const OfSchool = () => {
  const [search, change] = useAddress()
  const open = useOpenBatch()
  const by: Group = search.get('by') === 'major' ? 'major' : 'site'
  const set = (name: 'by' | 'batchId', value: string | undefined) =>
    change((before) => {
      const after = new URLSearchParams(before)
      if (value === undefined) after.delete(name)
      else after.set(name, value)
      return after
    })
  const batchId = Number(search.get('batchId')) || open.batchId
  const told = useFigures({ batchId, by }, batchId !== undefined || open.isSettled)
  const choice = useSchoolChoice()
  return (
    <>
      <div className="filters arrival-figures">
        {choice?.picker}
        <div className="filter">
          <span className="filter-label">批次</span>
          <BatchSelect
            closed
            value={batchId}
            onChange={(id) => set('batchId', id === undefined ? undefined : String(id))}
          />
        </div>
        <TabList
          label="统计方式"
          tabs={groups}
          value={by}
          onChange={(next) => set('by', next === 'site' ? undefined : next)}
        />
      </div>
      <Loaded query={told}>
        {(answer) => (
          <div className={told.isPlaceholderData ? 'table-stale' : undefined}>
            <Lines answer={answer} by={by} batchId={batchId} />
            <p className="form-hint arrival-note">
              {HELP}；为您数据范围内的站点；截至 {formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
            </p>
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Of all schools together: a batch is one school's, so those of all batches are counted. */
const OfSchools = () => {
  const told = useFigures({ by: 'school' })
  const choice = useSchoolChoice()
  return (
    <Loaded query={told}>
      {({ rows, all, notices }) => (
        <>
          <div className="filters arrival-figures">{choice?.picker}</div>
          <SchoolNotices operation={listRegistrations} notices={notices} />
          <div className="arrival-schools">
            <SchoolBars
              caption="各院校报到"
              bars="应到，其中已到"
              heads={[...figures.map(({ label }) => label), '报到率']}
              rows={rows.map((row) => ({
                schoolId: row.id,
                schoolName: row.name,
                whole: row.expected,
                part: row.reported,
                figures: [...figures.map(({ field }) => formatNumber(row[field])), formatPercent(row.reportRate)],
              }))}
            />
          </div>
          <p className="form-hint arrival-note">
            合计：应到{formatNumber(all.expected)}人，已到{formatNumber(all.reported)}人，报到率
            {formatPercent(all.reportRate)}。{HELP}；为全部批次；选定院校后可按站点、专业查看；截至{' '}
            {formatTime(new Date(told.dataUpdatedAt), 'YYYY-MM-DD HH:mm')}
          </p>
        </>
      )}
    </Loaded>
  )
}

/** 报到统计: of those who should come, how many came, were kept, gave up or are missing; each number leads to its people. */
export const Statistics = () => (isOverAll(useSchoolContext()) ? <OfSchools /> : <OfSchool />)
