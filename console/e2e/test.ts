import { type BrowserContext, test as base, expect } from '@playwright/test'

/**
 * The stories of a worker go on in one browser context: the console is loaded and compiled once, not once a story. Nothing else
 * is handed on: each story begins signed out, with nothing remembered and pages of its own.
 */
let shared: BrowserContext | undefined

const begin = async (context: BrowserContext) => {
  // Every page would fetch and compile all others ahead, when nothing is to do: here another story always has to.
  await context.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  return context
}

const forget = async (context: BrowserContext) => {
  await context.clearCookies()
  await context.clearPermissions()
  await context.unrouteAll()
}

export const test = base.extend({
  context: async ({ browser }, use) => {
    if (shared?.browser() === browser) await forget(shared)
    else shared = await begin(await browser.newContext())
    await use(shared)
    await Promise.all(shared.pages().map((page) => page.close()))
  },
  page: async ({ page, context, baseURL }, use) => {
    const session = await context.newCDPSession(page)
    const { origin } = new URL(baseURL ?? '')
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
    await session.detach()
    await use(page)
  },
})

export type { Browser, Download, Locator, Page, Request } from '@playwright/test'
export { expect }
