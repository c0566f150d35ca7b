import { InSemester } from '@/course_opening/SemesterFilter'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { CourseHomeworks } from './CourseHomeworks'
import { HomeworkList } from './HomeworkList'

const HOMEWORK = 'homework'
const COURSES = 'courses'
const tabs = [
  [HOMEWORK, '按作业'],
  [COURSES, '按课程'],
] as const

/** 作业列表: what was set for the opened courses, and how each course stands (03 B6). */
export const HomeworkPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = asked === COURSES ? COURSES : HOMEWORK
  return (
    <Page title="作业列表" help="为已开课的课程布置作业，发布后学生作答；截止、延期和批阅从这里进入。">
      <div className="list-tabs">
        <TabList
          label="作业列表"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === HOMEWORK ? undefined : next)}
        />
      </div>
      <InSemester>
        {(semester) =>
          tab === COURSES ? (
            <CourseHomeworks
              key={semester?.code}
              semester={semester}
              onShow={(filters) => setTab(undefined, filters)}
            />
          ) : (
            <HomeworkList key={semester?.code} semester={semester} />
          )
        }
      </InSemester>
    </Page>
  )
}
