import { dialog, openTab, press, signInTo } from './kit'
import { expect, test } from './test'

/** Class division in the second school, as its 分班管理员. */

const ACCOUNT = 'demo02_fb'

test('students leave their class, are divided by a plan, and go back', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await openTab(page, /^在籍/)
  // Other stories may have entered students without a class.
  const first = page.getByRole('row').filter({ hasText: /\d班/ }).first()
  await expect(first).toBeVisible()
  const grade = (await first.getByRole('cell', { name: /^\d{4}级\S?$/ }).innerText()).trim()
  await first.getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '移出班级' }).click()
  await press(page, '移出班级')
  await expect(page.getByRole('region', { name: '可撤销的操作' })).toContainText('移出班级：已完成1条')

  await page.getByRole('button', { name: '自动分班' }).click()
  await dialog(page).getByRole('combobox', { name: '年级', exact: true }).click()
  await page.getByRole('option', { name: grade, exact: true }).click()
  await press(page, '预览')
  await expect(dialog(page).getByText(/名未分班学生，新建\d+个班级/)).toBeVisible()
  await press(page, '确认分班')
  await expect(dialog(page).getByText(/已为\d+名学生分班/)).toBeVisible()
  await press(page, '撤销本次分班')
  await press(page, '撤销')
  await expect(dialog(page).getByText(/已撤销\d+名学生的分班/)).toBeVisible()
  await press(page, '关闭')

  await page.getByRole('button', { name: '重置' }).click()
  await page.getByRole('row').nth(1).getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '分班', exact: true }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择班级')).toBeVisible()
})
