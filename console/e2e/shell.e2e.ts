import { expectAccessible } from './axe'
import { callFromPage, fillSignIn, goTo, isIn, signIn } from './kit'
import { expect, type Page, test } from './test'

/** What stands around the pages, as 站点管理员 of the first school, and what 查询人员 may not do. */

const ACCOUNT = 'demo01_zd'
const READER = 'demo01_cx'

const bar = (page: Page) => page.getByRole('navigation', { name: '已打开的页面' })
const tab = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const active = (page: Page) => bar(page).locator('[aria-current=page]')
const menuOf = async (page: Page, name: string, choice: string) => {
  await tab(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: choice, exact: true }).click()
}

test('a tab keeps its filters and what was typed while another is looked at', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '站点管理')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('没有查询的字')
  await goTo(page, '层次管理')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('专升本')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/levels\?keyword=/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await tab(page, '站点管理').click()
  await expect(page.getByRole('textbox', { name: '编码或名称' })).toHaveValue('没有查询的字')
  await page.goBack()
  await expect(page).toHaveURL(/levels\?keyword=/)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(tab(page, '站点管理')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '编码或名称' })).toHaveValue('专升本')
})

test('closing goes to the right neighbour, then to the left, and home stays', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const home = await active(page).innerText()
  for (const menu of ['站点管理', '层次管理', '学期管理']) await goTo(page, menu)
  await tab(page, '层次管理').click()
  await page.getByRole('button', { name: '关闭层次管理' }).click()
  await expect(active(page)).toHaveText('学期管理')
  await page.getByRole('button', { name: '关闭学期管理' }).click()
  await expect(active(page)).toHaveText('站点管理')
  await page.getByRole('button', { name: '关闭站点管理' }).click()
  await expect(active(page)).toHaveText(home)
  await expect(page.getByRole('button', { name: `关闭${home}` })).toHaveCount(0)
})

test('the menu of a tab refreshes it, closes the others and closes all', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const home = await active(page).innerText()
  for (const menu of ['站点管理', '层次管理', '学期管理']) await goTo(page, menu)
  await tab(page, '站点管理').click()
  await page.getByRole('textbox', { name: '编码或名称' }).fill('还没查询')
  await menuOf(page, '站点管理', '刷新')
  await expect(page).toHaveURL(/basicData\/site$/)
  await expect(page.getByRole('textbox', { name: '编码或名称' })).toHaveValue('')
  await menuOf(page, '站点管理', '关闭其他')
  await expect(tab(page, '层次管理')).toHaveCount(0)
  await expect(tab(page, '学期管理')).toHaveCount(0)
  await expect(active(page)).toHaveText('站点管理')
  await menuOf(page, '站点管理', '关闭所有')
  await expect(active(page)).toHaveText(home)
  await expect(tab(page, '站点管理')).toHaveCount(0)
  await tab(page, home).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '关闭', exact: true }).click()
  await expect(active(page)).toHaveText(home)
})

test('below 992 pixels the menu is a drawer that goes away by itself', async ({ page }) => {
  await page.setViewportSize({ width: 992, height: 768 })
  await signIn(page, ACCOUNT)
  const sidebar = page.getByRole('navigation', { name: '主菜单' })
  await expect(sidebar).toBeVisible()
  await page.setViewportSize({ width: 991, height: 768 })
  await expect(sidebar).toHaveCount(0)
  await page.getByRole('button', { name: '展开菜单' }).click()
  await sidebar.getByRole('textbox', { name: '搜索菜单' }).fill('层次')
  await sidebar.getByRole('menuitem', { name: '层次管理' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '层次管理' })).toBeVisible()
  await expect(sidebar).toHaveCount(0)
  await page.setViewportSize({ width: 992, height: 768 })
  await expect(sidebar).toBeVisible()
})

test('the menu folds and stays folded after a reload', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.getByRole('button', { name: '收起菜单' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: '展开菜单' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: '搜索菜单' })).toHaveCount(0)
})

test('Ctrl+K finds pages by their name and by keyboard alone', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: '查找菜单' })).toBeFocused()
  await page.keyboard.type('管理')
  await page.keyboard.press('ArrowDown')
  const second = await page.getByRole('option', { selected: true }).innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(second.split('\n')[0] ?? '')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('没有这样的菜单')
  await expect(page.getByText('没有找到“没有这样的菜单”，请换一个词')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: '查找菜单' })).toHaveCount(0)
})

