import { setTimeout as pause } from 'node:timers/promises'
import { expect as base, errors, type Locator, type MatcherReturnType, type Page } from '@playwright/test'

/**
 * Playwright's assertions, which look more often and cost the page less. By themselves they look again after half a second as soon
 * as the first third of a second is over, and each vain look at an element that is missing describes the whole page for a message
 * that nobody reads unless it is the last: that takes the page longer than what is waited for. So an element is first waited for
 * without words, then the assertion itself is made, for as long as is left. What is asserted, and how long it may take, stays.
 */

/** Where it has less than two seconds and a half Playwright looks every tenth of a second. */
const STRETCH_MS = 2400
/** Clocks of two processes differ by so much at most. */
const SLACK_MS = 50
const LOOK_MS = 20

/** What asks something of an element that must be there. */
const OF_ONE = [
  'toBeAttached',
  'toBeChecked',
  'toBeDisabled',
  'toBeEnabled',
  'toBeFocused',
  'toBeInViewport',
  'toBeVisible',
  'toContainText',
  'toHaveAttribute',
  'toHaveClass',
  'toHaveText',
  'toHaveValue',
] as const
/** These may hold without one. */
const OTHERS = ['toBeHidden', 'toHaveCount', 'toHaveURL'] as const

type Name = (typeof OF_ONE)[number] | (typeof OTHERS)[number]
/** How an assertion was called: whether its opposite is wanted, and how many milliseconds it has. */
interface Called {
  readonly isNot: boolean
  readonly timeout: number
}

type Assertions = Record<Name, (...args: readonly unknown[]) => Promise<void>>

const isOfOne = (name: Name) => OF_ONE.some((each) => each === name)
const hasTimeout = (arg: unknown): arg is { timeout: number } =>
  typeof arg === 'object' && arg !== null && 'timeout' in arg && typeof arg.timeout === 'number'

/** Waits for an element; false when it does not come, or for a reason that the assertion says better. */
const comes = async (what: Locator, state: 'attached' | 'visible', until: number): Promise<boolean> => {
  const left = until - Date.now()
  if (left <= 0) return false
  try {
    await what.waitFor({ state, timeout: Math.min(left, STRETCH_MS) })
    return true
  } catch (error) {
    return error instanceof errors.TimeoutError && comes(what, state, until)
  }
}

/** Waits until an address is as it should be, which the page tells without being asked. */
const arrives = async (page: Page, url: RegExp, isNot: boolean, until: number) => {
  while (!page.isClosed() && url.test(page.url()) === isNot && Date.now() < until) await pause(LOOK_MS)
}

/** What can be waited for before it is asserted; true where that was all. */
const isBeforehand = async (name: Name, what: Locator | Page, args: readonly unknown[], until: number) => {
  const [wanted] = args
  if (!isOfOne(name) || !('waitFor' in what) || Array.isArray(wanted)) return false
  // `{ visible: false }` and its like want the opposite.
  const isPlain = args.every(hasTimeout)
  if (name === 'toBeVisible') return isPlain && comes(what, 'visible', until)
  if (name === 'toBeAttached' && !isPlain) return false
  await comes(what.first(), 'attached', until)
  return false
}

const matcherOf = (name: Name) =>
  async function (this: Called, what: Locator | Page, ...args: readonly unknown[]): Promise<MatcherReturnType> {
    const whole = args.find(hasTimeout)?.timeout ?? this.timeout
    // No time at all is all of it, as where a story is looked at step by step.
    const until = whole === 0 ? Number.POSITIVE_INFINITY : Date.now() + whole
    const given = args.map((arg) => (hasTimeout(arg) ? { ...arg, timeout: undefined } : arg))
    const passed = { pass: !this.isNot, message: () => '' }
    const [wanted] = args
    if (!this.isNot && (await isBeforehand(name, what, args, until))) return passed
    if (name === 'toHaveURL' && 'url' in what && wanted instanceof RegExp) {
      await arrives(what, wanted, this.isNot, until)
    }
    for (;;) {
      const stretch = Math.max(1, Math.min(until - Date.now(), STRETCH_MS))
      const began = Date.now()
      const assured = base.configure({ timeout: stretch })(what)
      const to = (this.isNot ? assured.not : assured) as unknown as Assertions
      try {
        await to[name](...given)
        return passed
      } catch (error) {
        const now = Date.now()
        // What fails before its time is no matter of waiting.
        if (now >= until || now - began < stretch - SLACK_MS) {
          const why = error instanceof Error ? error.message : String(error)
          return { pass: this.isNot, message: () => `${why}\nAll in all it had ${whole} ms.` }
        }
      }
    }
  }

const matchers = Object.fromEntries([...OF_ONE, ...OTHERS].map((name) => [name, matcherOf(name)]))

export const expect = base.extend(matchers) as unknown as typeof base
