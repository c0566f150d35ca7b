import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './axe'
import { act, choose, dialog, fill, fillSignIn, goTo, isIn, press, rowOf, signIn, told } from './kit'

/** What an operator does with schools, as `admin`. */

test.describe.configure({ mode: 'serial' })

const enter = async (page: Page, school: string, reason: string) => {
  await act(page, school, '进入院校')
  await fill(page, { 进入原因: reason })
  await press(page, '进入院校')
}

test('a school is opened, gets ready by itself, and its one-time password works once', async ({ page, browser }) => {
  await signIn(page, 'admin')
  await page.getByRole('button', { name: '新增院校' }).click()
  await press(page, '下一步')
  await expect(dialog(page).getByText('请输入院校代码')).toBeVisible()
  await fill(page, { 院校代码: 'demo01', 院校名称: '北湖学院' })
  await press(page, '下一步')
  await fill(page, { 品牌色: '#7A1F5C' })
  await press(page, '下一步')
  await choose(page, '状态', '试用')
  await press(page, '下一步')
  await fill(page, { 管理员账号: 'beihu_admin', 管理员姓名: '周远' })
  await press(page, '开通院校')

  await told(page, '院校代码已存在')
  for (const _ of [1, 2, 3]) await press(page, '上一步')
  await fill(page, { 院校代码: 'beihu' })
  for (const _ of [1, 2, 3]) await press(page, '下一步')
  await expect(dialog(page).getByRole('textbox', { name: '管理员账号' })).toHaveValue('beihu_admin')
  await press(page, '开通院校')
  await expect(dialog(page).getByText('院校已开通，管理员可以登录了')).toBeVisible({ timeout: 30_000 })
  const password = await dialog(page).getByRole('code').innerText()
  await press(page, '完成')
  await expect(rowOf(page, '北湖学院').getByText('已开通')).toBeVisible()

  const admin = await (await browser.newContext()).newPage()
  await admin.goto('login')
  await fillSignIn(admin, 'beihu_admin', password)
  await expect(dialog(admin, '修改密码')).toBeVisible()
  await dialog(admin).getByLabel('原密码').fill(password)
  await dialog(admin).getByLabel('登录密码').fill('Beihu@2026')
  await dialog(admin).getByLabel('确认密码').fill('Beihu@2027')
  await press(admin, '确定')
  await expect(dialog(admin).getByText('登录密码和确认密码不一致')).toBeVisible()
  await dialog(admin).getByLabel('确认密码').fill('Beihu@2026')
  await press(admin, '确定')
  await told(admin, '修改成功，请重新登录')
  await fillSignIn(admin, 'beihu_admin', 'Beihu@2026')
  await isIn(admin)
})

test('an operator enters a school with a reason and leaves it', async ({ page }) => {
  await signIn(page, 'admin')
  await act(page, '北湖学院', '进入院校')
  await press(page, '进入院校')
  await expect(dialog(page).getByText('请输入进入原因')).toBeVisible()
  await fill(page, { 进入原因: '核对开通情况' })
  await press(page, '进入院校')
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管 北湖学院' })).toBeVisible()
  await expect(page.getByText('平台代管', { exact: true })).toBeVisible()
  await goTo(page, '年级管理')
  await page.getByRole('button', { name: '返回平台' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '院校列表' })).toBeVisible()
  await expect(page.getByText('平台运营中心')).toBeVisible()
  await expect(page.getByText('平台代管', { exact: true })).toBeHidden()
})

test('a school is edited, stopped and resumed', async ({ page }) => {
  await signIn(page, 'admin')
  await act(page, '北湖学院', '编辑')
  await fill(page, { 联系人: '吴敏', 联系电话: '13800138000' })
  await press(page, '保存')
  await told(page, '已保存院校资料')
  await expect(rowOf(page, '北湖学院').getByText('吴敏')).toBeVisible()

  await act(page, '北湖学院', '停用')
  await fill(page, { 停用原因: '合同到期' })
  await press(page, '保存')
  await told(page, '已停用“北湖学院”')
  await enter(page, '北湖学院', '停用后查看')
  await expect(page.getByText('只读', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: '返回平台' }).click()
  await act(page, '北湖学院', '恢复', '恢复“北湖学院”？')
  await told(page, '已恢复“北湖学院”')
  await expect(rowOf(page, '北湖学院').getByRole('button', { name: '停用' })).toBeVisible()
})

test('a filter is the address: it survives a reload and is cleared', async ({ page }) => {
  await signIn(page, 'admin')
  await page.getByRole('textbox', { name: '名称或代码' }).fill('demo02')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/keyword=demo02/)
  await expect(rowOf(page, '东湖示范学院')).toHaveCount(0)
  await page.reload()
  await expect(rowOf(page, '南岭示范大学')).toBeVisible()
  await expect(page.getByRole('textbox', { name: '名称或代码' })).toHaveValue('demo02')
  await page.getByRole('button', { name: '重置' }).click()
  await expect(rowOf(page, '东湖示范学院')).toBeVisible()
})

test('the list and the wizard can be read by everybody', async ({ page }) => {
  await signIn(page, 'admin')
  await expect(rowOf(page, '东湖示范学院')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增院校' }).click()
  await expect(dialog(page, '新增院校')).toBeVisible()
  await expectAccessible(page)
})
