import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './expect'

/** What axe finds in Arco's own parts, which cannot be mended from outside. Everything else fails. */
const exclusions: readonly { rule: string; part: string; why: string }[] = [
  {
    rule: 'label',
    part: 'arco-select-view-input',
    why: 'the inner input of a select; the combobox around it is named',
  },
  { rule: 'label', part: 'arco-input-tag-input', why: 'the same where several are chosen' },
  {
    rule: 'aria-hidden-focus',
    part: 'arco-select-view-input arco-select-hidden',
    why: 'the box in which one types to search, behind what was chosen: it only takes the focus by its combobox',
  },
  { rule: 'label', part: 'arco-cascader', why: 'the inner input of a cascader; the combobox around it is named' },
  { rule: 'label', part: 'type="checkbox"', why: 'the checkbox that ticks all rows takes no name; each row’s has one' },
  {
    rule: 'aria-allowed-attr',
    part: 'arco-menu-inline-header',
    why: 'a menu’s directory has no role, yet is expanded',
  },
  { rule: 'aria-required-children', part: 'arco-menu', why: 'the same: directories stand between menu and items' },
  { rule: 'label', part: 'arco-pagination-jumper-input', why: 'the pager’s own box for a page number takes no name' },
  { rule: 'aria-prohibited-attr', part: 'arco-pagination-option', why: 'the page size is named twice, once where not' },
  { rule: 'scrollable-region-focusable', part: 'arco-table-header', why: 'it scrolls with the rows, which take focus' },
]

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/** The rows of a table are alike: of the fourth and those after it nothing is said that the first three do not show. */
const ALIKE = 'tr[data-row]:nth-child(n + 4)'

const SOURCE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8')

/** A page without frames is given axe once: the builder would send it a longer source twice for each look. */
const builderFor = async (page: Page) => {
  if (page.frames().length > 1) return new AxeBuilder({ page })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  return new AxeBuilder({ page, axeSource: 'undefined' })
}

export const expectAccessible = async (page: Page) => {
  // Rows of the former answer fade until the next one comes.
  await expect(page.locator('.table-stale')).toHaveCount(0)
  const axe = await builderFor(page)
  const { violations } = await axe
    .options({
      // Of elements without a mistake nothing is told, and of none its path: that takes long and is read by nobody.
      resultTypes: ['violations'],
      selectors: false,
      // Style sheets are read for an experimental rule alone, which these standards do not have.
      preload: { assets: ['media'] },
    })
    .withTags(standards)
    // In the page itself: otherwise axe opens another one for its summary, which takes longer than the look.
    .setLegacyMode()
    .exclude(ALIKE)
    .analyze()
  const found = violations
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })))
    .filter(({ id, html }) => !exclusions.some(({ rule, part }) => rule === id && html.includes(part)))
  expect(found.map(({ id, html, failureSummary }) => `${id}: ${html} ${failureSummary}`)).toEqual([])
}
