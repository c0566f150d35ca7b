import { expectAccessible } from './axe'
import { dialog, drag, fill, goTo, helpAt, helpTo, openAt, openTab, press, rowOf, takeBack, told } from './kit'
import { operatorOf } from './session'
import { expect, type Locator, type Page, test } from './test'

/** A registrar's day at the second school, by an operator who helps there: states with counts, pasted names, views, files, and what is taken back. */

const OPERATOR = operatorOf('registrar', '演示教务')
const LIST = '在籍学生'

const SCHOOL = '南岭示范大学'

const open = async (page: Page) => {
  await helpTo(page, OPERATOR, SCHOOL, LIST)
  await expect(page.getByText(/^共 [\d,]+ 条$/)).toBeVisible()
}
const counted = async (shown: Locator) => Number((await shown.innerText()).replace(/\D/g, ''))
const total = async (page: Page) => Number((await page.getByText(/^共 [\d,]+ 条$/).innerText()).replace(/\D/g, ''))
const namesOfPage = (page: Page) => page.locator('tr[data-row] .row-name').allInnerTexts()

test('each state tells the total of its list', async ({ page }) => {
  await open(page)
  const tab = page.getByRole('tab', { name: /^休学 / })
  const told = Number((await tab.innerText()).replace(/\D/g, ''))
  await tab.click()
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => total(page)).toBe(told)
})

test('a list of names out of a sheet becomes the list of those people', async ({ page }) => {
  await open(page)
  const [first = '', second = ''] = await page.locator('tr[data-row] td .beneath').allInnerTexts()
  await page.getByRole('button', { name: '粘贴名单' }).click()
  await dialog(page).getByRole('textbox', { name: '名单' }).fill(`${first}\n${second}\n查无此人`)
  await press(page, '查找3项')
  await expect(page.getByText('找到2条，未找到1项：查无此人')).toBeVisible()
  await expect(page.getByText('共 2 条')).toBeVisible()
  await expectAccessible(page)
})

test('filters under a name stand in the menu and lead back', async ({ page }) => {
  await open(page)
  const tab = page.getByRole('tab', { name: /^待注册 / })
  const shown = await counted(tab)
  await tab.click()
  await expect(page).toHaveURL(/scope=pending_registration/)
  await expect.poll(() => total(page)).toBe(shown)
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByRole('menuitem', { name: '保存当前为视图…' }).click()
  await dialog(page).getByRole('textbox', { name: '视图名称' }).fill('等待注册的人')
  await dialog(page).getByText('固定在菜单').click()
  await press(page, '保存')
  await told(page, '已保存视图')
  await goTo(page, '首页')
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '等待注册的人' }).click()
  await expect(page).toHaveURL(/scope=pending_registration/)
  // Others may have entered somebody meanwhile.
  await expect.poll(async () => (await total(page)) - (await counted(tab))).toBe(0)
  // The view as a file, under its name, with its columns in its order; a column is dragged to another place before.
  await page.getByRole('button', { name: '显示的列' }).click()
  const columns = page.getByRole('list', { name: '显示的列' }).getByRole('listitem')
  // A list that is scrolled while it opens lets go of what was taken: then it is dragged once more.
  await expect(async () => {
    const fifth = await columns.nth(4).innerText()
    await drag(columns.nth(4), columns.nth(2))
    await expect(columns.nth(2)).toHaveText(fifth, { timeout: 1_000 })
  }).toPass({ timeout: 30_000 })
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByRole('button', { name: '导出等待注册的人' }).click()
  await expect(dialog(page).getByRole('radio', { name: '显示的列' })).toBeChecked()
  const coming = page.waitForEvent('download')
  await dialog(page)
    .getByRole('button', { name: /^导出[\d,]+条$/ })
    .click()
  expect((await coming).suggestedFilename()).toBe('等待注册的人.xlsx')
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByRole('button', { name: '删除等待注册的人' }).click()
  await press(page, '删除')
  await expect(page.getByRole('link', { name: '等待注册的人' })).toHaveCount(0)
})

test('a file is asked for by its columns, and says that its numbers are hidden', async ({ page }) => {
  await open(page)
  await openTab(page, /^休学/)
  await expect(page).toHaveURL(/scope=suspended/)
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await dialog(page).getByText('保险', { exact: true }).click()
  await expect(dialog(page).getByRole('checkbox', { checked: true })).toHaveCount(5)
  // Whole numbers are offered to those alone who have the right.
  await expect(dialog(page).getByText(/显示完整内容/)).toHaveCount(0)
  const coming = page.waitForEvent('download')
  await dialog(page)
    .getByRole('button', { name: /^导出\d+条$/ })
    .click()
  expect((await coming).suggestedFilename()).toMatch(/^学籍_\d{14}\.xlsx$/)
  await told(page, /^已导出\d+条，证件号、手机等已隐藏$/)
})

test('who was taken out of a class is put back by one press', async ({ page }) => {
  await open(page)
  await openAt(page, `${new URL(page.url()).pathname.slice(1)}?assigned=true&scope=registered`)
  const number = await page.locator('tr[data-row] td .beneath').first().innerText()
  await openAt(page, `${new URL(page.url()).pathname.slice(1)}?keyword=${number}`)
  const row = rowOf(page, number)
  const former = await row.locator('td').filter({ hasText: '班' }).first().innerText()
  await row.getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: '移出班级' }).click()
  await press(page, '移出班级')
  const undo = page.getByRole('region', { name: '可撤销的操作' })
  await expect(undo).toContainText('移出班级：已完成1条')
  await expect(row).not.toContainText(former)
  await takeBack(page)
  await expect(row).toContainText(former)
})

test('a phone is corrected in three clicks', async ({ page }) => {
  await open(page)
  const [name = ''] = await namesOfPage(page)
  // One: the name. Two: the pencil. Three: the tick.
  await page.locator('tr[data-row] .row-name').first().click()
  await dialog(page).getByRole('button', { name: '修改手机' }).click()
  await fill(page, { 手机: '1380013' })
  await dialog(page).getByRole('button', { name: '保存手机' }).click()
  await expect(dialog(page).getByRole('alert').filter({ hasText: /手机/ })).toBeVisible()
  await fill(page, { 手机: '13800138000' })
  await dialog(page).getByRole('button', { name: '保存手机' }).click()
  await told(page, '已修改手机')
  await expect(dialog(page, name)).toContainText('138****8000')
  // From the card one also writes to the person, and to nobody else.
  await dialog(page, name).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem').getByRole('button', { name: '发消息', exact: true }).click()
  await expect(page.getByText('选定的1名学生')).toBeVisible()
  await page.getByRole('button', { name: '预览接收人数' }).click()
  await expect(page.getByRole('status').filter({ hasText: '共1人' })).toContainText(name)
})

test('home tells what waits, and each leads to its list', async ({ page }) => {
  await helpAt(page, OPERATOR, SCHOOL)
  test.setTimeout(180_000)
  const todos = page.getByRole('region', { name: '待办' })
  const waiting = todos.getByRole('link', { name: /待注册的学生/ })
  await expect(waiting).toContainText('最早')
  await expectAccessible(page)
  // Figures are as old as a minute, in which others may enter somebody.
  await expect(async () => {
    await openAt(page, '')
    await page.getByRole('button', { name: '刷新' }).click()
    const count = await counted(waiting.locator('strong'))
    await waiting.click()
    await expect(page).toHaveURL(/scope=pending_registration/)
    await expect.poll(() => total(page), { timeout: 3_000 }).toBe(count)
  }).toPass({ intervals: [15_000], timeout: 150_000 })
})
