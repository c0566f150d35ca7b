import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'

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

/**
 * The stories of a worker go on in one browser, whose profile on disk keeps compiled code from page to page: the console is
 * loaded and compiled once, not once a story. Nothing else is handed on: each story begins signed out, with nothing remembered
 * and pages of its own.
 */
export const test = base.extend<{ looksAhead: boolean }, { profile: BrowserContext }>({
  /** Whether each page fetches and compiles all others when nothing is to do: elsewhere another story always waits. */
  looksAhead: [false, { option: true }],
  profile: [
    async ({ playwright }, use) => {
      const context = await playwright.chromium.launchPersistentContext('')
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ profile }, use) => {
    await forget(profile)
    await use(profile)
    // The first page is the browser's own, which goes on.
    await Promise.all(
      profile
        .pages()
        .slice(1)
        .map((page) => page.close()),
    )
  },
  page: async ({ page, context, baseURL, looksAhead }, use) => {
    if (!looksAhead) {
      await page.addInitScript(() => {
        window.requestIdleCallback = () => 0
      })
    }
    await keepTips(page)
    const session = await context.newCDPSession(page)
    const { origin } = new URL(baseURL ?? '')
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
    await session.detach()
    await use(page)
  },
})

export type { Browser, Download, Locator, Page, Request } from '@playwright/test'
export { expect }
