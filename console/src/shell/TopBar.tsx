import { Badge, Breadcrumb, Button, Dropdown, Menu, Tooltip } from '@arco-design/web-react'
import {
  IconDown,
  IconMenuFold,
  IconMenuUnfold,
  IconMoon,
  IconNotification,
  IconQuestionCircle,
  IconSettings,
  IconSun,
  IconSync,
} from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { createSchoolToken } from '@/accounts/api'
import { backToPlatform } from '@/accounts/leaveEntry'
import { PasswordDialog } from '@/accounts/own/PasswordDialog'
import { signOut } from '@/accounts/signOut'
import { call } from '@/api/client'
import { useIdentity } from '@/api/identity'
import { becomeAnother, storedSchool } from '@/api/session'
import { confirm } from '@/kit/confirm'
import { showJobCentre, useJobCentre } from '@/kit/jobCentre'
import { pageOf, trailOf } from '@/kit/menus'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { paths } from '@/paths'
import { EnterSchool } from '@/schools/EnterSchool'
import { useWebsite } from '@/schools/website'
import type { SidebarState } from './device'
import { helpAllowed } from './guard'
import { Inbox, useUnread } from './Inbox'
import { JobCentre, useRunningJobs } from './JobCentre'
import { PaletteButton } from './Palette'
import { useTheme } from './theme'

const Trail = () => {
  const menus = useIdentity((state) => state.menus) ?? []
  const { pathname } = useLocation()
  return (
    <Breadcrumb className="topbar-trail" aria-label="当前位置">
      <Breadcrumb.Item>首页</Breadcrumb.Item>
      {trailOf(menus, pathname)
        .filter((node) => node.path !== paths.home)
        .map((node) => (
          <Breadcrumb.Item key={node.id}>{node.title}</Breadcrumb.Item>
        ))}
    </Breadcrumb>
  )
}

/** Where one is: the platform, a school, or a school on the operator's behalf. Beside the open menu its head names the school. */
const Whereabouts = ({ menuOpen }: { menuOpen: boolean }) => {
  const account = useIdentity((state) => state.account)
  const back = useMutation({ mutationFn: backToPlatform })
  if (!account) return null
  const acting = account.area === 'school' && account.actor
  const where = account.area === 'platform' ? '平台运营中心' : !menuOpen && account.schoolName
  return (
    <>
      {where && <strong className="topbar-school">{where}</strong>}
      {acting && <Word tone="warning">平台代管</Word>}
      {account.readOnly && <Word>只读</Word>}
      {acting && (
        <Button size="small" loading={back.isPending} onClick={() => back.mutate()}>
          返回平台
        </Button>
      )}
    </>
  )
}

const UserMenu = () => {
  const account = useIdentity((state) => state.account)
  const [changing, setChanging] = useState(false)
  const [open, setOpen] = useState(false)
  const entry = useDrawer<{ id: number; name: string }>()
  const navigate = useNavigate()
  const enter = useMutation({
    mutationFn: async (id: number) => {
      const entered = await call(createSchoolToken, { query: { id } })
      becomeAnother(entered.token, { id: entered.schoolId ?? id, name: entered.schoolName ?? null })
    },
  })
  if (!account) return null
  const others = account.schools.length > 1 ? account.schools.filter(({ id }) => id !== account.schoolId) : []
  const go = (school: { id: number; name: string } | undefined) => {
    if (!school) return
    // Operators say why they go in; a school's own people only change desks.
    if (account.area === 'platform' || account.actor) entry.open(school)
    else enter.mutate(school.id)
  }
  const run = async (key: string) => {
    setOpen(false)
    if (key === 'own') navigate(paths.own)
    else if (key === 'password') setChanging(true)
    else if (key !== 'out') go(others.find(({ id }) => String(id) === key))
    else if (await confirm({ title: '确定退出登录吗？', okText: '退出' })) await signOut()
  }
  return (
    <>
      <Dropdown
        trigger="click"
        position="br"
        popupVisible={open}
        onVisibleChange={setOpen}
        droplist={
          <Menu onClickMenuItem={run}>
            {others.length > 0 && (
              <Menu.SubMenu key="schools" title="切换院校">
                {others.map((school) => (
                  <Menu.Item key={String(school.id)}>{school.name}</Menu.Item>
                ))}
              </Menu.SubMenu>
            )}
            <Menu.Item key="own">我的账号</Menu.Item>
            <Menu.Item key="password">修改密码</Menu.Item>
            <Menu.Item key="out">退出登录</Menu.Item>
            <Menu.Item key="version" disabled>
              版本 {account.serverVersion}
            </Menu.Item>
          </Menu>
        }
      >
        <Button type="text" className="topbar-user" loading={enter.isPending}>
          {account.realName} <IconDown />
        </Button>
      </Dropdown>
      <EnterSchool key={entry.key} {...entry.props} />
      {changing && <PasswordDialog onClose={() => setChanging(false)} />}
    </>
  )
}

/** Messages in one's own inbox that were not read yet, and the way to them. */
const Messages = () => {
  const [open, setOpen] = useState(false)
  const unread = useUnread()
  return (
    <>
      <Badge count={unread} maxCount={99} offset={[-4, 6]}>
        <Button
          type="text"
          aria-label={unread > 0 ? `消息，${unread}条未读` : '消息'}
          title="消息"
          icon={<IconNotification />}
          onClick={() => setOpen(true)}
        />
      </Badge>
      <Inbox open={open} onClose={() => setOpen(false)} />
    </>
  )
}

export const TopBar = ({ sidebar }: { sidebar: SidebarState }) => {
  const navigate = useNavigate()
  const menus = useIdentity((state) => state.menus) ?? []
  const website = useWebsite()
  const { theme, toggle } = useTheme()
  const jobs = useJobCentre((state) => state.open)
  const running = useRunningJobs()
  const hasHelp = helpAllowed(menus, website?.schoolAssistanceCenter, storedSchool())
  const hasConfig = pageOf(menus, paths.systemConfig)
  const themeWords = theme === 'dark' ? '切换到浅色' : '切换到深色'

  return (
    <header className="topbar">
      <Button
        type="text"
        aria-label={sidebar.opened ? '收起菜单' : '展开菜单'}
        icon={sidebar.opened ? <IconMenuFold /> : <IconMenuUnfold />}
        onClick={sidebar.toggle}
      />
      <Trail />
      <div className="topbar-right">
        <PaletteButton />
        <Whereabouts menuOpen={sidebar.opened} />
        {hasHelp && (
          <Button type="text" icon={<IconQuestionCircle />} href={`.${paths.support}`} target="_blank">
            帮助中心
          </Button>
        )}
        {hasConfig && (
          <Button type="text" icon={<IconSettings />} onClick={() => navigate(paths.systemConfig)}>
            配置
          </Button>
        )}
        <Messages />
        <Badge count={running} maxCount={99} offset={[-4, 6]}>
          <Button
            type="text"
            aria-label="任务中心"
            title="任务中心"
            icon={<IconSync spin={running > 0} />}
            onClick={() => showJobCentre(true)}
          />
        </Badge>
        <Tooltip content={themeWords}>
          <Button
            type="text"
            aria-label={themeWords}
            icon={theme === 'dark' ? <IconSun /> : <IconMoon />}
            onClick={toggle}
          />
        </Tooltip>
        <UserMenu />
      </div>
      <JobCentre open={jobs} onClose={() => showJobCentre(false)} />
    </header>
  )
}
