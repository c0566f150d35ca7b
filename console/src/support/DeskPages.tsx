import { useAllowed, useIdentity } from '@/api/identity'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { Articles } from './Articles'
import { type Desk, schoolDesk, siteDesk, studentDesk, teacherDesk } from './desks'
import { Questions } from './Questions'
import { SchoolCounts } from './SchoolCounts'
import { Statistics } from './Statistics'
import './support.css'

const ARTICLES = 'articles'

/** Which of its tabs somebody has at a desk. */
const useDeskTabs = (desk: Desk) => {
  const allowed = useAllowed()
  const outside = useIdentity((state) => state.account?.area) === 'platform'
  const answers = allowed(desk.questions)
  const figures = allowed(desk.statistics)
  // Where schools answer their people themselves, operators see how many wait.
  const counts = outside && !desk.ofStaff && figures
  const tabs = [
    [ARTICLES, '文章', allowed(desk.list)],
    ['questions', '咨询', answers || counts],
    ['stat', '统计', figures],
  ] as const
  return {
    answers,
    tabs: tabs.filter(([, , shown]) => shown).map(([value, words]) => [value, words] as const),
  }
}

/** One of the four desks: articles, questions and figures of an audience (05 B5). */
const DeskPage = ({ desk }: { desk: Desk }) => {
  const [asked, setTab] = usePageTab()
  const { answers, tabs } = useDeskTabs(desk)
  const first = tabs[0]?.[0] ?? ARTICLES
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? first
  return (
    <Page title={desk.title} help={desk.help} personal={tab === 'questions'}>
      <div className="list-tabs">
        <TabList
          label={desk.title}
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === first ? undefined : next)}
        />
      </div>
      {tab === ARTICLES && <Articles desk={desk} />}
      {tab === 'questions' && (answers ? <Questions desk={desk} /> : <SchoolCounts desk={desk} />)}
      {tab === 'stat' && <Statistics desk={desk} />}
    </Page>
  )
}

export const StudentDeskPage = () => <DeskPage desk={studentDesk} />
export const TeacherDeskPage = () => <DeskPage desk={teacherDesk} />
export const SiteDeskPage = () => <DeskPage desk={siteDesk} />
export const SchoolDeskPage = () => <DeskPage desk={schoolDesk} />
