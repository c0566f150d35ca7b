import { type Download, expect, type Page, test } from '@playwright/test'
import { act, actInMore, another, choose, dialog, fill, goTo, press, rowOf, signIn, told } from './kit'
import { filledIn } from './sheet'

/** Grades and sites of the second school, as its 院校管理员; where two people meet, also as its 教务管理员. */

const ACCOUNT = 'demo02_admin'
const COLLEAGUE = 'demo02_jw'

const downloaded = async (page: Page, button: string): Promise<Download> => {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  return coming
}

test('a grade lives: created, refused, edited, switched off, deleted', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '年级管理')

  await page.getByRole('button', { name: '新增年级' }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请输入年级编码')).toBeVisible()
  await expect(dialog(page).getByRole('textbox', { name: '年级编码' })).toBeFocused()
  await fill(page, { 年级编码: '2041' })
  await page.keyboard.press('Control+s')
  await told(page, '已新增年级')
  await expect(rowOf(page, '2041级')).toContainText('春季')

  await page.getByRole('button', { name: '新增年级' }).click()
  await fill(page, { 年级编码: '2041' })
  await press(page, '保存')
  await expect(dialog(page, '新增年级').getByRole('alert').filter({ hasText: '已存在' })).toBeVisible()
  await press(page, '取消')
  await expect(dialog(page).getByText('有未保存的内容，确定关闭吗？')).toBeVisible()
  await press(page, '关闭')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await act(page, '2041级', '编辑')
  await choose(page, '入学季', '秋季')
  await press(page, '保存')
  await told(page, '已保存年级')
  await expect(rowOf(page, '2041级')).toContainText('秋季')

  await act(page, '2041级', '停用', '停用“2041级”？')
  await expect(rowOf(page, '2041级').getByText('停用', { exact: true })).toBeVisible()
  await act(page, '2041级', '启用')
  await expect(rowOf(page, '2041级').getByRole('button', { name: '停用' })).toBeVisible()

  await act(page, '2041级', '删除', '确定删除“2041级”吗？')
  await told(page, '已删除“2041级”')
  await expect(rowOf(page, '2041级')).toHaveCount(0)
})

test('a grade with students is kept, and the reason is told', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '年级管理')
  const used = page.getByRole('row').nth(1)
  const name = await used.getByRole('button').first().innerText()
  await used.getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '批量删除' }).click()
  await expect(dialog(page).getByText('确定删除选中的1个年级吗？')).toBeVisible()
  await press(page, '批量删除')
  await expect(dialog(page).getByText('批量删除：成功0条，失败1条')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: name })).toContainText('引用')
  expect((await downloaded(page, '下载失败明细')).suggestedFilename()).toBe('批量删除失败明细.csv')
})

test('a site goes through its states, each with its reason', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '站点管理')
  await page.getByRole('button', { name: '新增站点' }).click()
  await fill(page, { 编码: 'E2E1', 名称: '城东教学点', 设点单位: '城东职业学校', 电话: '13800138001' })
  await choose(page, '类型', '校外教学点')
  await press(page, '保存')
  await told(page, '已新增站点')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('E2E1')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, '城东教学点')).toContainText('138****8001')

  const steps: readonly (readonly [action: string, reason: string, state: string])[] = [
    ['停招', '备案到期', '停招'],
    ['恢复', '重新备案', '在用'],
    ['撤销', '合作终止', '撤销'],
    ['重新启用', '恢复合作', '停招'],
  ]
  for (const [action, reason, state] of steps) {
    if (action === '撤销') await actInMore(page, '城东教学点', action)
    else await act(page, '城东教学点', action)
    await fill(page, { 原因: reason })
    await press(page, '保存')
    await told(page, `站点已${action}`)
    await expect(rowOf(page, '城东教学点').getByText(state, { exact: true })).toBeVisible()
  }
  await actInMore(page, '城东教学点', '删除')
  await expect(dialog(page).getByText('确定删除“城东教学点”吗？')).toBeVisible()
  await press(page, '删除')
  await expect(rowOf(page, '城东教学点')).toHaveCount(0)
})

test('an import with errors writes nothing; the right one writes all', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '年级管理')
  await page.getByRole('button', { name: '导入' }).click()
  const template = await downloaded(page, '下载模板')
  expect(template.suggestedFilename()).toBe('年级导入模板.xlsx')
  const path = await template.path()
  const upload = page.locator('input[type=file]')

  await upload.setInputFiles(
    filledIn(path, [
      { 年级编码: '2051', 入学季: '春季' },
      { 年级编码: '二零五二', 入学季: '夏季' },
    ]),
  )
  await expect(dialog(page).getByText(/没有写入任何数据/)).toBeVisible()
  await expect(dialog(page).getByText('年级编码', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText('入学季', { exact: true })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: /确认导入/ })).toHaveCount(0)
  await press(page, '重新上传')
  await upload.setInputFiles(
    filledIn(path, [
      { 年级编码: '2051', 入学季: '春季' },
      { 年级编码: '2052', 年级名称: '2052级', 入学季: '秋季' },
    ]),
  )
  await expect(dialog(page).getByText('检查通过，共2行')).toBeVisible()
  await expect(rowOf(page, '2051级')).toHaveCount(0)
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')
  await expect(rowOf(page, '2051级')).toContainText('春季')
  await expect(rowOf(page, '2052级')).toContainText('秋季')
})

test('an export has what the list shows, under a Chinese name', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '站点管理')
  const file = await downloaded(page, '导出')
  expect(file.suggestedFilename()).toMatch(/^[\u4e00-\u9fff].*\.xlsx$/)
})

test('two people edit one grade: the second sees it and keeps what was typed', async ({ page, browser }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '年级管理')
  await page.getByRole('button', { name: '新增年级' }).click()
  await fill(page, { 年级编码: '2061', 年级名称: '2061级' })
  await press(page, '保存')
  await told(page, '已新增年级')

  const colleague = await another(browser, COLLEAGUE)
  await goTo(colleague, '年级管理')
  await act(colleague, '2061级', '编辑')
  await act(page, '2061级', '编辑')
  await choose(colleague, '入学季', '秋季')
  await press(colleague, '保存')
  await told(colleague, '已保存年级')

  await fill(page, { 备注: '函授站合办' })
  await press(page, '保存')
  await expect(dialog(page).getByText(/数据已被教务管理员于.*修改/)).toBeVisible()
  await press(page, '重新载入')
  await expect(dialog(page).getByRole('combobox', { name: '入学季' })).toContainText('秋季')
  await expect(dialog(page).getByRole('textbox', { name: '备注' })).toHaveValue('函授站合办')
  await press(page, '保存')
  await told(page, '已保存年级')
  await expect(rowOf(page, '2061级')).toContainText('秋季')
})

test('closing a tab with something unsaved asks first', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await goTo(page, '层次管理')
  await page.getByRole('button', { name: '新增层次' }).click()
  await fill(page, { 名称: '第二学历' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '查找菜单' }).fill('站点管理')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '站点管理' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: '关闭层次管理' }).click()
  await expect(dialog(page).getByText('有未保存的内容，确定关闭吗？')).toBeVisible()
  await press(page, '取消')
  await page.getByRole('button', { name: '层次管理', exact: true }).click()
  await expect(dialog(page, '新增层次').getByRole('textbox', { name: '名称', exact: true })).toHaveValue('第二学历')
  await press(page, '取消')
  await press(page, '关闭')
  await page.getByRole('button', { name: '关闭层次管理' }).click()
  await expect(page.getByRole('button', { name: '层次管理', exact: true })).toHaveCount(0)
})
