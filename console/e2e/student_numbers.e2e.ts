import { expectAccessible } from './axe'
import { act, choose, dialog, fill, goTo, press, rowOf, signIn, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The rule by which a grade gets its numbers, by an operator who helps in the second school. */

const OPERATOR = operatorOf('student_numbers', '演示学号')

test('a rule is put together of parts, shows what it would give, and is kept', async ({ page }) => {
  await signIn(page, OPERATOR, 'sys/school/list')
  await act(page, '南岭示范大学', '进入院校')
  await fill(page, { 进入原因: '协助设置学号规则' })
  await press(page, '进入院校')
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
  await goTo(page, '在籍学生')
  await page.getByRole('button', { name: '更多', exact: true }).first().click()
  await page.getByRole('button', { name: '学号规则' }).click()
  const rules = dialog(page, '学号规则')
  await rules.getByRole('button', { name: '新增学号规则' }).click()
  await fill(page, { 规则名称: '浏览器规则' })
  await dialog(page).getByRole('combobox', { name: '适用年级' }).click()
  await page.getByRole('option').first().click()
  await dialog(page).getByText('规则名称', { exact: true }).click()
  await expect(page.getByRole('option')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: '添加一段' }).click()
  await choose(page, '第3段组成', '固定字符')
  await fill(page, { 第3段固定字符: '66' })
  await press(page, '保存')
  // The running number is the last part.
  await expect(
    dialog(page)
      .getByText(/顺序号.*最后/)
      .first(),
  ).toBeVisible()
  await press(page, '上移第3段')
  await press(page, '预览学号')
  const foreseen = dialog(page).getByRole('region', { name: '学号预览' })
  await expect(foreseen).toContainText(/：\d{2}66\d{4}|没有等待学号的学生/)
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增学号规则')
  await expect(rowOf(page, '浏览器规则')).toContainText('固定字符66 · 顺序号4位（共8位）')
  await rules.getByRole('button', { name: '编辑浏览器规则' }).click()
  await fill(page, { 规则名称: '浏览器规则二' })
  await press(page, '保存')
  await told(page, '已保存学号规则')
  await expect(rowOf(page, '浏览器规则二')).toBeVisible()
})
