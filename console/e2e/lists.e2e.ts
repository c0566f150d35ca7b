import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import config from '../playwright.config'
import { helpAt, signIn, walk } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/**
 * Every list page on the screen of an office: at 1366×768 with scrollbars that take room nobody moves a table sideways to
 * see who it is, how they stand and what may be done.
 */

const OPERATOR = operatorOf('lists', '演示列表')
/** Another one, whose lists are looked at meanwhile. */
const OVER_SCHOOLS = operatorOf('lists_over', '演示列表院校')
/** Who helps in a school sees the lists of its administrator. */
const SUPPORT = operatorOf('lists_school', '演示列表支持')

// Nothing is written, and each of them has an account of its own.
test.describe.configure({ mode: 'parallel' })

const launch = config.use?.launchOptions
test.use({ launchOptions: { ...launch, ignoreDefaultArgs: ['--hide-scrollbars'] } })

const routes = readFileSync(join(import.meta.dirname, '../shipped_routes.txt'), 'utf8')
  .trim()
  .split('\n')

/** Of 20 rows so many are seen at once. */
const ROWS = 11

/** The list that is looked at: how many of its rows are seen whole, of how many, and which columns are. */
const look = (page: Page) =>
  page.evaluate(() => {
    const box = [...document.querySelectorAll('.page:not([data-seen]) .table-box')].find((each) =>
      each.checkVisibility(),
    )
    const body = box?.querySelector('.arco-table-body')
    if (!box || !body) return undefined
    const inside = body.getBoundingClientRect()
    const rows = [...body.querySelectorAll('tr[data-row]')]
    const bottom = inside.top + body.clientHeight
    const shown = rows.filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
    const [first] = rows
    const headings = [...box.querySelectorAll('thead th')]
    const cells = [...(first?.children ?? [])]
    const columns = cells.map((cell, at) => {
      const { left, right, top, height } = cell.getBoundingClientRect()
      const isSeen = (x: number) => cell.contains(document.elementFromPoint(x, top + height / 2))
      const heading = headings[at]?.textContent?.trim() ?? ''
      return { heading, hides: !isSeen(left + 4) || !isSeen(right - 6) }
    })
    return { rows: rows.length, shown: shown.length, columns }
  })

/** How a record stands, by the words of the headings. */
const STATE = /^(状态|学籍状态|审核状态|账号状态|展示状态|开通状态|启用|结果|阶段|上架|审核)$/

/** To a page of the console: a list is there, or something else that is no list. */
const walkTo = async (page: Page, path: string) => {
  await walk(page, path.slice(1))
  const next = page.locator('.page:not([data-seen]):visible')
  const rows = next.locator('.table-box tr[data-row], .arco-empty, form:not(.filters), .tree, iframe')
  await rows
    .first()
    .waitFor({ timeout: 1500 })
    .catch(() => undefined)
}

const isShort = (seen: NonNullable<Awaited<ReturnType<typeof look>>>, least: number) =>
  seen.shown < Math.min(seen.rows, least)

/** The list as it stays: a table takes its height a moment after its rows. */
const settled = async (page: Page, least: number) => {
  let seen = await look(page)
  for (let tries = 0; seen && isShort(seen, least) && tries < 10; tries += 1) {
    await page.waitForTimeout(100)
    seen = await look(page)
  }
  return seen
}

/** What these pages hide of name, status and actions, and which show too few rows. */
const lookAt = async (page: Page, paths: readonly string[], least: number) => {
  const complaints: string[] = []
  let lists = 0
  for (const path of paths) {
    await walkTo(page, path)
    const seen = await settled(page, least)
    if (!seen || seen.rows === 0) continue
    lists += 1
    const [name] = seen.columns.filter(({ heading }) => heading !== '')
    const decides = seen.columns.filter((each) => each === name || each.heading === '操作' || STATE.test(each.heading))
    for (const { heading, hides } of decides) if (hides) complaints.push(`${path} hides ${heading}`)
    if (isShort(seen, least)) complaints.push(`${path} shows ${seen.shown} rows of ${seen.rows}`)
  }
  return { complaints, lists }
}

/** The help centre has no lists, and no shell around it. */
const isList = (path: string) => path !== '/schoolSupport' && !/\/(add|edit|own|dashboard)$|\{/.test(path)

const enter = (page: Page) => helpAt(page, SUPPORT, '南岭示范大学')

// The longest first: with a browser of their own they are the last of all stories, and one worker would wait for the other.
const areas = [
  // The bar that says whose school it is takes the height of a row.
  ['the lists of a school', enter, /^\/schoolPC\//, ROWS - 1],
  ['the operators’ lists over schools', (page: Page) => signIn(page, OVER_SCHOOLS), /^\/platformPC\//, ROWS],
  ['the operators’ own lists', (page: Page) => signIn(page, OPERATOR), /^\/(?!platformPC|schoolPC)/, ROWS],
] as const

for (const [which, begin, of, least] of areas) {
  test(`${which} show who, how they stand and what may be done`, async ({ page }) => {
    test.setTimeout(300_000)
    await begin(page)
    const { complaints, lists } = await lookAt(
      page,
      routes.filter((path) => isList(path) && of.test(path)),
      least,
    )
    expect(complaints).toEqual([])
    expect(lists).toBeGreaterThan(10)
  })
}
