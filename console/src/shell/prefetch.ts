import { matchPath } from 'react-router'
import { routePattern } from '@/kit/menus'
import { screens } from '@/routes'

/** The code of pages, fetched before they are opened: what the pointer is over at once, the others when nothing is to do. */

export const prefetchPage = (path: string) => {
  const screen = screens.find((each) => matchPath(routePattern(each.path), path))
  screen?.prefetch().catch(() => {})
}

/** So long after the page stands still the code of the other pages is fetched. */
const AFTER_MS = 1500

const idle = (work: () => void) =>
  typeof requestIdleCallback === 'function' ? requestIdleCallback(work, { timeout: 5000 }) : setTimeout(work, 200)

/** All pages of a menu, one after another. Answers how to stop. */
export const prefetchWhenIdle = (paths: readonly string[]) => {
  let stopped = false
  const next = ([path, ...rest]: readonly string[]) => {
    if (stopped || path === undefined) return
    prefetchPage(path)
    idle(() => next(rest))
  }
  const timer = setTimeout(() => idle(() => next(paths)), AFTER_MS)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
