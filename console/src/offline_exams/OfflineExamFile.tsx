import { Descriptions } from '@arco-design/web-react'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { listRoomRecords } from '@/exam_day/api'
import { listExamSeats } from '@/exam_seats/api'
import { candidateColumns } from '@/exams/Candidates'
import { phaseTones, type Setup, setupTones, timeWords } from '@/exams/examRules'
import { columnsOf, show } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { fieldOf } from '@/kit/labels'
import { ShortList } from '@/kit/ShortList'
import { TabList } from '@/kit/TabList'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listOfflineCandidates, listOfflineSetups, viewOfflineSetup } from './api'

const trail = historyOf(viewOfflineSetup, 'exam_setup')

const facts = [
  'batchName',
  'courseName',
  'semesterName',
  'round',
  'assessMode',
  'sessionCode',
  'classCount',
  'submittedByName',
  'submittedAt',
  'reviewedByName',
  'reviewOpinion',
  'publishedAt',
  'cancelReason',
  'createdByName',
] as const

/** What an examination on paper is, in a few lines. */
export const OfflineExamFacts = ({ exam }: { exam: Setup }) => (
  <Descriptions
    column={3}
    labelStyle={{ width: 100 }}
    data={[
      { key: 'name', label: '考试名称', value: exam.name },
      { key: 'status', label: '状态', value: show(listOfflineSetups, 'status', exam.status, setupTones) },
      { key: 'phase', label: '阶段', value: show(listOfflineSetups, 'phase', exam.phase, phaseTones) },
      { key: 'time', label: '考试时间', value: timeWords(exam.startsAt, exam.endsAt) },
      {
        key: 'people',
        label: '应考/已编排',
        value: `${formatNumber(exam.candidateCount)} / ${formatNumber(exam.seatedCount)}`,
      },
      ...facts.map((field) => ({
        key: field,
        label: fieldOf(listOfflineSetups, field).label,
        value: show(listOfflineSetups, field, exam[field], undefined),
      })),
    ]}
  />
)

/** Of candidates, beside the examination itself: who they are, whether they may sit, and whether they came. */
const OF_PEOPLE = [
  'name',
  'studentNo',
  'eligibility',
  'className',
  'attendance',
  'violationLevel',
  'examRoomNo',
  'seatNo',
]
const people = candidateColumns(listOfflineCandidates, true).filter(({ key }) => OF_PEOPLE.includes(key))

const seats = columnsOf(listExamSeats, [
  { field: 'name', width: 100 },
  { field: 'studentNo', width: 130 },
  { field: 'examSiteName', width: 130 },
  { field: 'examRoomNo', width: 84 },
  { field: 'seatNo', width: 76 },
  { field: 'ticketNo', width: 150 },
])

const rooms = columnsOf(listRoomRecords, [
  { field: 'siteName', width: 130 },
  { field: 'examRoomNo', width: 84 },
  { field: 'roomName', width: 130 },
  { field: 'plannedCount', width: 70 },
  { field: 'presentCount', width: 70 },
  { field: 'absentCount', width: 70 },
  { field: 'violationCount', width: 70 },
  { field: 'status', width: 84 },
])

const PEOPLE = 'people'
const SEATS = 'seats'
const ROOMS = 'rooms'

/** 查看: the examination, its candidates, their seats, what happened in the rooms; to look at only. */
export const OfflineExamFile = ({ exam }: { exam: Setup }) => {
  const allowed = useAllowed()
  const sessionId = exam.sessionId ?? undefined
  const tabs = (
    [
      [PEOPLE, '考生', listOfflineCandidates, true],
      [SEATS, '座位', listExamSeats, sessionId !== undefined],
      [ROOMS, '考场情况', listRoomRecords, sessionId !== undefined],
    ] as const
  ).flatMap(([value, label, operation, there]) => (there && allowed(operation) ? [[value, label] as const] : []))
  const [chosen, setChosen] = useState<string>()
  const tab = chosen ?? tabs[0]?.[0]
  return (
    <>
      <OfflineExamFacts exam={exam} />
      {tabs.length > 0 && (
        <div className="list-tabs">
          <TabList
            label="考试情况"
            tabs={tabs}
            value={tabs.find(([value]) => value === tab)?.[0] ?? PEOPLE}
            onChange={setChosen}
          />
        </div>
      )}
      {tab === PEOPLE && (
        <ShortList
          of={listOfflineCandidates}
          filter={{ setupId: exam.id }}
          columns={people}
          page="考试安排"
          empty="还没有考生"
        />
      )}
      {tab === SEATS && (
        <ShortList
          of={listExamSeats}
          filter={{ batchId: exam.batchId, sessionId, courseId: exam.courseId }}
          columns={seats}
          page="考务管理"
          empty="还没有编排座位"
        />
      )}
      {tab === ROOMS && (
        <ShortList
          of={listRoomRecords}
          filter={{ batchId: exam.batchId, sessionId }}
          columns={rooms}
          page="考务管理"
          empty="还没有编排考场"
        />
      )}
      {trail(exam)}
      <Watermark />
    </>
  )
}
