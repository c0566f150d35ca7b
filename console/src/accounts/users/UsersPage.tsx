import { useSearchParams } from 'react-router'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { useAllowed, useIdentity } from '@/shell/identity'
import { listSchoolUsers, listSystemUsers } from '../api'
import { SchoolUsers } from './SchoolUsers'
import { SystemUsers } from './SystemUsers'

const tabs = [
  ['platform', '平台账号'],
  ['school', '院校账号'],
] as const

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
  const mine = tabs.filter(([tab]) => allowed(tab === 'platform' ? listSystemUsers : listSchoolUsers))
  const asked = search.get('tab')
  const tab = mine.find(([each]) => each === asked)?.[0] ?? mine[0]?.[0]
  return (
    <Page title="账号管理" help="平台人员与各院校人员的后台账号。" personal>
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
    </Page>
  )
}
