import type { Locator, Page, Request } from '@playwright/test'
import { expect } from './expect'
import { addressOf, entryOf, isOperator, PASSWORD, tokenOf } from './session'

/** What every story does: sign in, go to a page, fill a form. Everything is found by its role and its words. */

/** Where the console keeps its token. */
const COOKIE = 'education_admin_token'

export const fillSignIn = async (page: Page, account: string, password = PASSWORD) => {
  if (!isOperator(account)) await page.getByText('院校登录').click()
  await page.getByRole('textbox', { name: '账号' }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

export const isIn = (page: Page) => expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible()

/** Opens the console as somebody signed in; the form itself is `fillSignIn`'s. */
export const signIn = async (page: Page, account: string, at = '') => {
  const value = await tokenOf(page.request, account)
  await page.context().addCookies([{ name: COOKIE, value, url: process.env.CHENGJIAO_URL }])
  await page.goto(at)
  await isIn(page)
}

const hasOpened = (page: Page, menu: string) =>
  expect(page.getByRole('heading', { level: 1, name: menu })).toBeVisible()

/** The same at a page of the menu: home, of which few stories tell, is not drawn before. */
export const signInTo = async (page: Page, account: string, menu: string) => {
  const token = await tokenOf(page.request, account)
  const area = isOperator(account) ? 'platform' : 'school'
  await signIn(page, account, await addressOf(page.request, area, token, menu))
  await hasOpened(page, menu)
}

/** Opens the console as an operator who helps at a school; how one enters by the list of schools is told in `schools.e2e.ts`. */
export const helpAt = async (page: Page, operator: string, school: string, at = '') => {
  const value = await entryOf(page.request, operator, school)
  await page.context().addCookies([{ name: COOKIE, value, url: process.env.CHENGJIAO_URL }])
  await page.goto(at)
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
}

/** The same at a page of the school's menu. */
export const helpTo = async (page: Page, operator: string, school: string, menu: string) => {
  const token = await entryOf(page.request, operator, school)
  await helpAt(page, operator, school, await addressOf(page.request, 'school', token, menu))
  await hasOpened(page, menu)
}

/** To an address, as a link of the console leads there: nothing is loaded anew. What stood there before is marked. */
export const walk = (page: Page, at: string) =>
  page.evaluate((to) => {
    for (const each of document.querySelectorAll('.page')) each.setAttribute('data-seen', '')
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, at)

/** Does something and comes back when the page's calls that began by it, one at least, are answered: none for a tenth of a second. */
const settled = async (page: Page, act: () => Promise<void>) => {
  const running = new Set<Request>()
  let last: number | undefined
  const begins = (request: Request) => {
    if (new URL(request.url()).pathname.startsWith('/admin/apis')) running.add(request)
  }
  const ends = (request: Request) => {
    if (running.delete(request)) last = Date.now()
  }
  page.on('request', begins).on('requestfinished', ends).on('requestfailed', ends)
  await act()
  const isQuiet = () => running.size === 0 && last !== undefined && Date.now() - last > 100
  await expect.poll(isQuiet, { intervals: [20, 50, 100] }).toBe(true)
  page.off('request', begins).off('requestfinished', ends).off('requestfailed', ends)
}

/**
 * To an address as if the console were loaded there: every page begins anew and asks the server again, as 刷新 has it. What was
 * asked for before is shown until the answer comes, which is waited for. Loading takes several times as long.
 */
export const openAt = (page: Page, at: string) =>
  settled(page, async () => {
    await walk(page, `redirect/${at}`)
    await expect(page.locator('.page[data-seen]')).toHaveCount(0)
    await expect(page.locator('.page:visible')).toHaveCount(1)
  })

/** Opens a page by its menu's name, as people who know their console do. */
export const goTo = async (page: Page, menu: string) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '查找菜单' }).fill(menu)
  await page.getByRole('option', { name: menu }).first().click()
  await hasOpened(page, menu)
}

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** How long a tip stays on the page. */
const TIP_MS = 2000

