import { expectAccessible } from './axe'
import { act, actInMore, dialog, fill, goTo, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** What operators set for schools, and how a school ends, as an operator of its own. */

const ACCOUNT = operatorOf('school_settings', '演示院校')

test.describe.configure({ mode: 'serial' })

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** The group that is seen; the others that were opened stay in the page. */
const panel = (page: Page) => page.getByRole('main').getByRole('tabpanel')

const save = (page: Page) => panel(page).getByRole('button', { name: '保存', exact: true }).click()

test('the brand is chosen with its contrast and its preview', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await actInMore(page, '南岭示范大学', '设置')
  await expect(page.getByRole('heading', { level: 1, name: '院校设置' })).toBeVisible()
  await expect(panel(page).getByRole('textbox', { name: '院校代码' })).toBeDisabled()
  const storage = panel(page).getByRole('textbox', { name: '存储空间' })
  await expect(storage).toBeDisabled()
  await expect(storage).toHaveValue(/^已用\d+\.\dGB，不限$/)
  await expectAccessible(page)
  await tab(page, '品牌')
  const colour = panel(page).getByRole('textbox', { name: '品牌色', exact: true })
  await colour.fill('#FF7D00')
  await expect(panel(page).getByText('与白色文字的对比度2.6，应不低于4.5')).toBeVisible()
  await panel(page).getByRole('button', { name: '改用相近的深色' }).click()
  await expect(panel(page).getByText(/符合要求/)).toBeVisible()
  await panel(page).getByRole('textbox', { name: '站点标题' }).fill('南岭继续教育')
  await expect(page.getByRole('figure', { name: '品牌预览' }).getByText('南岭继续教育').first()).toBeVisible()
  await expectAccessible(page)
  await save(page)
  await told(page, '已保存设置')
})

test('a group of rules is set, refused and given back to its defaults', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await actInMore(page, '南岭示范大学', '设置')
  // Settings that no rule reads yet are not offered.
  await expect(page.getByRole('tab', { name: '考试与毕业' })).toHaveCount(0)
  await tab(page, '招生与学籍')
  const spring = panel(page).getByRole('textbox', { name: '毕业日期：春季' })
  await spring.fill('02-30')
  await save(page)
  await expect(panel(page).getByText('毕业日期的“春季”不是有效的日期，应为月-日，例如 07-10')).toBeVisible()
  await spring.fill('06-30')
  await panel(page).getByRole('spinbutton', { name: '学籍结束后账号保留(天)' }).fill('90')
  await save(page)
  await told(page, '已保存设置')
  await expectAccessible(page)

  await page.reload()
  await tab(page, '招生与学籍')
  await expect(spring).toHaveValue('06-30')
  await panel(page).getByRole('button', { name: '毕业日期恢复默认' }).click()
  await expect(spring).toHaveValue('07-10')
  await save(page)
  await told(page, '已保存设置')
  await expect(panel(page).getByRole('spinbutton', { name: '学籍结束后账号保留(天)' })).toHaveValue('90')

  await tab(page, '业务参数')
  await expect(panel(page).getByText('平台默认：08:00-22:00')).toBeVisible()
})

test('new schools begin with the defaults of the platform', async ({ page }) => {
  await signInTo(page, ACCOUNT, '院校系统设置')
  await expect(page.getByRole('combobox', { name: '院校' })).toBeVisible()
  await expect(page.getByRole('tab', { name: '基本信息' })).toHaveCount(0)
  await tab(page, '教学')
  await panel(page).getByRole('spinbutton', { name: '班级默认容量' }).fill('45')
  await save(page)
  await told(page, '已保存设置')
  await page.getByRole('combobox', { name: '院校' }).click()
  await page.getByRole('option', { name: /南岭示范大学/ }).click()
  await tab(page, '教学')
  await expect(panel(page).getByRole('spinbutton', { name: '班级默认容量' })).toHaveValue('50')
})

test('a school is archived, exported, and not deleted too early', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await page.getByRole('button', { name: '新增院校' }).click()
  await fill(page, { 院校代码: 'xihu', 院校名称: '西湖学院' })
  for (const _ of [1, 2, 3]) await press(page, '下一步')
  await fill(page, { 管理员账号: 'xihu_admin', 管理员姓名: '周远' })
  await press(page, '开通院校')
  await expect(dialog(page).getByText('院校已开通，管理员可以登录了')).toBeVisible({ timeout: 60_000 })
  await press(page, '完成')
  await expect(rowOf(page, '西湖学院').getByText('已开通')).toBeVisible()

  await act(page, '西湖学院', '编辑')
  await dialog(page).getByRole('switch', { name: '删除保护' }).click()
  await press(page, '保存')
  await told(page, '已保存院校资料')
  await actInMore(page, '西湖学院', '归档')
  await fill(page, { 归档原因: '合作结束' })
  await press(page, '保存')
  await told(page, '已归档“西湖学院”')
  await expect(rowOf(page, '西湖学院').getByText('归档', { exact: true })).toBeVisible()

  await actInMore(page, '西湖学院', '导出数据')
  await expect(dialog(page).getByText('导出“西湖学院”的全部数据？')).toBeVisible()
  await press(page, '导出数据')
  await told(page, '已开始导出，进度见任务中心')

  await rowOf(page, '西湖学院').getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('menuitem').getByRole('button', { name: '删除', exact: true })).toBeDisabled()
  await page.getByRole('menuitem').getByRole('button', { name: '取消归档', exact: true }).click()
  await press(page, '取消归档')
  await told(page, '已取消归档“西湖学院”')
})

test('a school switches a scene of its own and goes back to the platform’s', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await act(page, '东湖示范学院', '进入院校')
  await fill(page, { 进入原因: '协助设置通知' })
  await press(page, '进入院校')
  await expect(page.getByText('平台代管')).toBeVisible()
  await goTo(page, '系统设置')
  await tab(page, '通知')
  const sms = page.getByRole('switch', { name: '录取通知 短信' })
  await expect(sms).toHaveAttribute('aria-checked', 'true')
  await sms.click()
  await told(page, '已保存')
  await expect(sms).toHaveAttribute('aria-checked', 'false')
  await expectAccessible(page)
  await rowOf(page, '录取通知').getByRole('button', { name: '恢复默认' }).click()
  await expect(sms).toHaveAttribute('aria-checked', 'true')
})
