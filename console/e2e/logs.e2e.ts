import { expectAccessible } from './axe'
import {
  act,
  choose,
  dialog,
  exportButton,
  exported,
  fill,
  fillSignIn,
  goTo,
  isIn,
  press,
  rowOf,
  signInTo,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Who came in and who did what, as an operator of its own who reads it and leaves traces themself. */

const ACCOUNT = operatorOf('logs', '演示审计')

test.describe.configure({ mode: 'serial' })

const search = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('search').getByRole('textbox', { name: label, exact: true }).fill(value)
  }
  await page.getByRole('button', { name: '查询', exact: true }).click()
}

const pick = async (page: Page, label: string, words: string) => {
  await page.getByRole('search').getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: words, exact: true }).click()
}

test('a refused sign-in is found with its reason, and a span has an end', async ({ page }) => {
  await page.goto('login')
  await fillSignIn(page, ACCOUNT, 'Falsch@2026')
  await expect(page.getByText('密码错误').first()).toBeVisible()
  await fillSignIn(page, ACCOUNT)
  await isIn(page)

  await goTo(page, '登录日志')
  await search(page, { '账号/姓名': ACCOUNT.toUpperCase() })
  await expect(page).toHaveURL(/keyword=ADMIN\.LOGS/)
  await expect(rowOf(page, '密码错误')).toContainText('登录失败')
  await expect(rowOf(page, ACCOUNT)).toHaveCount(3)
  await pick(page, '结果', '成功')
  await expect(rowOf(page, ACCOUNT)).toHaveCount(2)
  await expectAccessible(page)

  await rowOf(page, ACCOUNT).getByRole('button').first().click()
  await expect(dialog(page)).toContainText('浏览器标识')
  await page.keyboard.press('Escape')

  const coming = exported(page, exportButton(page))
  expect((await coming).suggestedFilename()).toMatch(/^登录日志_\d{14}\.xlsx$/)

  await page.goto('data/user/log/login/list?startsOn=2026-01-01&endsOn=2026-04-03')
  await expect(page.getByRole('region', { name: '登录日志' }).getByText('时间跨度不能超过92天')).toBeVisible()
})

test('what an operator does inside a school is read by both sides, field by field', async ({ page }) => {
  await signInTo(page, ACCOUNT, '院校列表')
  await act(page, '东湖示范学院', '进入院校')
  await fill(page, { 进入原因: '协助建立机构' })
  await press(page, '进入院校')
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
  await goTo(page, '机构管理')
  await page.getByRole('button', { name: '新增机构' }).click()
  await fill(page, { 编码: 'AUDIT', 名称: '审计中心' })
  await choose(page, '类型', '中心')
  await press(page, '保存')
  await told(page, '已新增机构')

  await goTo(page, '用户操作日志')
  const saved = rowOf(page, '新增机构').filter({ hasText: '平台人员 演示审计' })
  await expect(saved).toContainText('200 成功')
  await expect(page.getByRole('columnheader', { name: '院校' })).toHaveCount(0)
  await saved.getByRole('button').first().click()
  const file = dialog(page, /新增机构/)
  await expect(file.getByRole('region', { name: '变更' }).getByRole('row', { name: /名称/ })).toContainText('审计中心')
  await expect(file.getByText('平台人员 演示审计 进入')).toBeVisible()
  await expect(file.getByRole('region', { name: '参数' })).toContainText('审计中心')
  await file.getByRole('button', { name: '查看本次登录的全部操作' }).click()
  await expect(page).toHaveURL(/sessionId=/)
  await expect(rowOf(page, '平台人员 演示审计')).toHaveCount(1)

  await page.getByRole('button', { name: '返回平台' }).click()
  await expect(page.getByText('平台运营中心')).toBeVisible()
  await goTo(page, '系统操作日志')
  await search(page, { 操作人: '演示审计' })
  await expect(rowOf(page, '新增机构')).toContainText('东湖示范学院')
  await page.getByRole('button', { name: '展开' }).click()
  await pick(page, '代操作', '平台人员进入院校后')
  // What was made, and the way back.
  await expect(rowOf(page, '演示审计')).toHaveCount(2)
  await rowOf(page, '新增机构').getByRole('button').first().click()
  await expect(dialog(page, /新增机构/).getByRole('region', { name: '变更' })).toContainText('审计中心')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await goTo(page, '登录日志')
  await search(page, { '账号/姓名': ACCOUNT })
  await expect(rowOf(page, '协助建立机构')).toContainText('进入院校')
})

test('the logs are checked against their seals', async ({ page }) => {
  await signInTo(page, ACCOUNT, '系统操作日志')
  await page.getByRole('button', { name: '校验日志' }).click()
  await expect(dialog(page)).toContainText('默认最近7天')
  await press(page, '开始校验')
  // A server that is new today has nothing older than a day.
  await expect(dialog(page)).toContainText('还没有封存的日志')
  await expectAccessible(page)
})
