import { Button, Table } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, DataOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { SchoolBars } from '@/kit/SchoolBars'
import { SchoolNotices } from '@/kit/SchoolNotices'
import { TabList } from '@/kit/TabList'
import { listScoreSheets, summarizeScoreSheets } from './api'
import { enteredShare, sheetFilterOf } from './scoreWords'
import './scores.css'

type Asked = BodyOf<typeof summarizeScoreSheets>
type Row = DataOf<typeof summarizeScoreSheets>['rows'][number]

/** 录入 is about what is entered, 审核 about what waits. */
type About = 'entry' | 'review'

const since = (row: Row) => (row.oldestAt ? formatTime(row.oldestAt, 'YYYY-MM-DD HH:mm') : '—')

const FIGURES: Record<About, readonly (readonly [string, (row: Row) => string])[]> = {
  entry: [
    ['登记表', (row) => formatNumber(row.sheets)],
    ['应录', (row) => formatNumber(row.totalCount)],
    ['已录', (row) => formatNumber(row.enteredCount)],
    ['录入率', (row) => formatPercent(enteredShare(row))],
    ['逾期', (row) => formatNumber(row.overdue)],
  ],
  review: [
    ['待初审', (row) => formatNumber(row.toReview)],
    ['待终审', (row) => formatNumber(row.toAudit)],
    ['待发布', (row) => formatNumber(row.toPublish)],
    ['最早等待', since],
  ],
}

const groups = [
  ['site', '按站点'],
  ['course', '按课程'],
] as const

const useProgress = (body: Asked) => {
  const request = useRequest()
  return useQuery({
    queryKey: [summarizeScoreSheets.path, body],
    queryFn: ({ signal }) => request(summarizeScoreSheets, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
}

interface LinesProps {
  about: About
  by: 'site' | 'course'
  filter: Asked['filter']
}

const Lines = ({ about, by, filter }: LinesProps) => (
  <Loaded query={useProgress({ by, filter })}>
    {({ rows }) => (
      <Table
        size="small"
        rowKey="id"
        border={{ wrapper: true }}
        pagination={rows.length > 20 ? { pageSize: 20 } : false}
        data={rows}
        columns={[
          { title: by === 'site' ? '站点' : '课程', dataIndex: 'name', width: 240 },
          ...FIGURES[about].map(([title, shown]) => ({
            title,
            align: 'right' as const,
            render: (_: unknown, row: Row) => shown(row),
          })),
        ]}
      />
    )}
  </Loaded>
)

interface SheetProgressProps {
  table: { body: object }
  about: About
}

/** 进度 of the sheets that the list names: together, and by site or course; over schools each school by itself. */
export const SheetProgress = ({ table, about }: SheetProgressProps) => {
  const overAll = isOverAll(useSchoolContext())
  const [folded, setFolded] = useState(true)
  const [by, setBy] = useState<'site' | 'course'>('site')
  const filter: Asked['filter'] = sheetFilterOf(table.body)
  const told = useProgress({ by: overAll ? 'school' : 'site', filter })
  const figures = FIGURES[about]
  const parts = overAll ? '各院校' : '各站点、课程'
  return (
    <Loaded query={told} rows={1}>
      {({ all, rows, notices }) => (
        <>
          {overAll && <SchoolNotices operation={listScoreSheets} notices={notices} />}
          <div className="score-progress">
            <ul aria-label={about === 'entry' ? '录入进度' : '审核进度'}>
              {figures.map(([title, shown]) => (
                <li key={title}>
                  {title} <strong>{shown(all)}</strong>
                </li>
              ))}
            </ul>
            {rows.length > 0 && (
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
          </div>
          {!folded && overAll && (
            <SchoolBars
              caption={about === 'entry' ? '各院校录入进度' : '各院校审核进度'}
              bars={about === 'entry' ? '应录，其中已录' : '等待审核和发布'}
              heads={figures.map(([title]) => title)}
              rows={rows.map((row) => ({
                schoolId: row.id,
                schoolName: row.name,
                whole: about === 'entry' ? row.totalCount : row.toReview + row.toAudit + row.toPublish,
                part: about === 'entry' ? row.enteredCount : 0,
                figures: figures.map(([, shown]) => shown(row)),
              }))}
            />
          )}
          {!folded && !overAll && (
            <>
              <TabList label="进度明细" tabs={groups} value={by} onChange={setBy} />
              <Lines about={about} by={by} filter={filter} />
            </>
          )}
        </>
      )}
    </Loaded>
  )
}
