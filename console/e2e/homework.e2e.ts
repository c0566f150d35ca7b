import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { dataOf, dialog, exportButton, exported, fill, goTo, helpAt, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Locator, type Page, test } from './test'

/** Homework of the second school: set, given, extended, answered, marked (03 B6, B7). */

const OPERATOR = operatorOf('homework', '演示作业')
const SOUTH = '南岭示范大学'
const TASKS = '/exam/pc/tasks'

const currentSemester = async (page: Page): Promise<number> =>
  (await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })).list[0].id

const at = (path: string, search: object) => `${path.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  await expect(row).toBeVisible()
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

const DAY_MS = 24 * 3600 * 1000

/** A day so many from now, as it is typed. */
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length)

/** A day that is typed into a moment. */
const typeDay = async (page: Page, label: string, day: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(day)
  await box.press('Tab')
}

/** A button of the page itself. */
const pressed = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

test('a homework is copied, changed, given out, extended and closed', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const { list } = await dataOf(page, 'POST', `${TASKS}/list`, { semesterId, status: 'published', kind: 'paper' })
  const [source] = list
  if (!source) throw new Error('nothing is given out')
  const copied = await dataOf(page, 'POST', `${TASKS}/copy`, { id: source.id, semesterId })
  await goTo(page, '作业列表')
  await expect(page.getByRole('columnheader', { name: '已交/应交' })).toBeVisible()
  await expectAccessible(page)

  await openAt(page, at(paths.homeworkForm, { id: copied.id }))
  await expect(page.getByRole('heading', { name: /编辑作业/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: '作业名称', exact: true }).fill('浏览器作业')
  for (const tab of ['试卷', '对象', '规则', '批阅']) {
    await openTab(page, tab)
    await expectAccessible(page)
  }
  await pressed(page, '保存')
  await told(page, '已保存作业')

  const later = new Date(Date.now() + 30 * DAY_MS).toISOString()
  const seen = await dataOf(page, 'GET', `${TASKS}/view?id=${copied.id}`)
  const times = {
    startsAt: new Date(Date.now() - 3600 * 1000).toISOString(),
    endsAt: later,
    lateUntil: null,
    markDueAt: null,
  }
  await dataOf(page, 'PUT', `${TASKS}/edit`, { ...seen.form, ...times, id: copied.id, version: seen.version })
  await openAt(page, at(paths.homework, { title: '浏览器作业' }))
  const row = rowOf(page, '浏览器作业').first()
  await expect(row).toContainText('草稿')
  await inRow(page, row, '发布')
  await press(page, '发布')
  await told(page, /已发布“浏览器作业/)
  await expect(row).toContainText('已发布')
  await inRow(page, row, '延期')
  await expectAccessible(page)
  await typeDay(page, '新的截止时间', dayIn(60))
  await press(page, '延期')
  await told(page, '已延长截止时间')
  await inRow(page, row, '截止')
  await press(page, '截止')
  await told(page, /已截止“浏览器作业/)
  await expect(row).toContainText('已截止')
  await inRow(page, row, '重新开放')
  await expectAccessible(page)
  await typeDay(page, '新的截止时间', dayIn(90))
  await press(page, '重新开放')
  await told(page, '已重新开放作业')
  await expect(row).toContainText('已发布')
  await inRow(page, row, '查看')
  await expect(dialog(page).getByRole('region', { name: '操作日志' })).toContainText('演示作业')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await openAt(page, at(paths.homework, { tab: 'courses' }))
  await expect(page.getByRole('columnheader', { name: '提交率' })).toBeVisible()
  await expectAccessible(page)
})

test('homework of several courses is checked before it is set', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await openAt(page, paths.homeworkBatch.slice(1))
  await page.getByRole('checkbox', { name: /^选择/ }).first().press('Space')
  await expectAccessible(page)
  await pressed(page, '下一步')
  await expect(page.getByText('不选择时自动匹配')).toBeVisible()
  await expectAccessible(page)
  await pressed(page, '下一步')
  await page.getByRole('textbox', { name: '名称格式', exact: true }).fill('{课程名}批量{序号}')
  await expectAccessible(page)
  await pressed(page, '预览')
  await expect(page.getByText(/门课程可以布置/)).toBeVisible()
  await expectAccessible(page)
})

test('who need not do a homework, and how all stand', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const { list } = await dataOf(page, 'POST', `${TASKS}/student/list`, { semesterId, state: 'not_started' })
  const [one] = list
  if (!one) throw new Error('everybody began')
  await openAt(page, at(paths.studentHomework, { homeworkId: one.homeworkId, keyword: one.studentNo }))
  const row = rowOf(page, one.name).first()
  await inRow(page, row, '延期')
  await expectAccessible(page)
  await fill(page, { 增加次数: '2' })
  await typeDay(page, '个人截止时间', dayIn(120))
  await press(page, '保存')
  await told(page, `已为${one.name}《${one.title}》延期`)
  await inRow(page, row, '免做')
  await fill(page, { 原因: '已有同类课程成绩' })
  await expectAccessible(page)
  await press(page, '免做')
  await told(page, '已登记免做')
  await expect(row).toContainText('免做')

  await openAt(page, at(paths.studentHomework, { homeworkId: one.homeworkId }))
  const coming = exported(page, exportButton(page))
  const [headings, ...lines] = textsIn(await (await coming).path())
  expect(headings).toContain('学号')
  expect(lines.length).toBeGreaterThan(1)
  await openTab(page, '统计图')
  await expect(page.getByRole('region', { name: '作业统计' })).toContainText('得分分布')
  await expectAccessible(page)
})

test('a sheet is marked at the desk, and the next one comes', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const { list } = await dataOf(page, 'POST', `${TASKS}/marking/list`, { semesterId, tab: 'pending', pageSize: 50 })
  const papers = await dataOf(page, 'POST', `${TASKS}/list`, { semesterId, kind: 'paper', pageSize: 100 })
  const ids: number[] = papers.list.map(({ id }: { id: number }) => id)
  const one = list.find(({ homeworkId }: { homeworkId: number }) => ids.includes(homeworkId))
  if (!one) throw new Error('nothing waits for a mark')
  await goTo(page, '作业批阅')
  await expect(page.getByRole('columnheader', { name: '客观分' })).toBeVisible()
  await expectAccessible(page)
  await openAt(page, at(paths.workPaper, { sheetId: one.id }))
  await expect(page.getByRole('navigation', { name: '题目' })).toBeVisible()
  await expectAccessible(page)
  const waiting = page.getByRole('navigation', { name: '题目' }).getByRole('button', { name: /待给分$/ })
  // One question of all sheets, one after the other.
  await waiting.first().click()
  await page.getByRole('button', { name: /^逐题批阅第/ }).click()
  await expect(page.getByRole('button', { name: '给分并下一份' })).toBeDisabled()
  await page
    .getByRole('textbox', { name: /^第.+题得分$/ })
    .or(page.getByRole('spinbutton', { name: /^第.+题得分$/ }))
    .fill('1')
  await page.keyboard.press('Enter')
  await told(page, /^(已给分，(本题还有|其余)[\d,]+份.*|本题已全部给分)$/)
  // Loaded anew: what was seen of the sheet before is counted below.
  await page.goto(at(paths.workPaper, { sheetId: one.id }))
  await expect(page.getByRole('navigation', { name: '题目' })).toBeVisible()
  for (let left = await waiting.count(); left > 0; left -= 1) {
    await waiting.first().click()
    await page
      .getByRole('textbox', { name: /^第.+题得分$/ })
      .or(page.getByRole('spinbutton', { name: /^第.+题得分$/ }))
      .fill('1')
    await page.keyboard.press('Enter')
  }
  await pressed(page, '保存')
  await told(page, '已保存批阅')
  await pressed(page, '提交并下一份')
  await told(page, /已提交批阅，得分/)
  await openAt(page, at(paths.marking, { tab: 'marked', keyword: one.studentNo }))
  const row = rowOf(page, one.name).first()
  await inRow(page, row, '更正答案')
  await expectAccessible(page)
  await dialog(page).locator('.arco-drawer-close-icon').click()
  await inRow(page, row, '退回')
  await expectAccessible(page)
  await fill(page, { 原因: '请补充计算过程' })
  await typeDay(page, '重做截止', dayIn(3))
  await press(page, '退回重做')
  await told(page, '已退回1份答卷')
  await page.getByRole('switch', { name: '匿名批阅' }).click()
  await expect(page.getByRole('columnheader', { name: '班级' })).toHaveCount(0)
})

test('answers that are alike stand side by side, and markers have their figures', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { list } = await dataOf(page, 'POST', `${TASKS}/marking/similarity/list`, {})
  const [pair] = list
  if (!pair) throw new Error('no answers are alike')
  await openAt(page, at(paths.marking, { tab: 'pairs' }))
  const row = rowOf(page, pair.nameA).first()
  await inRow(page, row, '对照')
  await expect(dialog(page)).toContainText(pair.nameB)
  await expectAccessible(page)
  await press(page, '认定雷同')
  await told(page, '已保存认定')
  await openAt(page, at(paths.marking, { tab: 'progress' }))
  await expect(page.getByRole('columnheader', { name: '超期' })).toBeVisible()
  await expectAccessible(page)
})
