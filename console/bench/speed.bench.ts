import { type Page, test } from '@playwright/test'
import { signIn } from '../e2e/kit'
import { operatorOf } from '../e2e/session'

/** How long one waits for the heading and for the first row of each page, and for a page whose tab is open. */

const OPERATOR = operatorOf('speed', '测速')
const SCHOOL = 'demo02_admin'
/** Longer than this a page has no rows at all. */
const NO_ROWS_MS = 3000
/** Between two pages, so that one's requests do not slow the other. */
const REST_MS = 150

interface Seen {
  path: string
  heading: number
  row: number | undefined
  kept: number
}

const median = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}

/** Follows a link of the menu and waits for what is seen, timed in the page by its own clock. */
const opened = (page: Page, path: string, wantsRow: boolean) =>
  page.evaluate(
    ([path, wantsRow, most]) =>
      new Promise<{ heading: number; row: number | undefined }>((done) => {
        const link = [...document.querySelectorAll<HTMLAnchorElement>('a.sidebar-link')].find(
          (each) => new URL(each.href).pathname === path,
        )
        const began = performance.now()
        const former = document.querySelector('h1')
        const seen = { heading: 0, row: undefined as number | undefined }
        link?.click()
        const look = () => {
          const now = performance.now() - began
          const visible = [...document.querySelectorAll('h1')].find((each) => each.checkVisibility())
          if (!seen.heading && visible && visible !== former && location.pathname === path) seen.heading = now
          const row = [...document.querySelectorAll('tr[data-row], .overview-cards li')].some((each) =>
            each.checkVisibility(),
          )
          if (seen.heading && row && seen.row === undefined) seen.row = now
          if ((seen.heading && (!wantsRow || seen.row !== undefined)) || now > most) done(seen)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    [path, wantsRow, NO_ROWS_MS] as const,
  )

const walk = async (page: Page) => {
  const search = page.getByRole('textbox', { name: '搜索菜单' })
  // Every directory is open while something is searched for that all entries have.
  await search.waitFor()
  const paths = await page.evaluate(async () => {
    const open = () =>
      document.querySelectorAll<HTMLElement>('.sidebar .arco-menu-inline-header').forEach((each) => {
        if (
          each.getAttribute('aria-expanded') !== 'true' &&
          !each.parentElement?.querySelector('.arco-menu-inline-content')?.checkVisibility()
        )
          each.click()
      })
    open()
    await new Promise((done) => setTimeout(done, 400))
    return [
      ...new Set(
        [...document.querySelectorAll<HTMLAnchorElement>('a.sidebar-link')].map((each) => new URL(each.href).pathname),
      ),
    ]
  })
  const seen: Seen[] = []
  for (const [at, path] of paths.entries()) {
    const first = await opened(page, path, true)
    await page.waitForTimeout(REST_MS)
    const other = paths[at === 0 ? 1 : 0]
    if (!other) continue
    await opened(page, other, false)
    await page.waitForTimeout(REST_MS)
    const again = await opened(page, path, false)
    seen.push({ path, heading: first.heading, row: first.row, kept: again.heading })
  }
  return seen
}

const report = (who: string, seen: readonly Seen[]) => {
  const rows = seen.flatMap(({ row }) => (row === undefined ? [] : [row]))
  const slow = [...seen].sort((a, b) => (b.row ?? b.heading) - (a.row ?? a.heading)).slice(0, 5)
  process.stdout.write(
    [
      `console, ${who}: ${seen.length} pages`,
      `  first heading  ${median(seen.map(({ heading }) => heading))} ms (wanted 200)`,
      `  first row      ${median(rows)} ms of ${rows.length} lists (wanted 350)`,
      `  a kept tab     ${median(seen.map(({ kept }) => kept))} ms (wanted 60)`,
      ...slow.map(
        ({ path, heading, row }) =>
          `  slowest        ${path} ${Math.round(heading)} ms, row ${Math.round(row ?? 0)} ms`,
      ),
      '',
    ].join('\n'),
  )
}

for (const account of [OPERATOR, SCHOOL]) {
  test(`pages of ${account}`, async ({ page }) => {
    await signIn(page, account)
    report(account, await walk(page))
  })
}
