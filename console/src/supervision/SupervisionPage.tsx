import { InSemester } from '@/course_opening/SemesterFilter'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { Cases } from './Cases'
import { Contacts } from './Contacts'
import { Groups } from './Groups'
import { Rules } from './Rules'
import { Trends } from './Trends'
import './supervision.css'

const CASES = 'cases'
const CONTACTS = 'contacts'
const CLASSES = 'classes'
const MANAGERS = 'managers'
const TRENDS = 'trends'
const RULES = 'rules'

const tabs = [
  [CASES, '预警学生'],
  [CONTACTS, '联系记录'],
  [CLASSES, '按班级'],
  [MANAGERS, '按班主任'],
  [TRENDS, '趋势'],
  [RULES, '规则'],
] as const

/** 学生督学: who falls behind, who talks with them, and whether it helps (05 C5). */
export const SupervisionPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? CASES
  return (
    <Page title="学生督学" help="每晚找出学习落后的学生，由班主任联系、提醒并跟进；每名学生每学期一个案例。" personal>
      <div className="list-tabs">
        <TabList
          label="学生督学"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === CASES ? undefined : next)}
        />
      </div>
      {tab === CONTACTS && <Contacts />}
      {tab === RULES && <Rules />}
      {tab !== CONTACTS && tab !== RULES && (
        <InSemester>
          {(semester) => (
            <>
              {tab === CASES && <Cases key={semester?.code} semester={semester} />}
              {tab === CLASSES && (
                <Groups
                  key={`classes${semester?.code}`}
                  by="class"
                  semester={semester}
                  onChoose={(filters) => setTab(undefined, filters)}
                />
              )}
              {tab === MANAGERS && (
                <Groups
                  key={`managers${semester?.code}`}
                  by="manager"
                  semester={semester}
                  onChoose={(filters) => setTab(undefined, filters)}
                />
              )}
              {tab === TRENDS && <Trends key={semester?.code} semester={semester} />}
            </>
          )}
        </InSemester>
      )}
    </Page>
  )
}
