import '@arco-design/web-react/es/_util/react-19-adapter'
import 'virtual:arco.css'
import './styles.css'
import { ConfigProvider } from '@arco-design/web-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { tellNotice } from '@/api/errors'
import { queryClient } from '@/api/query'
import { readToken } from '@/api/session'
import { paths } from '@/paths'
import { Guard } from '@/shell/Guard'
import { Loading } from '@/shell/Loading'
import { startTheme } from '@/shell/theme'

const LoginPage = lazy(() => import('@/accounts/LoginPage').then((page) => ({ default: page.LoginPage })))
const NotFound = lazy(() => import('@/kit/NotFound').then((page) => ({ default: page.NotFound })))
const HelpCentre = lazy(() => import('@/shell/HelpCentre').then((page) => ({ default: page.HelpCentre })))
const Shell = lazy(() => import('@/shell/Shell').then((page) => ({ default: page.Shell })))

/** Who is signed in keeps the menu beside it. */
const NotFoundPlace = () => (readToken() === undefined ? <NotFound /> : <Shell />)

const router = createBrowserRouter(
  [
    {
      Component: Guard,
      children: [
        { path: paths.login, Component: LoginPage },
        { path: paths.notFound, Component: NotFoundPlace },
        { path: paths.support, Component: HelpCentre },
        { path: '*', Component: Shell },
      ],
    },
  ],
  { basename: new URL(document.baseURI).pathname },
)

/** Arco tells of React 19 changes that concern it alone. */
const quietArcoInDevelopment = () => {
  const { error } = console
  console.error = (...words: unknown[]) => {
    const arcos = /element\.ref was removed|getRootDOMNode/.test(String(words[0]))
    if (!arcos) error(...words)
  }
}
if (import.meta.env.DEV) quietArcoInDevelopment()

startTheme()
tellNotice()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <ConfigProvider
    autoInsertSpaceInButton={false}
    componentConfig={{ Modal: { maskClosable: false }, Drawer: { maskClosable: false } }}
  >
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={<Loading />}>
        <RouterProvider router={router} />
      </Suspense>
    </QueryClientProvider>
  </ConfigProvider>,
)
