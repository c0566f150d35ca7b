import { appendFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect } from './expect'

/** What a hand does for a task, counted in the page itself: presses of the mouse and of keys. Typed texts are not counted. */

/** Where a run writes its table, for `make bench BENCH=clicks`. */
const TABLE = 'CLICKS_TABLE'
const SECOND_MS = 1000

interface Hand {
  clicks: number
  keys: number
}

/** Every page of the tab counts from now on, also one that is loaded anew: the name of a window outlives its pages. */
export const countHand = (page: Page) =>
  page.addInitScript(() => {
    const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta']
    const add = (what: 'clicks' | 'keys') => {
      const hand = JSON.parse(window.name || '{"clicks":0,"keys":0}')
      hand[what] += 1
      window.name = JSON.stringify(hand)
    }
    addEventListener('pointerdown', ({ isTrusted }) => isTrusted && add('clicks'), true)
    addEventListener(
      'keydown',
      ({ isTrusted, repeat, key }) => isTrusted && !repeat && !MODIFIERS.includes(key) && add('keys'),
      true,
    )
  })

/** Does a task and says what it took of a hand; more than was wanted is a failure. */
export const counted = async (page: Page, task: string, wanted: Hand, how: () => Promise<void>) => {
  await page.evaluate(() => {
    window.name = ''
  })
  const began = performance.now()
  await how()
  const seconds = (performance.now() - began) / SECOND_MS
  const hand: Hand = await page.evaluate(() => JSON.parse(window.name || '{"clicks":0,"keys":0}'))
  // A task that took nothing was not counted.
  expect(hand.clicks + hand.keys, task).toBeGreaterThan(0)
  expect(hand.clicks, `${task}: clicks`).toBeLessThanOrEqual(wanted.clicks)
  expect(hand.keys, `${task}: keys`).toBeLessThanOrEqual(wanted.keys)
  const table = process.env[TABLE]
  if (table) appendFileSync(table, `${[task, hand.clicks, hand.keys, seconds.toFixed(1)].join('\t')}\n`)
}
