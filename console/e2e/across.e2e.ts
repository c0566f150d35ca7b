import { platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, dialog, exportButton, exported, fill, goTo, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Page, test } from './test'

/** The schools' data as an operator sees them: over all, then of one that was chosen. `lists.e2e.ts` opens all screens so. */

const OPERATOR = operatorOf('across', '演示督办')
/** What rows call a school, and what it is called where it is chosen. */
const EAST = '东湖学院'
const SOUTH = '南岭大学'
const WHOLE = { [EAST]: '东湖示范学院（演示）', [SOUTH]: '南岭示范大学（演示）' }

const schools = (page: Page) => page.getByRole('combobox', { name: '院校', exact: true })
const chooseSchool = async (page: Page, name: keyof typeof WHOLE) => {
  await schools(page).click()
  await page.getByRole('option', { name: WHOLE[name], exact: true }).click()
}
const rowIn = (page: Page, school: string, name: string) => rowOf(page, school).filter({ hasText: name }).first()

test('grades of all schools, then of the one that a row leads to, which is edited', async ({ page }) => {
  await signInTo(page, OPERATOR, '年级管理')
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  await expect(rowIn(page, EAST, '2026级')).toBeVisible()
  await expect(rowIn(page, SOUTH, '2026级')).toBeVisible()
  // What writes needs the one school; the export goes over all of them, the school first.
  await expect(page.getByRole('button', { name: '新增年级' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '导入' })).toHaveCount(0)
  const coming = exported(page, exportButton(page))
  const [headings, ...lines] = textsIn(await (await coming).path())
  expect(headings?.slice(0, 2)).toEqual(['院校', '编码'])
  const of = lines.map(([school]) => school)
  expect(of).toContain(EAST)
  expect(of).toContain(SOUTH)

  // The same number in another school is another record: the detail is the row's own.
  await rowIn(page, SOUTH, '2026级').getByRole('button', { name: '2026级' }).click()
  await expect(dialog(page, '2026级')).toContainText(SOUTH)
  await expect(dialog(page, '2026级').getByRole('region', { name: '操作日志' })).toBeVisible()
  await page.keyboard.press('Escape')

  await rowIn(page, EAST, '2026级').getByRole('button', { name: '选定院校' }).click()
  await expect(page).toHaveURL(/grade\?schoolId=\d+&open=\d+$/)
  await expect(dialog(page, '2026级')).toContainText(EAST)
  await page.keyboard.press('Escape')
  await expect(rowOf(page, EAST).first()).toBeVisible()
  await expect(rowOf(page, SOUTH)).toHaveCount(0)

  await page.getByRole('button', { name: '新增年级' }).click()
  await fill(page, { 年级编码: '2071', 年级名称: '跨校年级' })
  await press(page, '保存')
  await told(page, '已新增年级')
  await act(page, '跨校年级', '编辑')
  await fill(page, { 年级名称: '跨校年级二' })
  await press(page, '保存')
  await told(page, '已保存年级')
  await expect(rowOf(page, '跨校年级二')).toContainText('2071')

  await chooseSchool(page, SOUTH)
  await expect(rowOf(page, SOUTH).first()).toBeVisible()
  await expect(rowOf(page, EAST)).toHaveCount(0)
  await expect(rowOf(page, '跨校年级二')).toHaveCount(0)

  await chooseSchool(page, EAST)
  await act(page, '跨校年级二', '删除', '确定删除“跨校年级二”吗？')
  await told(page, '已删除“跨校年级二”')
})

