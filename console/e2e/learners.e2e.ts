import { expectAccessible } from './axe'
import { act, actInMore, dialog, fill, goTo, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The customers of the operators' online-education site, and what membership is sold as. */

const ACCOUNT = operatorOf('learners', '演示学员')

test('a membership is sold, and a learner is entered, becomes a member and is switched off', async ({ page }) => {
  await signInTo(page, ACCOUNT, '会员设置')
  await page.getByRole('button', { name: '新增会员设置' }).click()
  await fill(page, { 名称: '半年会员', 月数: '6', 原价: '199', 售价: '259', 会员折扣: '0.88' })
  await press(page, '保存')
  await expect(dialog(page).getByText('售价不能高于原价')).toBeVisible()
  await fill(page, { 售价: '159' })
  await press(page, '保存')
  await told(page, '已新增会员设置')
  await expect(rowOf(page, '半年会员')).toContainText('159.00')
  await expect(rowOf(page, '半年会员')).toContainText('88%')
  await expectAccessible(page)

  await goTo(page, '学员管理')
  await page.getByRole('button', { name: '新增学员' }).click()
  await fill(page, { 手机号: '13900007501', 昵称: '林知远' })
  await press(page, '保存')
  await told(page, '已新增学员')
  await expect(rowOf(page, '林知远')).toContainText('139****7501')
  await expect(rowOf(page, '林知远')).toContainText('从未开通')
  await page.getByRole('button', { name: '新增学员' }).click()
  await fill(page, { 手机号: '13900007501', 昵称: '别人' })
  await press(page, '保存')
  await told(page, '该手机号已被其他学员使用')
  await press(page, '取消')
  await press(page, '关闭')
  await act(page, '林知远', '开通会员')
  await dialog(page).getByRole('combobox', { name: '会员设置' }).click()
  await page.getByRole('option', { name: /半年会员/ }).click()
  await press(page, '开通')
  await told(page, '已开通会员')
  await expect(rowOf(page, '林知远')).toContainText('会员中')
  await expectAccessible(page)
  await actInMore(page, '林知远', '重置密码')
  await press(page, '重置密码')
  await expect(page.getByText('只显示这一次，请保存后交给本人')).toBeVisible()
  await press(page, '我已保存')
  await actInMore(page, '林知远', '停用')
  await expect(dialog(page).getByText('学员会立即退出登录，启用前不能再登录。')).toBeVisible()
  await press(page, '停用')
  await expect(rowOf(page, '林知远').getByText('停用', { exact: true })).toBeVisible()
})
