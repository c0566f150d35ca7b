import { useAllowed } from '@/api/identity'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { usePageTab } from '@/kit/usePageTab'
import { listDuties, listInvigilators, listWorkload } from './api'
import { Duties } from './Duties'
import { Invigilators } from './Invigilators'
import { Workloads } from './Workloads'

const PEOPLE = 'people'
const DUTIES = 'duties'
const WORKLOAD = 'workload'

const all = [
  [PEOPLE, '监考员', listInvigilators],
  [DUTIES, '监考安排', listDuties],
  [WORKLOAD, '工作量统计', listWorkload],
] as const

/** 监考教师: who may watch, who watches where, how much each does (04 §4.4). */
export const InvigilatorsPage = () => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  const tabs = all.flatMap(([value, label, operation]) => (allowed(operation) ? [[value, label] as const] : []))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? PEOPLE
  return (
    <Page title="监考教师" help="登记监考员，为每个考场安排监考；同一监考员同一时间只监考一个考场。" personal>
      <div className="list-tabs">
        <TabList
          label="监考教师"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === PEOPLE ? undefined : next)}
        />
      </div>
      {tab === PEOPLE && <Invigilators />}
      {tab === DUTIES && <Duties />}
      {tab === WORKLOAD && <Workloads />}
    </Page>
  )
}
