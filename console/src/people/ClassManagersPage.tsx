import { useAllowed } from '@/api/identity'
import { useSchoolContext } from '@/api/schoolContext'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { listClassManagers, listSiteStaff } from './api'
import { ClassManagers } from './ClassManagers'
import { SiteStaffs } from './SiteStaffs'

const tabs = [
  ['managers', '班主任'],
  ['staff', '站点人员'],
] as const
type Tab = (typeof tabs)[number][0]

/** Operators see the people of the sites alone; their menu says so. */
const headings = {
  school: { title: '班主任管理', help: '班主任登录教师端，站点人员登录站点端；一个班级只有一名班主任。' },
  platform: { title: '站点人员管理', help: '站点人员登录站点端；每个站点一名负责人。' },
} as const

/** 班主任管理: who looks after the classes; beside it, who looks after the sites. */
export const ClassManagersPage = () => {
  const [wanted, setTab] = usePageTab()
  const { area } = useSchoolContext()
  const allowed = useAllowed()
  const mine = tabs.filter(([tab]) => allowed(tab === 'managers' ? listClassManagers : listSiteStaff))
  const tab: Tab = mine.find(([name]) => name === wanted)?.[0] ?? mine[0]?.[0] ?? 'managers'
  return (
    <Page {...headings[area]} personal>
      {mine.length > 1 && (
        <div className="list-tabs">
          <TabList
            label="班主任和站点人员"
            tabs={mine}
            value={tab}
            onChange={(next) => setTab(next === 'staff' ? next : undefined)}
          />
        </div>
      )}
      {tab === 'staff' ? <SiteStaffs /> : <ClassManagers />}
    </Page>
  )
}
