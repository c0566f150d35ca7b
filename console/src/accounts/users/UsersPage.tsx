import { useSearchParams } from 'react-router'
import { useAllowed, useIdentity } from '@/api/identity'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { listMachineTokens, listSchoolUsers, listSystemUsers } from '../api'
import { MachineTokens } from './MachineTokens'
import { SchoolUsers } from './SchoolUsers'
import { SystemUsers } from './SystemUsers'

const tabs = [
  ['platform', '平台账号'],
  ['school', '院校账号'],
  ['machine', '机器令牌'],
] as const

/** What each tab lists. */
const lists = { platform: listSystemUsers, school: listSchoolUsers, machine: listMachineTokens }

/** 账号管理: who may sign in to the back office. */
export const UsersPage = () => {
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const allowed = useAllowed()
  const [search, setSearch] = useSearchParams()
  if (inside) {
    return (
      <Page title="账号管理" help="本院校人员的后台账号、角色与数据范围。" personal>
        <SchoolUsers inside />
      </Page>
    )
  }
  const mine = tabs.filter(([tab]) => allowed(lists[tab]))
  const asked = search.get('tab')
  const tab = mine.find(([each]) => each === asked)?.[0] ?? mine[0]?.[0]
  return (
    <Page title="账号管理" help="平台人员与各院校人员的后台账号，以及程序使用的机器令牌。" personal>
      <div className="list-tabs">
        {/* Filters of one list mean nothing to the other. */}
        <TabList
          label="账号类型"
          tabs={mine}
          value={tab ?? 'platform'}
          onChange={(next) => setSearch({ tab: next }, { replace: true })}
        />
      </div>
      {tab === 'platform' && <SystemUsers />}
      {tab === 'school' && <SchoolUsers inside={false} />}
      {tab === 'machine' && <MachineTokens />}
    </Page>
  )
}
