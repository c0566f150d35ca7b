import { useAllowed } from '@/api/identity'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { listSelectionRules } from './api'
import { CourseCredits } from './CourseCredits'
import { SelectionRules } from './SelectionRules'
import { InSemester } from './SemesterFilter'
import { StudentCredits } from './StudentCredits'
import './courseOpening.css'

const CREDITS = 'credits'
const RULES = 'rules'
const STUDENTS = 'students'

/** 课程学分: credits of courses across plans, the rules of selection, and the credits of students (03 B2). */
export const CreditsPage = () => {
  const [asked, setTab] = usePageTab()
  const mayRules = useAllowed()(listSelectionRules)
  const tabs = [
    [CREDITS, '学分设置'],
    ...(mayRules ? ([[RULES, '选课规则']] as const) : []),
    [STUDENTS, '学生学分'],
  ] as const
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? CREDITS
  return (
    <Page
      title="课程学分"
      help="教学计划中课程的学分学时、学生选课的规则，和学生已选、已获的学分。"
      personal={tab === STUDENTS}
    >
      <div className="list-tabs">
        <TabList
          label="课程学分"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === CREDITS ? undefined : next)}
        />
      </div>
      {tab === CREDITS && <CourseCredits />}
      {tab === RULES && (
        <InSemester>{(semester) => <SelectionRules key={semester?.code} semester={semester} />}</InSemester>
      )}
      {tab === STUDENTS && <StudentCredits />}
    </Page>
  )
}
