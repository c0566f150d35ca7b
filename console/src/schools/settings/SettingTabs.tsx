import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '@/api/client'
import { useAllowed } from '@/api/identity'
import type { SettingGroup } from '@/api/types/schools'
import { Loaded } from '@/kit/Loaded'
import { TabList } from '@/kit/TabList'
import { listSceneSwitches } from '@/messages/api'
import { viewSchoolSetting } from '../api'
import { askIfRenumbered } from './askIfRenumbered'
import { SettingGroupForm } from './SettingGroupForm'
import { SwitchMatrix } from './SwitchMatrix'
import './settings.css'

type GroupName = SettingGroup
/** A tab is a group of settings, or the school's switches of message scenes, which are none. */
type TabName = GroupName | 'notice'

/** In the order of 01 §5.4. */
const TABS: readonly (readonly [TabName, string])[] = [
  ['basic', '基本信息'],
  ['brand', '品牌'],
  ['domain', '域名'],
  ['help_center', '帮助中心'],
  ['notice', '通知'],
  ['params', '业务参数'],
  ['school_info', '学校信息'],
  ['recruitment', '招生与学籍'],
  ['teaching', '教学'],
  ['examination', '考试与毕业'],
  ['statistics', '统计与督学'],
  ['support', '帮助与数据'],
]

interface SettingTabsProps {
  /** The school of an operator's choice; `default` for new schools; `own` inside a school. */
  school: number | 'default' | 'own'
}

interface PanelProps extends SettingTabsProps {
  group: GroupName
  active: boolean
}

const useGroup = (school: SettingTabsProps['school'], group: GroupName) => {
  const schoolId = typeof school === 'number' ? school : undefined
  const load = () => call(viewSchoolSetting, { query: { group, id: schoolId } })
  const found = useQuery({ queryKey: [viewSchoolSetting.path, school, group], queryFn: load, gcTime: 0 })
  return { schoolId, load, found }
}

const Panel = ({ school, group, active }: PanelProps) => {
  const { schoolId, load, found } = useGroup(school, group)
  return (
    <Loaded query={found}>
      {(group) => (
        <SettingGroupForm schoolId={schoolId} group={group} active={active} reload={load} ask={askIfRenumbered} />
      )}
    </Loaded>
  )
}

interface TabsProps extends SettingTabsProps {
  /** The groups that have settings. */
  groups: readonly GroupName[]
  first: GroupName
}

const Tabs = ({ school, groups, first }: TabsProps) => {
  const switches = useAllowed()(listSceneSwitches) && school === 'own'
  const tabs = TABS.filter(([name]) => (name === 'notice' ? switches : groups.includes(name)))
  const id = useId()
  const [at, setAt] = useState<TabName>(first)
  const [opened, setOpened] = useState<readonly TabName[]>([first])
  const open = (group: TabName) => {
    setAt(group)
    if (!opened.includes(group)) setOpened([...opened, group])
  }
  return (
    <>
      <TabList id={id} label="设置分组" tabs={tabs} value={at} onChange={open} />
      {tabs.map(([group]) => (
        <div
          key={group}
          role="tabpanel"
          id={`${id}-panel-${group}`}
          aria-labelledby={`${id}-tab-${group}`}
          className="setting-panel"
          hidden={group !== at}
        >
          {opened.includes(group) &&
            (group === 'notice' ? <SwitchMatrix /> : <Panel school={school} group={group} active={group === at} />)}
        </div>
      ))}
    </>
  )
}

/** All settings of one school, a tab a group. A group that was opened stays, with what was typed in it. */
export const SettingTabs = ({ school }: SettingTabsProps) => {
  // A school that does not exist yet has no row and no parameters of its own.
  const first = school === 'default' ? 'recruitment' : 'basic'
  const { found } = useGroup(school, first)
  return <Loaded query={found}>{({ groups }) => <Tabs school={school} groups={groups} first={first} />}</Loaded>
}
