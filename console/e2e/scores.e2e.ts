import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { choose, dataOf, dialog, fill, goTo, helpAt, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Locator, type Page, test } from './test'

/** Scores of the second school: a rule, a sheet entered by keyboard, reviewed, published, corrected (04 §5, §6). */

const OPERATOR = operatorOf('scores', '演示成绩')
const REVIEWER = operatorOf('scores_review', '演示初审')
const AUDITOR = operatorOf('scores_audit', '演示终审')
const SOUTH = '南岭示范大学'
const SHEET = '/adult/pc/score/sheet'

interface Sheet {
  id: number
  sheetNo: string
  courseName: string
  totalCount: number
  status: string
}

const at = (path: string, search: object) => `${path.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  await expect(row).toBeVisible()
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

const pressed = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

test('a rule is refused, saved, tried and taken away', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await openAt(page, paths.totalRules.slice(1))
  await expect(page.getByRole('columnheader', { name: '参数摘要' })).toBeVisible()
  await expectAccessible(page)
  await pressed(page, '新增规则')
  await fill(page, { '卷面权重(%)': '50' })
  await press(page, '保存')
  await expect(dialog(page).getByText('权重之和必须为100，当前为90').first()).toBeVisible()
  await fill(page, { '考勤权重(%)': '10', 备注: '浏览器规则' })
  const { list } = await dataOf(page, 'POST', '/adult/pc/arrangement/list', {})
  await choose(page, '层次', list[0].name)
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, /已保存规则/)
  const row = rowOf(page, list[0].name).first()
  await inRow(page, row, '试算')
  await fill(page, { 学习成绩: '85.5', 作业成绩: '90', 考勤成绩: '80', 卷面成绩: '52' })
  await press(page, '试算')
  await expect(dialog(page).getByRole('region', { name: '试算结果' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await inRow(page, row, '删除')
  await press(page, '删除')
  await told(page, /已删除/)
})

/** The smallest sheet that waits for its scores; made where there is none. */
const smallestSheet = async (page: Page): Promise<Sheet> => {
  const { list: semesters } = await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })
  const { list: batches } = await dataOf(page, 'POST', '/exam/pc/test/batch/list', {
    semesterId: semesters[0].id,
    kind: 'final',
    status: 'active',
  })
  // Other stories make batches too.
  const { id: batchId } = batches.find(({ code }: { code: string }) => code.endsWith('QM1'))
  await dataOf(page, 'POST', `${SHEET}/generate`, { batchId })
  const asked = { batchId, status: 'pending', pageSize: 200 }
  const { list }: { list: Sheet[] } = await dataOf(page, 'POST', `${SHEET}/list`, asked)
  const [smallest] = list.filter(({ totalCount }) => totalCount > 0).sort((a, b) => a.totalCount - b.totalCount)
  if (!smallest) throw new Error('no sheet waits for its scores')
  return smallest
}

test('a sheet is entered by keyboard, reviewed twice, published and corrected', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const sheet = await smallestSheet(page)
  await goTo(page, '成绩录入')
  await expect(page.getByRole('list', { name: '录入进度' })).toContainText('应录')
  await expectAccessible(page)
  await openAt(page, at(paths.enteredScores, { sheetId: sheet.id }))
  const grid = page.getByRole('region', { name: '成绩录入' })
  await expect(grid).toBeVisible()
  await expectAccessible(page)
  const boxes = grid.getByRole('textbox')
  const count = await boxes.count()
  await boxes.first().focus()
  for (let row = 0; row < count; row += 1) {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(row === 0 ? '58' : String(70 + (row % 20)))
    await page.keyboard.press('Enter')
  }
  await expect(page.getByText('全部已录入')).toBeVisible()
  await pressed(page, '提交')
  await press(page, '提交')
  await told(page, /已提交登记表/)

  const review = at(paths.scoreReviews, { sheetNo: sheet.sheetNo })
  await openAt(page, review)
  await inRow(page, rowOf(page, sheet.sheetNo), '初审')
  await press(page, '初审')
  await expect(dialog(page).getByText('不能审核自己提交的成绩').first()).toBeVisible()

  await helpAt(page, REVIEWER, SOUTH, review)
  await inRow(page, rowOf(page, sheet.sheetNo), '初审')
  await press(page, '初审')
  await told(page, /已初审/)
  await helpAt(page, AUDITOR, SOUTH, review)
  await inRow(page, rowOf(page, sheet.sheetNo), '终审')
  await press(page, '终审')
  await told(page, /已终审/)
  await inRow(page, rowOf(page, sheet.sheetNo), '发布')
  await press(page, '发布')
  await told(page, /已发布/)

  const { list: rows } = await dataOf(page, 'GET', `${SHEET}/rows?sheetId=${sheet.id}`)
  await openAt(page, at(paths.achievements, { tab: 'scores', keyword: rows[0].studentNo }))
  const row = rowOf(page, sheet.courseName).first()
  await inRow(page, row, '计算说明')
  await expect(dialog(page).getByRole('heading', { name: '各次考试' })).toBeVisible()
  await page.keyboard.press('Escape')
  await inRow(page, row, '更正')
  await fill(page, { 新分数: '61', 说明: '漏加一题' })
  const evidence = { name: '复核单.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await dialog(page).locator('input[type=file]').setInputFiles(evidence)
  await expectAccessible(page)
  await expect(dialog(page).getByText('复核单.pdf')).toBeVisible()
  await press(page, '提交更正')
  await told(page, '已提交更正，等待审核')

  await helpAt(page, REVIEWER, SOUTH, at(paths.scoreReviews, { tab: 'corrections', keyword: rows[0].studentNo }))
  await inRow(page, rowOf(page, sheet.courseName).first(), '查看')
  await expect(dialog(page).getByText('复核单.pdf')).toBeVisible()
  await page.keyboard.press('Escape')
  await inRow(page, rowOf(page, sheet.courseName).first(), '通过')
  await press(page, '通过')
  await told(page, '更正已生效')
  await openAt(page, at(paths.students, { keyword: rows[0].studentNo }))
  await page.getByRole('button', { name: rows[0].name, exact: true }).click()
  const file = dialog(page, rows[0].name)
  await file.getByRole('navigation', { name: '学籍详情' }).getByRole('button', { name: '成绩', exact: true }).click()
  await expect(file.getByRole('region', { name: '成绩', exact: true })).toContainText(sheet.courseName)
  await page.keyboard.press('Escape')

  await openAt(page, at(paths.achievements, { tab: 'stat' }))
  await expect(page.getByRole('region', { name: '成绩统计' })).toBeVisible()
  await openTab(page, '按班级')
  await expectAccessible(page)
})
