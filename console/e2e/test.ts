import { type BrowserContext, test as base, expect } from '@playwright/test'

/**
 * The stories of a worker go on in one browser context: the console is loaded and compiled once, not once a story. Nothing else
 * is handed on: each story begins signed out, with nothing remembered and pages of its own.
 */
let shared: BrowserContext | undefined

const forget = async (context: BrowserContext, origin: string) => {
  await context.clearCookies()
  await context.clearPermissions()
  await context.unrouteAll()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' })
  await page.close()
}

export const test = base.extend({
  context: async ({ browser, baseURL }, use) => {
    if (!shared || shared.browser() !== browser) shared = await browser.newContext()
    else await forget(shared, new URL(baseURL ?? '').origin)
    await use(shared)
    await Promise.all(shared.pages().map((page) => page.close()))
  },
})

export type { Browser, Download, Locator, Page } from '@playwright/test'
export { expect }
