import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, choose, dataOf, dialog, fill, goTo, helpAt, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Locator, type Page, test } from './test'

/** Supervision of the second school: who falls behind, who calls them, by which rules (05 C). */

const OPERATOR = operatorOf('supervision', '演示督学')
const SOUTH = '南岭示范大学'
const SUPERVISE = '/adult/pc/supervise'

const at = (search: object = {}) => `${paths.supervision.slice(1)}?${new URLSearchParams(Object.entries(search))}`

interface Case {
  name: string
  studentNo: string
}

/** One of the cases that a filter names, alone in the list. */
const alone = async (page: Page, filter: object): Promise<Case> => {
  const { list }: { list: Case[] } = await dataOf(page, 'POST', `${SUPERVISE}/list`, { ...filter, pageSize: 1 })
  const [one] = list
  if (!one) throw new Error(`no case is so: ${JSON.stringify(filter)}`)
  await openAt(page, at({ keyword: one.studentNo }))
  await expect(rowOf(page, one.name).first()).toBeVisible()
  return one
}

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

test('a student who falls behind is called, and the case goes on', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await goTo(page, '学生督学')
  await expect(page.getByRole('list', { name: '督学汇总' })).toContainText('在籍学生')
  await expectAccessible(page)
  const { name } = await alone(page, { status: 'open', uncontacted: true })
  const row = rowOf(page, name).first()
  await inRow(page, row, '登记联系')
  await fill(page, { 联系内容: '电话联系，承诺本周末补学' })
  await choose(page, '联系结果', '承诺补学')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已登记联系')
  await expect(row).toContainText('跟进中')
  await row.getByRole('button', { name }).first().click()
  await expect(dialog(page).getByRole('list', { name: '跟进记录' })).toContainText('承诺本周末补学')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await inRow(page, row, '关闭')
  await press(page, '关闭')
  await expect(dialog(page).getByText('请填写原因')).toBeVisible()
  await fill(page, { 原因: '已补学，无需督学' })
  await press(page, '关闭')
  await told(page, '已关闭案例')
  await expect(row).toContainText('已关闭')
})

test('a reminder is looked at before it is sent', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at({ live: 'true' }))
  await page.getByRole('button', { name: '全部提醒' }).click()
  await expect(
    dialog(page)
      .getByText(/可达[\d,]+人/)
      .first(),
  ).toBeVisible()
  await expectAccessible(page)
  await fill(page, { 附言: '请尽快补学' })
  await expect(dialog(page).getByRole('region', { name: '内容示例' })).toContainText('请尽快补学')
  await expect(dialog(page).getByRole('button', { name: /^发送给[\d,]+人$/ })).toBeVisible()
  await press(page, '取消')
  await press(page, '关闭')
  await expect(dialog(page)).toHaveCount(0)
})

test('somebody is watched by hand, and no more', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at())
  const { list } = await dataOf(page, 'POST', '/adult/pc/studentRoll/list', {
    status: ['registered'],
    pageSize: 1,
  })
  const [student] = list
  await page.getByRole('button', { name: '人工关注', exact: true }).click()
  await dialog(page).getByRole('combobox', { name: '学生' }).click()
  await page.keyboard.type(student.studentNo)
  await page.getByRole('option').filter({ hasText: student.studentNo }).click()
  await fill(page, { 关注原因: '家中有变故，需多联系' })
  await press(page, '保存')
  await told(page, '已加入督学')
  await openAt(page, at({ keyword: student.studentNo }))
  const row = rowOf(page, student.name).first()
  await expect(row).toContainText('人工关注')
  await row.getByRole('button', { name: student.name }).first().click()
  const flag = dialog(page).getByRole('row').filter({ hasText: '家中有变故' })
  await flag.getByRole('button', { name: '忽略' }).click()
  await fill(page, { 原因: '已与家长确认' })
  await press(page, '忽略')
  await told(page, '已忽略预警')
  await expect(flag).toContainText('已忽略')
})

test('rules grow stricter, and are tried before the night', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at({ tab: 'rules' }))
  await act(page, '视频落后', '编辑')
  await fill(page, { 黄色阈值: '30', 橙色阈值: '20' })
  await press(page, '保存')
  await expect(dialog(page).getByText('三级阈值须依次加严')).toBeVisible()
  await expectAccessible(page)
  await fill(page, { 黄色阈值: '15', 橙色阈值: '30' })
  await press(page, '保存')
  await told(page, /已保存规则/)
  await page.getByRole('button', { name: '试算' }).click()
  await expectAccessible(page)
  await press(page, '开始试算')
  await expect(dialog(page)).toContainText('没有改动案例')
  await press(page, '知道了')
  await expectAccessible(page)
})

test('classes, managers, contacts and trends', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at({ tab: 'classes' }))
  await expect(page.getByRole('columnheader', { name: '预警率' })).toBeVisible()
  await expectAccessible(page)
  await openTab(page, '按班主任')
  await expect(page.getByRole('columnheader', { name: '联系次数' })).toBeVisible()
  await openTab(page, '联系记录')
  await expect(page.getByText(/^共 [\d,]+ 条$/)).toBeVisible()
  await expectAccessible(page)
  await openTab(page, '趋势')
  await expect(
    page.getByRole('region', { name: '提醒效果' }).getByRole('rowheader', { name: '提醒过的' }),
  ).toBeVisible()
  await expectAccessible(page)
  await openTab(page, '预警学生')
  await page.getByRole('button', { name: '打印联系单' }).click()
  const coming = page.waitForEvent('download')
  await press(page, '生成联系单')
  expect((await coming).suggestedFilename()).toBe('督学联系单.pdf')
})
