import { listDeferrals, listViolations } from '@/exams/api'
import { columnsOf } from '@/kit/columns'
import { TitledList } from '@/kit/ShortList'
import { listOfflineCandidates } from '@/offline_exams/api'
import { listAttempts } from '@/online_exams/api'

const attempts = columnsOf(listAttempts, [
  { field: 'setupName', title: '考试', width: 200 },
  { field: 'batchName', title: '批次', width: 180 },
  { field: 'startedAt', title: '开始', width: 170 },
  { field: 'submittedAt', title: '交卷', width: 170 },
  { field: 'markState', width: 84 },
  { field: 'totalScore', width: 80 },
  { field: 'attendance', title: '到考', width: 84 },
])

const deferrals = columnsOf(listDeferrals, [
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'batchName', title: '批次', width: 180 },
  { field: 'reasonType', width: 90 },
  { field: 'createdAt', title: '申请时间', width: 170 },
  { field: 'status', width: 84 },
])

const violations = columnsOf(listViolations, [
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'setupName', title: '考试', width: 200 },
  { field: 'clause', title: '条款', width: 190 },
  { field: 'createdAt', title: '登记时间', width: 170 },
  { field: 'status', width: 84 },
])

const onPaper = columnsOf(listOfflineCandidates, [
  { field: 'setupName', title: '考试', width: 200 },
  { field: 'batchName', title: '批次', width: 180 },
  { field: 'eligibility', title: '资格', width: 84 },
  { field: 'ticketNo', width: 150 },
  { field: 'examRoomNo', width: 84 },
  { field: 'seatNo', width: 76 },
  { field: 'attendance', title: '到考', width: 84 },
])

/** What somebody may see of a student's examinations; without any of it there is no section. */
export const examLists = [listAttempts, listOfflineCandidates, listDeferrals, listViolations]

/** 考试 of a student: on the net, on paper, put off, and cases. */
export const StudentExams = ({ studentId }: { studentId: number }) => {
  const filter = { studentId }
  return (
    <>
      <TitledList
        title="在线考试"
        of={listAttempts}
        filter={filter}
        columns={attempts}
        page="学生考试"
        empty="没有在线考试"
      />
      <TitledList
        title="线下考试"
        of={listOfflineCandidates}
        filter={filter}
        columns={onPaper}
        page="线下考试列表"
        empty="没有线下考试"
      />
      <TitledList
        title="缓考"
        of={listDeferrals}
        filter={filter}
        columns={deferrals}
        page="考务管理"
        empty="没有缓考申请"
      />
      <TitledList
        title="违规"
        of={listViolations}
        filter={filter}
        columns={violations}
        page="考务管理"
        empty="没有违规记录"
      />
    </>
  )
}
