import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, drag, fill, openTab, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Which fields people fill in: those of the second school, kept by its 招办管理员, and the operators' template. */

const ACCOUNT = 'demo02_zb'
const OPERATOR = operatorOf('field_attributes', '演示招生')
const SOUTH = '南岭示范大学（演示）'

const switchOf = (page: Page, field: string, column: string) =>
  page.getByRole('switch', { name: `${field} ${column}`, exact: true })

/** Of what people are asked for, as the preview shows it. */
const previewed = (page: Page) => dialog(page, '预览 预报名表单')

const preview = async (page: Page) => {
  await page.getByRole('button', { name: '预览' }).click()
  await expect(previewed(page).getByRole('textbox', { name: '姓名', exact: true })).toBeVisible()
}

const endPreview = async (page: Page) => {
  await previewed(page).getByRole('region', { name: '基本信息' }).press('Escape')
  await expect(previewed(page)).toHaveCount(0)
}

const openForm = async (page: Page, values: Record<string, string>) => {
  await page.getByRole('button', { name: '新增字段' }).click()
  await fill(page, values)
}

test('a school asks for where people have heard of it', async ({ page }) => {
  await signInTo(page, ACCOUNT, '字段属性')
  await expect(switchOf(page, '手机', '必填')).toBeDisabled()
  await expect(
    rowOf(page, 'idCardNo').getByRole('note', { name: '证件号 必填：系统必填字段不可停用或设为非必填' }),
  ).toBeVisible()
  await expectAccessible(page)

  await openForm(page, { 字段标识: 'channel', 显示名称: '推荐渠道', 提示: '从哪里知道本校' })
  await choose(page, '控件', '单选')
  await dialog(page).getByRole('switch', { name: '必填' }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择字典')).toBeVisible()
  await choose(page, '字典', '来源渠道')
  await press(page, '保存')
  await expect(dialog(page).getByText('以 x_ 开头，后接1至30位小写字母、数字或下划线')).toBeVisible()
  await fill(page, { 字段标识: 'x_channel' })
  await press(page, '保存')
  await told(page, '已新增字段')
  await expect(rowOf(page, 'x_channel')).toContainText('推荐渠道')
  await expect(switchOf(page, '推荐渠道', '必填')).toBeChecked()

  await preview(page)
  await expect(
    previewed(page).getByRole('region', { name: '其他' }).getByRole('combobox', { name: '推荐渠道' }),
  ).toBeVisible()
  await expect(previewed(page).getByText('从哪里知道本校')).toBeVisible()
  await expectAccessible(page)
  await endPreview(page)
})

test('a field moves, is switched off, and goes', async ({ page }) => {
  await signIn(page, ACCOUNT, paths.fieldAttributes.slice(1))
  await openForm(page, { 字段标识: 'x_size', 显示名称: '鞋码', 正则: '[0-9' })
  await press(page, '保存')
  await expect(dialog(page).getByText('正则表达式无效')).toBeVisible()
  await fill(page, { 正则: '[0-9]{2}' })
  await press(page, '保存')
  await told(page, '已新增字段')

  const last = page.getByRole('row').last()
  await expect(last).toContainText('x_size')
  await actInMore(page, 'x_size', '上移')
  await told(page, '已移动“鞋码”')
  await expect(last).not.toContainText('x_size')
  await drag(rowOf(page, 'x_size'), rowOf(page, 'hukouPlace'))
  await told(page, '已移动“鞋码”')
  await expect(page.getByRole('row').filter({ hasText: /^23x_size/ })).toHaveCount(1)

  await act(page, 'x_size', '编辑')
  await fill(page, { 显示名称: '鞋子尺码' })
  await press(page, '保存')
  await told(page, '已保存字段')
  await switchOf(page, '鞋子尺码', '启用').click()
  await told(page, '已保存')
  await expect(switchOf(page, '鞋子尺码', '启用')).not.toBeChecked()
  await preview(page)
  await expect(previewed(page).getByRole('textbox', { name: '鞋子尺码' })).toHaveCount(0)
  await endPreview(page)

  // What a field has been through stands in its detail.
  await rowOf(page, 'x_size').getByRole('button', { name: '鞋子尺码' }).click()
  await expect(dialog(page, '鞋子尺码').getByRole('region', { name: '操作日志' })).toContainText('新增')
  await page.keyboard.press('Escape')
  await act(page, 'x_size', '删除', '确定删除“鞋子尺码”吗？')
  await told(page, '已删除“鞋子尺码”')
  await expect(rowOf(page, 'x_size')).toHaveCount(0)
})

test('built-in fields go back to the template', async ({ page }) => {
  await signIn(page, ACCOUNT, paths.fieldAttributes.slice(1))
  await switchOf(page, '邮箱', '必填').click()
  await told(page, '已保存')
  await expect(switchOf(page, '邮箱', '必填')).toBeChecked()
  await expect(switchOf(page, '邮箱', '显示')).toBeDisabled()
  await page.getByRole('button', { name: '恢复默认' }).click()
  await press(page, '恢复默认')
  await told(page, '已恢复1个内置字段')
  await expect(switchOf(page, '邮箱', '必填')).not.toBeChecked()
})

test('an operator hands a field of the template to a school and looks at it there', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.fieldAttributes.slice(1))
  await openForm(page, { 字段标识: 'x_wechat', 显示名称: '微信号' })
  await press(page, '保存')
  await told(page, '已新增字段')
  await expect(rowOf(page, 'x_wechat')).toContainText('微信号')
  await page.getByRole('button', { name: '下发' }).click()
  await expect(dialog(page, '下发字段')).toContainText('微信号')
  await choose(page, '院校', SOUTH)
  await page.keyboard.press('Tab')
  await press(page, '保存')
  await told(page, '已下发：1所院校共新增1个字段')

  await openTab(page, '院校字段')
  await expect(page.getByText('请选择院校').first()).toBeVisible()
  await page.getByRole('combobox', { name: '院校', exact: true }).click()
  await page.getByRole('option', { name: SOUTH, exact: true }).click()
  await expect(rowOf(page, 'x_wechat')).toContainText('微信号')
  await expect(page.getByRole('button', { name: '新增字段' })).toHaveCount(0)
  await expect(switchOf(page, '微信号', '启用')).toBeDisabled()
  await expectAccessible(page)

  await openTab(page, '平台模板')
  await act(page, 'x_wechat', '删除', '确定删除“微信号”吗？')
  await told(page, '已删除“微信号”')
})
