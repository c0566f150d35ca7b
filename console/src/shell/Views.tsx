import { Activity, memo, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { useIdentity } from '@/api/identity'
import { pageOf, routePattern } from '@/kit/menus'
import { NotFound } from '@/kit/NotFound'
import { TabContext } from '@/kit/tab'
import { type Place, useTabs } from '@/kit/tabs'
import { paths } from '@/paths'
import { screens } from '@/routes'
import { ErrorBoundary } from './ErrorBoundary'
import { Frame } from './Frame'
import { Loading } from './Loading'
import { isKept } from './menus'

/** A page at a place of its own: while it is hidden it does not see where the browser went. */
const View = memo(({ at }: { at: Place }) => (
  <ErrorBoundary>
    <Suspense fallback={<Loading />}>
      <Routes location={{ ...at, hash: '', state: null, key: '' }}>
        {screens.map(({ path, Component }) => (
          <Route key={path} path={routePattern(path)} element={<Component />} />
        ))}
        <Route path={paths.frame} element={<Frame />} />
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  </ErrorBoundary>
))

/** The open pages. Hidden ones keep their state, but for those that must begin anew each time. */
export const Views = () => {
  const tabs = useTabs((state) => state.tabs)
  const active = useTabs((state) => state.active)
  const menus = useIdentity((state) => state.menus) ?? []
  return tabs.map((tab) => {
    const page = pageOf(menus, tab.at.pathname)
    const kept = page ? page.keepAlive && isKept(page.path, tab.at.search) : false
    if (tab.id !== active && !kept) return null
    return (
      <Activity key={`${tab.id}.${tab.revision}`} mode={tab.id === active ? 'visible' : 'hidden'}>
        <TabContext.Provider value={tab.id}>
          <View at={tab.at} />
        </TabContext.Provider>
      </Activity>
    )
  })
}
