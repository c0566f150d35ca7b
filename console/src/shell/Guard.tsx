import { lazy, useEffect } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { loadIdentity } from '@/accounts/loadIdentity'
import { useIdentity } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { endSession, readToken } from '@/api/session'
import { activeOf, refreshed, useTabs } from '@/kit/tabs'
import { paths } from '@/paths'
import { showIcon, showTitle, useWebsite } from '@/schools/website'
import { decide } from './guard'
import { Loading } from './Loading'

const NoMenus = lazy(() => import('./NoMenus').then((page) => ({ default: page.NoMenus })))

/** Loads menu, account and permissions; who cannot be loaded signs in again. */
const LoadIdentity = () => {
  const navigate = useNavigate()
  useEffect(() => {
    loadIdentity().catch(() => navigate(paths.login, { replace: true }))
  }, [navigate])
  return <Loading />
}

/** `/redirect/{path}`: drops what the active tab kept and puts the page in its place. */
const Refresh = ({ to }: { to: string }) => {
  const navigate = useNavigate()
  const { apply, dropDrafts } = useTabs.getState()
  useEffect(() => {
    dropDrafts(useTabs.getState().active)
    apply((state) => refreshed(state, activeOf(state)?.id ?? 0))
    refetchAll()
    navigate(to, { replace: true })
  }, [apply, dropDrafts, navigate, to])
  return null
}

/** Every navigation passes here. */
export const Guard = () => {
  const location = useLocation()
  const menus = useIdentity((state) => state.menus)
  const website = useWebsite()
  useEffect(() => showIcon(website?.ico), [website?.ico])

  const token = readToken() !== undefined
  // The cookie ran out while the page stayed open: nothing of the former person may stay in memory.
  const lapsed = !token && menus !== undefined
  useEffect(() => {
    if (lapsed) endSession('登录已过期，请重新登录')
  }, [lapsed])
  const decision = decide(location, { token, menus })
  useEffect(() => {
    if (!menus) showTitle(location.pathname === paths.login ? '登录' : undefined, website?.title)
  }, [menus, location.pathname, website?.title])

  if (lapsed) return <Loading />
  switch (decision.kind) {
    case 'go':
      return <Navigate to={decision.to} replace />
    case 'refresh':
      return <Refresh key={decision.to} to={decision.to} />
    case 'load':
      return <LoadIdentity />
    case 'empty':
      return <NoMenus />
    case 'show':
      return <Outlet />
  }
}
