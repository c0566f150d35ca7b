import { act, dialog, fill, goTo, press, signIn, signInTo, told } from './kit'
import { expect, test } from './test'

/** What was done with a record stands below it, as `demo02_yh` of the second school, who may open them all. */

const ACCOUNT = 'demo02_yh'
const PAGES = [
  '年级管理',
  '层次管理',
  '学期管理',
  '学校专业',
  '拟招生专业',
  '班级管理',
  '院校课程',
  '课程资源',
  '教师管理',
  '班主任管理',
]

test('every detail of basic data, courses and people ends with its trail', async ({ page }) => {
  await signIn(page, ACCOUNT)
  for (const menu of PAGES) {
    await goTo(page, menu)
    await page.getByRole('row').nth(1).locator('.row-name').click()
    const trail = page.getByRole('dialog').getByRole('region', { name: '操作日志' })
    await expect(trail.getByRole('list', { name: '操作日志' }).or(trail.getByText('还没有操作记录'))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('a change stands in the trail of its record, with what it changed', async ({ page }) => {
  await signInTo(page, ACCOUNT, '课程类型')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('没有这一类')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '清除筛选' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()

  await goTo(page, '年级管理')
  await act(page, '2024级', '编辑')
  await fill(page, { 备注: '春季录取' })
  await press(page, '保存')
  await told(page, '已保存年级')
  await page.getByRole('button', { name: '2024级', exact: true }).click()
  const trail = dialog(page, '2024级').getByRole('list', { name: '操作日志' })
  await expect(trail).toContainText('修改')
  await expect(trail).toContainText('备注：— → 春季录取')
})