test('a tree asks for the school; the next page begins with it until it is cleared', async ({ page }) => {
  await signInTo(page, OPERATOR, '机构管理')
  await expect(page.getByText('请选择院校')).toBeVisible()
  await expect(page.getByRole('button', { name: '新增机构' })).toHaveCount(0)
  await chooseSchool(page, EAST)
  await expect(page.getByRole('button', { name: '新增机构' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toBeVisible()

  await goTo(page, '层次管理')
  await expect(page).toHaveURL(/levels\?schoolId=\d+$/)
  await expect(rowOf(page, EAST).first()).toBeVisible()
  await expect(rowOf(page, SOUTH)).toHaveCount(0)
  // The menu leads back to the tab that is open already.
  await goTo(page, '机构管理')
  await expect(page.getByRole('button', { name: '关闭机构管理' })).toHaveCount(1)
  await goTo(page, '层次管理')
  await expect(page.getByRole('button', { name: '关闭层次管理' })).toHaveCount(1)
  await schools(page).hover()
  await schools(page).locator('.arco-select-clear-icon').click()
  await expect(page).toHaveURL(/levels$/)
  await expect(rowOf(page, SOUTH).first()).toBeVisible()
  await page.reload()
  await expect(rowOf(page, SOUTH).first()).toBeVisible()
  await expect(page).toHaveURL(/levels$/)
})

test('the students of all schools are masked, and each file is its own school’s', async ({ page }) => {
  await signInTo(page, OPERATOR, '在籍学生')
  const row = page.getByRole('row').nth(1)
  await expect(row.getByRole('button', { name: '选定院校' })).toBeVisible()
  await expect(row.getByRole('button', { name: '查看完整证件号' })).toBeVisible()
  await expect(row).toContainText('****')
  await expect(page.getByRole('combobox', { name: '年级' })).toHaveCount(0)
  await expectAccessible(page)

  // The next page goes up to the same moment as the first, so that nothing is shown twice.
  const later = page.waitForRequest(/studentRoll\/list\?asOf=/)
  await page.locator('.arco-pagination-item-next').click()
  expect((await later).postDataJSON()).toMatchObject({ pageCurrent: 2 })
  await expect(page.locator('.table-stale')).toHaveCount(0)
  await expect(row.getByRole('button', { name: '选定院校' })).toBeVisible()

  const name = await row.locator('.row-name').innerText()
  await row.getByRole('button', { name, exact: true }).click()
  const file = dialog(page, name)
  await expect(file.getByRole('region', { name: '学籍信息' })).toBeVisible()
  await expect(file.getByRole('region', { name: '基本信息' })).toContainText(name)
  const history = file.getByRole('region', { name: '异动记录' })
  await history.scrollIntoViewIfNeeded()
  await expect(history).toContainText(/经办|还没有异动记录/)
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: '选定院校' }).click()
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible()
  await expect(page.getByRole('button', { name: '新增学生' })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: '年级' })).toBeVisible()
})

test('a grade is asked for in words over all schools, and chosen in one', async ({ page }) => {
  await signInTo(page, OPERATOR, '班级管理')
  await expect(rowOf(page, EAST).or(rowOf(page, SOUTH)).first()).toBeVisible()
  const grade = page.getByRole('textbox', { name: '年级', exact: true })
  const asked = page.waitForRequest(/adult\/pc\/class\/list/)
  await grade.fill('2026')
  await grade.press('Enter')
  expect((await asked).postDataJSON()).toMatchObject({ gradeText: '2026' })
  await expect(page).toHaveURL(/gradeText=2026/)
  const applied = page.getByRole('region', { name: '已应用的筛选' })
  await expect(applied).toContainText('年级：2026')
  await expectAccessible(page)
  await applied.getByRole('img', { name: '取消筛选年级' }).click()
  await expect(page).not.toHaveURL(/gradeText/)

  await chooseSchool(page, EAST)
  await expect(page.getByRole('combobox', { name: '年级', exact: true })).toBeVisible()
  await expect(grade).toHaveCount(0)
})

test('accounts of several schools are enabled at once, each in its own school', async ({ page }) => {
  await signIn(page, OPERATOR, `${platformPaths.teachers.slice(1)}?pageSize=500`)
  const working = (school: string) => rowIn(page, school, '正常')
  await expect(working(EAST)).toBeVisible()
  for (const school of [EAST, SOUTH]) await working(school).getByRole('checkbox').press('Space')
  const bar = page.getByRole('status').filter({ hasText: '已选 2 条' })
  // What is done inside one school is not offered for the rows of several.
  await expect(bar.getByRole('button', { name: '批量删除' })).toHaveCount(0)
  await bar.getByRole('button', { name: '启用账号' }).click()
  await expect(dialog(page)).toContainText('启用选中的2个账号？')
  await expect(dialog(page)).toContainText('涉及2所院校的2条记录。')
  const sent = page.waitForRequest(/user\/pc\/teacher\/update\/status$/)
  await press(page, '启用账号')
  const { items } = (await sent).postDataJSON() as { items: { schoolId: number }[] }
  expect(new Set(items.map(({ schoolId }) => schoolId)).size).toBe(2)
  await told(page, '启用账号：已完成2条')
  await expect(bar).toHaveCount(0)
  await expectAccessible(page)
})