/** What the page told since then, in tips that may be gone. */
const toldSince = async (page: Page, since: number) => {
  // A page that is being loaded has told nothing yet; another's has nobody who keeps it.
  const all = await page.evaluate(() => (window as { told?: [number, string][] }).told ?? []).catch(() => [])
  return all.filter(([at]) => at >= since).map(([, words]) => words)
}

/** The tip at the top of the page, or at its foot what can be taken back. */
export const told = (page: Page, words: string | RegExp) => {
  const since = Date.now() - TIP_MS
  const says = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text))
  const undo = page.getByRole('region', { name: '可撤销的操作' })
  const tip = page.getByRole('alert').or(undo).filter({ hasText: words }).last()
  const isTold = async () => (await toldSince(page, since)).some(says) || (await tip.isVisible().catch(() => false))
  return expect.poll(isTold, { message: `told ${words}`, intervals: [20, 50, 100], timeout: 10_000 }).toBe(true)
}

/** 撤销 of what was done last, within half a minute. */
export const takeBack = async (page: Page) => {
  await page.getByRole('region', { name: '可撤销的操作' }).getByRole('button', { name: /^撤销/ }).click()
  await told(page, '已撤销')
}

/** The topmost form or question. */
export const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {}).last()

export const choose = async (page: Page, label: string, words: string) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: words, exact: true }).click()
}

export const fill = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) {
    const named = { name: label, exact: true }
    const text = dialog(page).getByRole('textbox', named)
    await text.or(dialog(page).getByRole('spinbutton', named)).fill(value)
  }
}

export const press = (page: Page, button: string) =>
  dialog(page).getByRole('button', { name: button, exact: true }).click()

/** A button of the one row that has these words: of two, one is deleted and about to go. */
const buttonOf = async (page: Page, row: string, button: string) => {
  const found = rowOf(page, row).getByRole('button', { name: button, exact: true })
  await expect(found).toHaveCount(1)
  return found
}

/** Does something with a row and answers the question after it. */
export const act = async (page: Page, row: string, button: string, question?: string | RegExp) => {
  await (await buttonOf(page, row, button)).click()
  if (!question) return
  await expect(dialog(page).getByText(question)).toBeVisible()
  await press(page, button)
}

/** The same for what stands under 更多. */
export const actInMore = async (page: Page, row: string, button: string) => {
  await (await buttonOf(page, row, '更多')).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

/** The drawer of an audit closes after each decision, as a person may wish: others may wait in the same list. */
export const oneByOne = (page: Page) => page.evaluate(() => localStorage.setItem('audit.next', 'off'))

/** To a tab, and what it shows: what is typed before goes to the one that is left. */
export const openTab = async (of: Page | Locator, name: string | RegExp) => {
  const tab = of.getByRole('tab', { name })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

/** As a hand drags: a busy browser may take a jump for no drag at all. */
export const drag = (from: Locator, to: Locator) => from.dragTo(to, { steps: 10 })

/** Takes the file of a list: all of its columns, unless another set is named. */
export const exported = async (page: Page, button: Locator, set = '全部列') => {
  await button.click()
  await dialog(page).getByText(set, { exact: true }).click()
  const coming = page.waitForEvent('download')
  await dialog(page)
    .getByRole('button', { name: /^导出[\d,]+条$/ })
    .click()
  return coming
}

/** 导出 of the page. */
export const exportButton = (page: Page) => page.getByRole('button', { name: '导出', exact: true })

/** What the page's own token may do, asked past the console. */
export const callFromPage = (page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([method, path, body]) => {
      const token = document.cookie.match(/education_admin_token=([^;]+)/)?.[1] ?? ''
      const response = await fetch(`/admin/apis${path}`, {
        method,
        headers: { token, 'Content-Type': 'application/json' },
        body,
      })
      return response.json()
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )

/** The data of a call that must succeed. */
export const dataOf = async (page: Page, method: string, path: string, body?: unknown) => {
  const answer = await callFromPage(page, method, path, body)
  expect(answer.code, JSON.stringify(answer)).toBe(200)
  return answer.data
}

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** An identity number of an invented person: right by its check digit, one for each `at`. */
export const idCardOf = (at: number) => {
  const body = `11010519900307${String(900 + at).padStart(3, '0')}`
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(body[index]), 0)
  return body + '10X98765432'.charAt(sum % 11)
}
