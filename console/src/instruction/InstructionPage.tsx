import { useAllowed } from '@/api/identity'
import { InSemester } from '@/course_opening/SemesterFilter'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { AttendanceSessions } from './AttendanceSessions'
import { listAttendanceSessions } from './api'
import { Scores } from './Scores'

const SCORES = 'scores'
const ATTENDANCE = 'attendance'

/** 面授成绩: who came to the lessons of a course, how they did, and what that comes to (03 B8). */
export const InstructionPage = () => {
  const [asked, setTab] = usePageTab()
  const mayAttendance = useAllowed()(listAttendanceSessions)
  const tab = mayAttendance && asked === ATTENDANCE ? ATTENDANCE : SCORES
  return (
    <Page
      title="面授成绩"
      help="登记每次课的考勤，录入表现成绩；出勤成绩和总成绩按学校设置的权重计算，提交后由院校确认。"
      personal
    >
      {mayAttendance && (
        <div className="list-tabs">
          <TabList
            label="面授成绩"
            tabs={[
              [SCORES, '成绩'],
              [ATTENDANCE, '考勤登记'],
            ]}
            value={tab}
            onChange={(next) => setTab(next === SCORES ? undefined : next)}
          />
        </div>
      )}
      <InSemester>
        {(semester) =>
          tab === ATTENDANCE ? (
            <AttendanceSessions key={semester?.code} semester={semester} />
          ) : (
            <Scores key={semester?.code} semester={semester} />
          )
        }
      </InSemester>
    </Page>
  )
}
