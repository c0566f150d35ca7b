import { useAllowed } from '@/api/identity'
import { listDeferrals, listViolations } from '@/exams/api'
import { columnsOf } from '@/kit/columns'
import { ShortList } from '@/kit/ShortList'
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

/** What somebody may see of a student's examinations; without any of it there is no section. */
export const examLists = [listAttempts, listDeferrals, listViolations]

/** 考试 of a student: on the net, put off, and cases. */
export const StudentExams = ({ studentId }: { studentId: number }) => {
  const allowed = useAllowed()
  const filter = { studentId }
  return (
    <>
      {allowed(listAttempts) && (
        <>
          <h4>在线考试</h4>
          <ShortList of={listAttempts} filter={filter} columns={attempts} page="学生考试" empty="没有在线考试" />
        </>
      )}
      {allowed(listDeferrals) && (
        <>
          <h4>缓考</h4>
          <ShortList of={listDeferrals} filter={filter} columns={deferrals} page="考务管理" empty="没有缓考申请" />
        </>
      )}
      {allowed(listViolations) && (
        <>
          <h4>违规</h4>
          <ShortList of={listViolations} filter={filter} columns={violations} page="考务管理" empty="没有违规记录" />
        </>
      )}
    </>
  )
}