test('Ctrl+K understands pinyin, and what was opened last stands first', async ({ page }) => {
  await signIn(page, ACCOUNT)
  for (const [typed, menu] of [
    ['zdgl', '站点管理'],
    ['cengci', '层次管理'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    await expect(page.getByRole('option').first()).toContainText(menu)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: menu })).toBeVisible()
  }
  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: '最近打开' })
  await expect(recent.getByRole('option').first()).toContainText('层次管理')
  await expect(recent.getByRole('option').nth(1)).toContainText('站点管理')
  await expectAccessible(page)
})

test('a starred page stands first in the palette and in the menu, by keyboard too', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '站点管理')
  await menuOf(page, '站点管理', '收藏')
  const sidebar = page.getByRole('navigation', { name: '主菜单' })
  await expect(sidebar.getByText('收藏', { exact: true })).toBeVisible()
  await expect(sidebar.getByRole('menuitem').first()).toHaveText('站点管理')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('学期管理')
  await page.keyboard.press('Control+d')
  await page.keyboard.press('Escape')
  await expect(sidebar.getByRole('menuitem').nth(1)).toHaveText('学期管理')
  await page.reload()
  await isIn(page)
  await page.keyboard.press('Control+k')
  const favourites = page.getByRole('group', { name: '收藏' })
  await expect(favourites.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '学期管理' })).toBeVisible()

  await sidebar.getByRole('menuitem', { name: '站点管理' }).first().press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '站点管理' })).toBeVisible()
  await tab(page, '站点管理').click({ button: 'right' })
  await page.getByRole('menuitem', { name: '取消收藏', exact: true }).click()
  await menuOf(page, '学期管理', '取消收藏')
  await expect(sidebar.getByText('收藏', { exact: true })).toHaveCount(0)
})

test('another person in a second browser tab: the first begins anew as that person', async ({ page, context }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '站点管理')
  await expect(page.getByRole('button', { name: '站点管理员' })).toBeVisible()
  await context.clearCookies()
  const second = await context.newPage()
  await second.goto('login')
  await fillSignIn(second, READER)
  await isIn(second)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert').filter({ hasText: '登录身份已变化' })).toBeVisible()
  await expect(page.getByRole('button', { name: '查询人员' })).toBeVisible()
  await expect(tab(page, '站点管理')).toHaveCount(0)
})

test('a school with a help centre has a link to it, which opens a window of its own', async ({ page, context }) => {
  await signIn(page, ACCOUNT)
  const opening = context.waitForEvent('page')
  await page.getByRole('banner').getByRole('link', { name: '帮助中心' }).click()
  const help = await opening
  await expect(help.getByRole('heading', { level: 1, name: '东湖示范学院（演示） 帮助中心' })).toBeVisible()
  await expect(help.getByRole('link', { name: '上线前需要准备哪些数据' })).toBeVisible()
  await expect(help.getByRole('navigation', { name: '主菜单' })).toHaveCount(0)
  await help.close()
})

test('where one is stands in the breadcrumb and in the title', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '国家专业库')
  await expect(page.getByLabel('当前位置')).toHaveText(/首页.*基础数据.*专业管理.*国家专业库/)
  await expect(page).toHaveTitle(/^国家专业库 - .*管理后台$/)
})

test('dark mode is kept', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: '切换到深色' }).click()
  expect(await ground()).not.toBe(light)
  await page.reload()
  await expect(page.getByRole('button', { name: '切换到浅色' })).toBeVisible()
  expect(await ground()).not.toBe(light)
})

test('an unknown page is a 404 that leads home', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.goto('sys/school/list')
  await expect(page).toHaveURL(/\/404$/)
  await expect(page.getByText('抱歉，您访问的页面不存在')).toBeVisible()
  await page.getByRole('button', { name: '返回首页' }).click()
  await expect(bar(page)).toBeVisible()
})

test('who may only read sees no buttons that write, and the server refuses too', async ({ page }) => {
  await signIn(page, READER)
  await goTo(page, '年级管理')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  for (const button of ['新增年级', '导入', '编辑', '停用', '删除']) {
    await expect(page.getByRole('button', { name: button, exact: true })).toHaveCount(0)
  }
  const body = { code: '2099', entrySeason: 'spring' }
  expect(await callFromPage(page, 'POST', '/adult/pc/grade/save', body)).toMatchObject({ code: 403 })
  expect(await callFromPage(page, 'POST', '/adult/pc/grade/list', {})).toMatchObject({ code: 200 })
})
