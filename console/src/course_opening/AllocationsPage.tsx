import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { AllocationGrid } from './AllocationGrid'
import { InSemester } from './SemesterFilter'
import { Workloads } from './Workloads'
import './courseOpening.css'

const BY_COURSE = 'course'
const BY_TEACHER = 'teacher'

/** 任课安排: who lectures, tutors and marks in each class, and what each teacher has to do (03 B3). */
export const AllocationsPage = () => {
  const [tab = BY_COURSE, setTab] = usePageTab()
  return (
    <Page title="任课安排" help="点击教师即可更换，学时和备注在“详情”中填写；指定了班级的安排先于全部班级的安排。">
      <div className="list-tabs">
        <TabList
          label="任课安排"
          tabs={[
            [BY_COURSE, '按课程'],
            [BY_TEACHER, '按教师'],
          ]}
          value={tab === BY_TEACHER ? BY_TEACHER : BY_COURSE}
          onChange={(next) => setTab(next === BY_COURSE ? undefined : next)}
        />
      </div>
      {tab === BY_TEACHER ? (
        // What a teacher has to do is counted in a semester, which is one school's.
        <SchoolFirst>
          <InSemester>{(semester) => <Workloads key={semester?.code} semester={semester} />}</InSemester>
        </SchoolFirst>
      ) : (
        <InSemester>{(semester) => <AllocationGrid key={semester?.code} semester={semester} />}</InSemester>
      )}
    </Page>
  )
}
