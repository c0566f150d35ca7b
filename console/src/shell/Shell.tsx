import { Drawer } from '@arco-design/web-react'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { PasswordDialog } from '@/accounts/own/PasswordDialog'
import { useIdentity } from '@/api/identity'
import type { MenuNode } from '@/api/types/accounts'
import { tellCutTexts } from '@/kit/cutTexts'
import { firstLeaf, leavesOf, pageOf } from '@/kit/menus'
import { useTabs } from '@/kit/tabs'
import { showTitle, useWebsite } from '@/schools/website'
import { DemoMark } from './DemoMark'
import { useSidebar } from './device'
import { Palette } from './Palette'
import { prefetchWhenIdle } from './prefetch'
import { rememberRecent } from './recent'
import { SchoolEntry } from './SchoolEntry'
import { Sidebar } from './Sidebar'
import { TabBar } from './TabBar'
import { TopBar } from './TopBar'
import { useTheme } from './theme'
import { UndoBar } from './UndoBar'
import { Views } from './Views'
import { watchIdentity } from './watchIdentity'

// Few ever need it before anything else; its picture of a code is not loaded with the shell.
const TotpSetup = lazy(async () => ({ default: (await import('@/accounts/own/TotpSetup')).TotpSetup }))
const InvitationsDialog = lazy(async () => ({
  default: (await import('@/accounts/own/Invitations')).InvitationsDialog,
}))

const NO_MENUS: readonly MenuNode[] = []

/** What stands around every page of a signed-in person. */
export const Shell = () => {
  const location = useLocation()
  const how = useNavigationType()
  const menus = useIdentity((state) => state.menus) ?? NO_MENUS
  const account = useIdentity((state) => state.account)
  const mustChangePassword = useIdentity((state) => state.mustChangePassword)
  const mustSetTotp = useIdentity((state) => state.mustSetTotp)
  const held = mustChangePassword || mustSetTotp
  const visit = useTabs((state) => state.visit)
  const setBrand = useTheme((state) => state.setBrand)
  const website = useWebsite()
  const sidebar = useSidebar()
  const home = firstLeaf(menus)?.path ?? '/'
  const page = pageOf(menus, location.pathname)

  useLayoutEffect(() => visit(location, how, home), [visit, location, how, home])
  useEffect(() => {
    showTitle(page?.title, website?.title)
    if (page) rememberRecent(page.path)
  }, [page, website?.title])
  useEffect(() => setBrand(account?.brandColor), [setBrand, account?.brandColor])
  useEffect(watchIdentity, [])
  useEffect(tellCutTexts, [])
  useEffect(() => prefetchWhenIdle(leavesOf(menus).map(({ path }) => path)), [menus])
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (useTabs.getState().drafts.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])

  return (
    <div className="shell">
      <SchoolEntry />
      <DemoMark />
      <div className="shell-body">
        {sidebar.mobile ? (
          <Drawer
            className="sidebar-drawer"
            placement="left"
            width={210}
            visible={sidebar.opened}
            onCancel={sidebar.close}
            maskClosable
            title={null}
            footer={null}
            closable={false}
          >
            <Sidebar collapsed={false} onNavigate={sidebar.close} />
          </Drawer>
        ) : (
          <aside className="shell-side" style={{ width: sidebar.opened ? 210 : 54 }}>
            <Sidebar collapsed={!sidebar.opened} />
          </aside>
        )}
        <div className="shell-main">
          <TopBar sidebar={sidebar} />
          <TabBar />
          <main className="shell-content">{!held && <Views />}</main>
        </div>
      </div>
      <UndoBar />
      <Palette />
      {!held && account?.userType === 'school' && (
        <Suspense fallback={null}>
          <InvitationsDialog />
        </Suspense>
      )}
      {mustChangePassword && <PasswordDialog forced />}
      {mustSetTotp && !mustChangePassword && (
        <Suspense fallback={null}>
          <TotpSetup forced onClose={() => {}} />
        </Suspense>
      )}
    </div>
  )
}
