import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import config from '../playwright.config'
import { platformPaths, type SharedPath } from '../src/paths'
import { dataOf, helpAt, signIn, walk } from './kit'
import { operatorOf } from './session'
import { expect, type Page, type Request, test } from './test'

/**
 * Every list page on the screen of an office: at 1366×768 with scrollbars that take room nobody moves a table sideways to
 * see who it is, how they stand and what may be done. The operators' screens over schools are opened of one school as well.
 */

const OPERATOR = operatorOf('lists', '演示列表')
/** Another one, who opens the screens over schools meanwhile. */
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

/** The school that is chosen where a screen is opened of one. */
const EAST = '东湖示范学院（演示）'

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

/** A list is there, or something else that is no list. */
const something = async (page: Page) => {
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

/** What the list that is shown hides of name, status and actions, and whether its rows are too few; none of no list. */
const complaintsAt = async (page: Page, path: string, least: number) => {
  await something(page)
  const seen = await settled(page, least)
  if (!seen || seen.rows === 0) return undefined
  const [name] = seen.columns.filter(({ heading }) => heading !== '')
  const decides = seen.columns.filter((each) => each === name || each.heading === '操作' || STATE.test(each.heading))
  const hidden = decides.filter(({ hides }) => hides).map(({ heading }) => `${path} hides ${heading}`)
  return isShort(seen, least) ? [...hidden, `${path} shows ${seen.shown} rows of ${seen.rows}`] : hidden
}

/** The help centre has no lists, and no shell around it. */
const isList = (path: string) => path !== '/schoolSupport' && !/\/(add|edit|own|dashboard)$|\{/.test(path)

/** What some screens over schools must be told beside the school. */
const RECORD: Partial<Record<SharedPath, string>> = {
  courseChapters: 'courseId=1',
  courseRecordEdit: 'id=1',
  fieldAttributes: 'tab=schools',
  onlineExam: 'id=1',
  questionAdd: 'bankId=1&type=essay',
  questionEdit: 'id=1',
  paperCompose: 'paperId=1',
}
const screens = Object.entries(platformPaths) as [SharedPath, string][]
/** The lists among them that are looked at as they open over all schools: without a record, as the menu leads to them. */
const LOOKED_AT = new Set(screens.filter(([name, path]) => !RECORD[name] && isList(path)).map(([, path]) => path))

/** The calls of a page: those that were refused, and a wait until none is on its way. */
const callsOf = (page: Page) => {
  const refused: string[] = []
  const running = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/admin/apis')) running.add(request)
  })
  page.on('requestfailed', (request) => running.delete(request))
  page.on('requestfinished', async (request) => {
    if (!running.has(request)) return
    const at = new URL(page.url()).pathname
    const response = await request.response()
    // What is cut off by the next page has no body any more.
    const answer = (await response?.text().catch(() => undefined)) ?? '{"code":200}'
    if (!/"code":200\b/.test(answer)) {
      refused.push(`${at}: ${new URL(request.url()).pathname} ${answer.slice(0, 120)}`)
    }
    running.delete(request)
  })
  const answered = () => expect.poll(() => running.size, { intervals: [20, 50, 100] }).toBe(0)
  return { refused, answered }
}

// The longest first: with a browser of their own they are the last of all stories, and one worker would wait for the other.
test('every screen over schools opens, of all and of one, is refused no call, and hides nothing that decides', async ({
  page,
}) => {
  // Beside another worker on a slow machine a screen takes five seconds and more, and its list may wait for it.
  test.setTimeout(1_200_000)
  const patient = { timeout: 30_000 }
  await signIn(page, OVER_SCHOOLS)
  const { refused, answered } = callsOf(page)
  const { list } = await dataOf(page, 'POST', '/system/pc/sys/school/list', {})
  const { id: schoolId } = list.find(({ name }: { name: string }) => name === EAST)
  const complaints: string[] = []
  let lists = 0
  // Other tabs stay in the document, unseen.
  const here = page.locator('.page:visible')
  const waiting = here
    .getByRole('button', { name: '选定院校' })
    .or(here.getByText('请选择院校'))
    .or(here.getByText('所查看的院校还没有记录'))
    // Figures by school: its name leads into it.
    .or(here.getByRole('row').getByRole('button', { name: EAST, exact: true }))
    .filter({ visible: true })
  const shown = here
    .getByRole('row')
    .nth(1)
    .or(here.getByRole('button', { name: '保存', exact: true }))
  for (const [name, path] of screens) {
    const query = new URLSearchParams(RECORD[name])
    await walk(page, `${path.slice(1)}?${query}`)
    await expect(page.locator('.page[data-seen]:visible')).toHaveCount(0, patient)
    await expect(waiting.first()).toBeVisible(patient)
    await answered()
    const found = LOOKED_AT.has(path) ? await complaintsAt(page, path, ROWS) : undefined
    if (found) {
      complaints.push(...found)
      lists += 1
    }
    query.set('schoolId', String(schoolId))
    await walk(page, `${path.slice(1)}?${query}`)
    // What waited for a school is gone.
    await expect(waiting).toHaveCount(0, patient)
    await expect(shown.first()).toBeVisible(patient)
    await answered()
  }
  expect(refused).toEqual([])
  expect(complaints).toEqual([])
  expect(lists).toBeGreaterThan(10)
})

const isOfSchool = (path: string) => path.startsWith('/schoolPC/')
const isOwn = (path: string) => !isOfSchool(path) && !LOOKED_AT.has(path)

const areas = [
  // The bar that says whose school it is takes the height of a row.
  ['the lists of a school', (page: Page) => helpAt(page, SUPPORT, '南岭示范大学'), isOfSchool, ROWS - 1],
  ['the operators’ own lists', (page: Page) => signIn(page, OPERATOR), isOwn, ROWS],
] as const

for (const [which, begin, isOne, least] of areas) {
  test(`${which} show who, how they stand and what may be done`, async ({ page }) => {
    test.setTimeout(300_000)
    await begin(page)
    const complaints: string[] = []
    let lists = 0
    for (const path of routes.filter((each) => isList(each) && isOne(each))) {
      await walk(page, path.slice(1))
      const found = await complaintsAt(page, path, least)
      if (!found) continue
      complaints.push(...found)
      lists += 1
    }
    expect(complaints).toEqual([])
    expect(lists).toBeGreaterThan(10)
  })
}
