import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe finds in Arco's own parts, which cannot be mended from outside. Everything else fails. */
const exclusions: readonly { rule: string; part: string; why: string }[] = [
  {
    rule: 'label',
    part: 'arco-select-view-input',
    why: 'the inner input of a select; the combobox around it is named',
  },
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

export const expectAccessible = async (page: Page) => {
  // In the page itself: otherwise axe opens another one for its summary, which takes longer than the look.
  const axe = new AxeBuilder({ page }).withTags(standards).setLegacyMode().exclude(ALIKE)
  const { violations } = await axe.analyze()
  const found = violations
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })))
    .filter(({ id, html }) => !exclusions.some(({ rule, part }) => rule === id && html.includes(part)))
  expect(found.map(({ id, html, failureSummary }) => `${id}: ${html} ${failureSummary}`)).toEqual([])
}
