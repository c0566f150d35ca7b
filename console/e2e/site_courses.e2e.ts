import { expectAccessible } from './axe'
import { act, actInMore, dialog, fill, oneByOne, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The operators' online-education site: live channels, comments, lecturers' applications and withdrawals. */

const ACCOUNT = operatorOf('site_courses', '演示网课')

test('a channel is entered, switched off, closed and deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '直播频道')
  await page.getByRole('button', { name: '新增频道' }).click()
  await fill(page, { 频道名称: '二号直播间', 频道号: 'e2e002' })
  await press(page, '保存')
  await told(page, '已新增频道')
  await expect(rowOf(page, '二号直播间')).toContainText('空闲')
  await act(page, '二号直播间', '编辑')
  await fill(page, { 频道名称: '三号直播间' })
  await press(page, '保存')
  await told(page, '已保存频道')
  await expectAccessible(page)
  await actInMore(page, '三号直播间', '关闭直播')
  await expect(dialog(page).getByText('关闭“三号直播间”？')).toBeVisible()
  await press(page, '关闭直播')
  await told(page, '已关闭“三号直播间”')
  await expect(rowOf(page, '三号直播间')).toContainText('已结束')
  await actInMore(page, '三号直播间', '删除')
  await press(page, '删除')
  await told(page, '已删除“三号直播间”')
})

test('the library has categories of its own', async ({ page }) => {
  await signInTo(page, ACCOUNT, '文库分类')
  await page.getByRole('button', { name: '新增分类' }).click()
  await fill(page, { 名称: '真题' })
  await press(page, '保存')
  await told(page, '已新增分类')
  await expect(rowOf(page, '真题')).toBeVisible()
  await expectAccessible(page)
})

test('a comment is answered', async ({ page }) => {
  await signInTo(page, ACCOUNT, '课程评论')
  await act(page, '希望增加真题讲解', '回复')
  await fill(page, { 内容: '下月增加两讲真题' })
  await press(page, '回复')
  await told(page, '已回复')
  await expect(rowOf(page, '下月增加两讲真题')).toContainText('官方回复')
  await expectAccessible(page)
})

test('who asks to teach becomes a lecturer', async ({ page }) => {
  await signInTo(page, ACCOUNT, '讲师审核')
  await expect(rowOf(page, '江若宁')).toContainText('待审核')
  await oneByOne(page)
  await act(page, '江若宁', '审核')
  await expect(dialog(page).getByText('第 1 /')).toBeVisible()
  await press(page, '通过')
  await told(page, '已通过“江若宁”')
  await expect(dialog(page)).toHaveCount(0)
  await expect(rowOf(page, '江若宁')).toContainText('通过')
  await expectAccessible(page)
})

test('a withdrawal tells what the list comes to, and is not paid by who approved it', async ({ page }) => {
  await signInTo(page, ACCOUNT, '提现记录')
  // Another story has withdrawals of its own.
  await page.getByRole('textbox', { name: '姓名', exact: true }).fill('苏明远')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, '苏明远')).toContainText('1000.00')
  await expect(page.getByText('待审核：1笔，1000.00元')).toBeVisible()
  await expect(page.getByRole('tab', { name: '待审核 1', exact: true })).toBeVisible()
  await expectAccessible(page)
  await oneByOne(page)
  await act(page, '苏明远', '审核')
  await press(page, '通过')
  await expect(dialog(page).getByText('通过后由另一人打款。')).toBeVisible()
  await press(page, '通过')
  await told(page, '已通过“苏明远 1000.00元”')
  await expect(dialog(page)).toHaveCount(0)
  await expect(rowOf(page, '苏明远')).toContainText('待打款')
  await act(page, '苏明远', '打款登记')
  await fill(page, { 打款流水号: 'E2E-EXTRACT' })
  await press(page, '登记')
  await expect(dialog(page).getByText('审核人与打款人不能为同一人')).toBeVisible()
})
