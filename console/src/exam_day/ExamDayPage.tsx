import { Empty } from '@arco-design/web-react'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { listExamPoints, listExamSeats } from '@/exam_seats/api'
import { ExamPoints } from '@/exam_seats/ExamPoints'
import { SeatingTab } from '@/exam_seats/SeatingTab'
import { SeatList } from '@/exam_seats/SeatList'
import { listDeferrals, listViolations } from '@/exams/api'
import { batches } from '@/exams/choices'
import { Deferrals } from '@/exams/Deferrals'
import { useBatch } from '@/exams/useBatch'
import { Violations } from '@/exams/Violations'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { useAddress } from '@/kit/useAddress'
import { usePageTab } from '@/kit/usePageTab'
import { countExamDay, listRoomRecords } from './api'
import { DayFigures } from './DayFigures'
import { RoomRecords } from './RoomRecords'
import './examDay.css'

const SEATING = 'seating'
const POINTS = 'points'
const RECORDS = 'records'
const DEFERRAL = 'deferral'
const VIOLATION = 'violation'
const FIGURES = 'figures'

const all = [
  [SEATING, '座位编排', listExamSeats],
  [POINTS, '考点设置', listExamPoints],
  [RECORDS, '考场情况', listRoomRecords],
  [DEFERRAL, '缓考', listDeferrals],
  [VIOLATION, '违规', listViolations],
  [FIGURES, '统计', countExamDay],
] as const

/** Cases of both ways are decided here: a tab that is opened by hand begins with those of paper. */
const casesOnPaper = (tab: string): Record<string, string> =>
  tab === DEFERRAL || tab === VIOLATION ? { mode: 'offline' } : {}

/** These are of one batch; the others have their own filter. */
const ofBatch: readonly string[] = [SEATING, POINTS, FIGURES]

interface PartProps {
  heads: HTMLElement | null
  tab: string
  batchId: number
  sessionId: number | undefined
}

const Part = ({ tab, batchId, sessionId, heads }: PartProps) => {
  if (tab === POINTS) return <ExamPoints batchId={batchId} />
  if (tab === FIGURES) return <DayFigures batchId={batchId} />
  return <SeatingTab batchId={batchId} sessionId={sessionId} heads={heads} />
}

/** Who is still without a seat is looked for in all batches, as the home page counts them. */
const useChosenBatch = (tab: string) => {
  const { query, asked } = useBatch()
  const [search] = useAddress()
  const everywhere = tab === SEATING && asked === undefined && search.get('all') === 'true'
  return { query, everywhere, batchId: everywhere ? undefined : (asked ?? query.data?.[0]?.code) }
}

const BatchChoice = ({ tab }: { tab: string }) => {
  const { batchId } = useChosenBatch(tab)
  const [, setSearch] = useAddress()
  const choose = (id: number | undefined) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      // Sessions and filters are those of the former batch.
      for (const name of [...after.keys()]) if (name !== 'tab') after.delete(name)
      if (id) after.set('batchId', String(id))
      return after
    })
  return (
    <div className="filter">
      <span className="filter-label">批次</span>
      <OptionSelect label="批次" placeholder="请选择批次" {...batches} value={batchId} onChange={choose} />
    </div>
  )
}

const OfBatch = ({ tab, heads }: { tab: string; heads: HTMLElement | null }) => {
  const { query, everywhere, batchId } = useChosenBatch(tab)
  const [search] = useAddress()
  const sessionId = Number(search.get('sessionId')) || undefined
  return (
    <Loaded query={query} rows={4}>
      {() => (
        <>
          {everywhere && (
            <>
              <p className="form-hint">下面是全部批次的考生；选择批次后编排座位。</p>
              <SeatList plain />
            </>
          )}
          {batchId === undefined ? (
            !everywhere && <Empty description="还没有考试批次，请先在考试批次中新增" />
          ) : (
            <Part key={batchId} tab={tab} batchId={batchId} sessionId={sessionId} heads={heads} />
          )}
        </>
      )}
    </Loaded>
  )
}

/** 考务管理: seats, exam points, what happened in the rooms, deferrals, violations, figures (04 §4.4). */
export const ExamDayPage = () => {
  const [asked, setTab] = usePageTab()
  const [search] = useAddress()
  const allowed = useAllowed()
  const tabs = all.flatMap(([value, label, operation]) => (allowed(operation) ? [[value, label] as const] : []))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? tabs[0]?.[0] ?? SEATING
  const batchId = search.get('batchId')
  const [heads, setHeads] = useState<HTMLElement | null>(null)
  return (
    <Page title="考务管理" help="编排座位，打印准考证和考场资料，登记考场情况，处理缓考和违规。" personal>
      <div className="list-tabs exam-day-heads">
        <TabList
          label="考务管理"
          tabs={tabs}
          value={tab}
          onChange={(next) =>
            setTab(next === SEATING ? undefined : next, { ...(batchId && { batchId }), ...casesOnPaper(next) })
          }
        />
        {tab === SEATING && <div ref={setHeads} />}
        {ofBatch.includes(tab) && <BatchChoice tab={tab} />}
      </div>
      {ofBatch.includes(tab) && <OfBatch tab={tab} heads={heads} />}
      {tab === RECORDS && <RoomRecords />}
      {tab === DEFERRAL && <Deferrals />}
      {tab === VIOLATION && <Violations />}
    </Page>
  )
}
