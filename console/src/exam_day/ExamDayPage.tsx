import { Empty } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import { listExamPoints, listExamSeats } from '@/exam_seats/api'
import { ExamPoints } from '@/exam_seats/ExamPoints'
import { SeatingTab, SessionChoice } from '@/exam_seats/SeatingTab'
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

/** The batch and the session that the address says; without a batch the newest one. */
const useChosen = (tab: string) => {
  const { query, asked } = useBatch()
  const [search] = useAddress()
  // Who is still without a seat is looked for in all batches, as the home page counts them.
  const everywhere = tab === SEATING && asked === undefined && search.get('all') === 'true'
  return {
    query,
    everywhere,
    batchId: everywhere ? undefined : (asked ?? query.data?.[0]?.code),
    sessionId: Number(search.get('sessionId')) || undefined,
  }
}

const Choices = ({ tab }: { tab: string }) => {
  const { batchId, sessionId } = useChosen(tab)
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
    <>
      {tab === SEATING && batchId !== undefined && <SessionChoice batchId={batchId} sessionId={sessionId} />}
      <div className="filter">
        <span className="filter-label">批次</span>
        <OptionSelect label="批次" placeholder="请选择批次" {...batches} value={batchId} onChange={choose} />
      </div>
    </>
  )
}

const OfBatch = ({ tab }: { tab: string }) => {
  const { query, everywhere, batchId, sessionId } = useChosen(tab)
  return (
    <Loaded query={query} rows={4}>
      {() => {
        if (everywhere)
          return (
            <>
              <p className="form-hint">下面是全部批次的考生；选择批次后编排座位。</p>
              <SeatList plain />
            </>
          )
        if (batchId === undefined) return <Empty description="还没有考试批次，请先在考试批次中新增" />
        if (tab === POINTS) return <ExamPoints key={batchId} batchId={batchId} />
        if (tab === FIGURES) return <DayFigures key={batchId} batchId={batchId} />
        return <SeatingTab key={batchId} batchId={batchId} sessionId={sessionId} />
      }}
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
  const isOfBatch = tabs.length > 0 && ofBatch.includes(tab)
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
        {isOfBatch && <Choices tab={tab} />}
      </div>
      {tabs.length === 0 && <Empty description="您没有考务管理的权限" />}
      {isOfBatch && <OfBatch tab={tab} />}
      {tab === RECORDS && <RoomRecords />}
      {tab === DEFERRAL && <Deferrals />}
      {tab === VIOLATION && <Violations />}
    </Page>
  )
}
