import { InSemester } from '@/course_opening/SemesterFilter'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { Learners } from './Learners'
import { Questions } from './Questions'
import { Teachings } from './Teachings'

const SETTINGS = 'settings'
const LEARNERS = 'learners'
const QUESTIONS = 'questions'

const tabs = [
  [SETTINGS, '教学设置'],
  [LEARNERS, '学习监控'],
  [QUESTIONS, '课程答疑'],
] as const

/** 在线教学: what opened courses are studied with, who studies them how far, what is asked there (03 B5). */
export const StudyPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? SETTINGS
  return (
    <Page
      title="在线教学"
      help="为已开课的课程选择资源、学习时间和完成标准；查看学生的学习进度，督促学习，回复提问。"
      personal
    >
      <div className="list-tabs">
        <TabList
          label="在线教学"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === SETTINGS ? undefined : next)}
        />
      </div>
      <InSemester>
        {(semester) => (
          <>
            {tab === SETTINGS && (
              <Teachings key={semester?.code} semester={semester} onLearners={(filters) => setTab(LEARNERS, filters)} />
            )}
            {tab === LEARNERS && <Learners key={semester?.code} semester={semester} />}
            {tab === QUESTIONS && <Questions key={semester?.code} semester={semester} />}
          </>
        )}
      </InSemester>
    </Page>
  )
}
