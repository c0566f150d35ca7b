import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, fill, goTo, press, rowOf, signIn, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** A batch of official recruitment, by an operator who helps in the second school. */

const OPERATOR = operatorOf('enrolment', '演示招生')

test('a batch takes its majors from what was filed, gets the authority’s code and is not open beside another', async ({
  page,
}) => {
  await signIn(page, OPERATOR, 'sys/school/list')
  await act(page, '南岭示范大学', '进入院校')
  await fill(page, { 进入原因: '协助建立招生批次' })
  await press(page, '进入院校')
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
  await goTo(page, '招生批次')
  await page.getByRole('button', { name: '新增招生批次' }).click()
  await fill(page, { 编码: 'E2E-1', 名称: '浏览器招生' })
  await dialog(page).getByRole('spinbutton', { name: '招生年度' }).fill('2025')
  await dialog(page).getByRole('combobox', { name: '入学季' }).click()
  await page.getByRole('option').first().click()
  // Of the grade that recruits now; other stories may have made newer ones.
  await choose(page, '年级', `${new Date().getFullYear()}级`)
  await press(page, '保存')
  await told(page, '已新增招生批次，请设置招生专业')

  await actInMore(page, '浏览器招生', '从已备案专业生成')
  await press(page, '从已备案专业生成')
  await told(page, /^已生成\d+个招生专业/)
  await act(page, '浏览器招生', '开放', /同一年级只能有一个进行中的批次/)
  await told(page, /已有进行中的招生批次/)

  await rowOf(page, '浏览器招生').getByRole('button', { name: '浏览器招生' }).click()
  const majors = dialog(page).getByRole('region', { name: '招生专业' })
  await majors.getByRole('button', { name: '编辑' }).first().click()
  await fill(page, { 招办专业代码: '1 2' })
  await press(page, '保存')
  await expect(dialog(page).getByRole('alert').filter({ hasText: '1至10位数字或字母' })).toBeVisible()
  await fill(page, { 招办专业代码: 'E2E1' })
  await press(page, '保存')
  await told(page, '已保存招生专业')
  await expect(majors.getByRole('row').filter({ hasText: 'E2E1' })).toBeVisible()
  await expectAccessible(page)
})
