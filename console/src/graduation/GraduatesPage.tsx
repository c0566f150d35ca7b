import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { DegreesTab } from './DegreesTab'
import { DisciplinesTab } from './DisciplinesTab'
import { ExternalExamsTab } from './ExternalExamsTab'
import { GraduatesTab } from './GraduatesTab'
import './graduation.css'

const tabs = [
  ['audit', '毕业审核'],
  ['degree', '学位审核'],
  ['discipline', '处分'],
  ['external', '校外考试成绩'],
] as const

/** 毕业生名单: who graduates, with what decides on it (04 §9.4). */
export const GraduatesPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? 'audit'
  return (
    <Page title="毕业生名单" help="逐条审核毕业条件，站点初审、学校终审；结论随批次确认生效。" personal>
      <div className="list-tabs">
        <TabList
          label="毕业生名单"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === 'audit' ? undefined : next)}
        />
      </div>
      {tab === 'audit' && <GraduatesTab />}
      {tab === 'degree' && <DegreesTab />}
      {tab === 'discipline' && <DisciplinesTab />}
      {tab === 'external' && <ExternalExamsTab />}
    </Page>
  )
}
