import { type BrowserContext, type BrowserType, test as base, type Page } from '@playwright/test'
import { expect } from './expect'

const forget = async (context: BrowserContext) => {
  await context.clearCookies()
  await context.clearPermissions()
  await context.unrouteAll()
}

/** Keeps what the page told, in `window.told`: a tip goes after seconds, within which a busy machine may not look at the page. */
const keepTips = (page: Page) =>
  page.addInitScript(() => {
    const told: [number, string][] = []
    Object.assign(window, { told })
    const alertsAt = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement
      const above = element?.closest('[role=alert]')
      return above ? [above] : [...(element?.querySelectorAll('[role=alert]') ?? [])]
    }
    const note = (node: Node) => {
      for (const alert of alertsAt(node)) told.push([Date.now(), alert.textContent ?? ''])
    }
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) addedNodes.forEach(note)
    }).observe(document, { childList: true, subtree: true })
  })

/** A browser whose profile on disk is kept as long as its worker. */
const kept = async (chromium: BrowserType, use: (context: BrowserContext) => Promise<void>) => {
  const context = await chromium.launchPersistentContext('')
  await use(context)
  await context.close()
}

/** The first page is the browser's own, which goes on. */
const closePages = (context: BrowserContext) =>
  Promise.all(
    context
      .pages()
      .slice(1)
      .map((page) => page.close()),
  )

/** A page that knows nothing of former stories, and keeps its tips. */
const begin = async (page: Page, baseURL: string | undefined, looksAhead: boolean) => {
  if (!looksAhead) {
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
  }
  await keepTips(page)
  const session = await page.context().newCDPSession(page)
  const { origin } = new URL(baseURL ?? '')
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await session.detach()
}

/**
 * The stories of a worker go on in one browser, whose profile on disk keeps compiled code from page to page: the console is
 * loaded and compiled once, not once a story. Nothing else is handed on: each story begins signed out, with nothing remembered
 * and pages of its own. A second person has a browser that goes on in the same way.
 */
export const test = base.extend<
  { looksAhead: boolean; elsewhere: Page },
  { profile: BrowserContext; second: BrowserContext }
>({
  /** Whether each page fetches and compiles all others when nothing is to do: elsewhere another story always waits. */
  looksAhead: [false, { option: true }],
  profile: [({ playwright }, use) => kept(playwright.chromium, use), { scope: 'worker' }],
  second: [({ playwright }, use) => kept(playwright.chromium, use), { scope: 'worker' }],
  context: async ({ profile }, use) => {
    await forget(profile)
    await use(profile)
    await closePages(profile)
  },
  page: async ({ page, baseURL, looksAhead }, use) => {
    await begin(page, baseURL, looksAhead)
    await use(page)
  },
  /** A page of the second person. */
  elsewhere: async ({ second, baseURL }, use) => {
    await forget(second)
    const page = await second.newPage()
    await begin(page, baseURL, false)
    await use(page)
    await closePages(second)
  },
})

export type { Browser, Download, Locator, Page, Request } from '@playwright/test'
export { expect }
