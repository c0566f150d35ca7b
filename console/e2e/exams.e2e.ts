import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  choose,
  dataOf,
  dialog,
  exportButton,
  exported,
  fill,
  goTo,
  helpAt,
  openAt,
  openTab,
  press,
  rowOf,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Locator, type Page, test } from './test'

/** Examinations of the second school: a batch, one on the net from its candidates to marking, and one on paper (04 §1–§4). */

const OPERATOR = operatorOf('exams', '演示考试')
const SOUTH = '南岭示范大学'

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

/** A day that is typed into a date or a moment. */
const typeDay = async (page: Page, label: string, day: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(day)
  await box.press('Tab')
}

const pressed = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

/** The batch of this semester's final examinations. */
const currentBatch = async (page: Page): Promise<{ id: number; name: string }> => {
  const { list } = await dataOf(page, 'POST', '/exam/pc/test/batch/list', { status: 'active', kind: 'final' })
  const found = list.find(({ code }: { code: string }) => code.endsWith('QM1'))
  if (!found) throw new Error('no batch is active')
  return found
}

test('a batch is made and opened, and an examination on the net goes its way', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { list: semesters } = await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })
  await goTo(page, '考试批次')
  await expect(page.getByRole('columnheader', { name: '成绩录入时间' })).toBeVisible()
  await expectAccessible(page)
  await pressed(page, '新增批次')
  await fill(page, { 批次编码: 'E2E-QM', 批次名称: '浏览器期末考试' })
  await choose(page, '学期', semesters[0].name)
  await typeDay(page, '考试开始日期', dayIn(10))
  await typeDay(page, '考试结束日期', dayIn(20))
  await typeDay(page, '成绩录入开始', dayIn(12))
  await typeDay(page, '成绩录入结束', dayIn(40))
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增批次')
  const batch = rowOf(page, '浏览器期末考试').first()
  await inRow(page, batch, '启用')
  await press(page, '启用')
  await told(page, '已启用“浏览器期末考试”')
  await expect(batch).toContainText('进行中')

  const { id: batchId } = await currentBatch(page)
  const { list } = await dataOf(page, 'POST', '/exam/pc/online/setup/list', { batchId, status: 'draft' })
  const [exam] = list
  if (!exam) throw new Error('nothing is set on the net')
  await openAt(page, at(paths.onlineExam, { id: exam.id }))
  await expect(page.getByRole('tab', { name: '基本设置' })).toHaveAttribute('aria-selected', 'true')
  for (const tab of ['试卷', '考试对象', '防作弊', '通知']) {
    await openTab(page, tab)
    await expectAccessible(page)
  }
  await openTab(page, '考生')
  await pressed(page, '刷新名单')
  await expectAccessible(page)
  await press(page, '刷新名单')
  await told(page, /^(新增|人数较多)/)
  await expect(page.getByRole('columnheader', { name: '资格原因' })).toBeVisible()

  await openAt(page, at(paths.onlineExams, { batchId }))
  const row = rowOf(page, exam.name).first()
  await inRow(page, row, '发布')
  await press(page, '发布')
  await told(page, `已发布“${exam.name}”`)
  await expect(row).toContainText('已发布')
  await expectAccessible(page)

  await openAt(page, at(paths.examAttempts, { setupId: exam.id }))
  await expect(page.getByLabel('考试监控')).toContainText('未进入')
  const student = page.getByRole('row').filter({ hasText: exam.name }).first()
  await expect(student).toContainText('未进入')
  await expectAccessible(page)
  await inRow(page, student, '登记违规')
  await choose(page, '违规条款', 'W9 其他违纪')
  await fill(page, { 情况说明: '考前在候考区喧哗' })
  await expectAccessible(page)
  await press(page, '登记')
  await told(page, '已登记违规，等待认定')
  await openTab(page, '违规')
  await expect(page).toHaveURL(/mode=online/)
  await expect(page.getByRole('row').filter({ hasText: 'W9 其他违纪' }).first()).toContainText('已登记')
  await expectAccessible(page)

  await openAt(page, paths.examMarking.slice(1))
  await expect(page.getByRole('columnheader', { name: '主观题数' })).toBeVisible()
  await expectAccessible(page)
  await openTab(page, '答卷')
  await expect(page.getByRole('columnheader', { name: '百分制成绩' })).toBeVisible()
  await expectAccessible(page)
})

test('paper is written in rooms: seats, who watches, who did not come', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { id: batchId } = await currentBatch(page)
  await openAt(page, at(paths.offlineExams, { batchId }))
  await expect(page.getByRole('columnheader', { name: '已编排' })).toBeVisible()
  await expectAccessible(page)
  const coming = exported(page, exportButton(page))
  const [headings] = textsIn(await (await coming).path())
  expect(headings).toContain('考核方式')
  const calendar = page.getByRole('table', { name: '考试日历' })
  // Without a batch it is the newest one's, which may have none yet.
  await openAt(page, paths.offlineExam.slice(1))
  await expect(calendar.or(page.getByText('本批次还没有线下考试'))).toBeVisible()
  await openAt(page, at(paths.offlineExam, { batchId }))
  await expect(calendar).toBeVisible()
  await expectAccessible(page)
  for (const path of [paths.offlineExamAudit, paths.examSessions, paths.examRooms, paths.makeups, paths.examMarkers]) {
    await openAt(page, path.slice(1))
    await expectAccessible(page)
    if (path !== paths.offlineExamAudit) continue
    for (const name of ['时间冲突数', '考位余量']) {
      await expect(page.getByRole('columnheader', { name }).first()).toBeVisible()
    }
  }

  const { list } = await dataOf(page, 'POST', '/offline/pc/offline/session/list', { batchId, pageSize: 50 })
  // One whose seats may still be given, with people who may sit.
  const session = list.find(
    ({ status, candidates }: { status: string; candidates: number }) =>
      candidates > 0 && (status === 'draft' || status === 'seated'),
  )
  if (!session) throw new Error('all seats are confirmed')
  await openAt(page, at(paths.examDay, { batchId, sessionId: session.id }))
  await pressed(page, '自动编排')
  await expectAccessible(page)
  await press(page, '预览')
  await expect(dialog(page).getByText(/^已编排\d+人/)).toBeVisible()
  const answered = page.waitForResponse((response) => response.url().endsWith('/user/room/auto'))
  await press(page, '编排座位')
  const { data } = await (await answered).json()
  // Whoever is left without a seat is told in the form.
  if (data.unplacedCount > 0) await press(page, '取消')
  await expect(dialog(page)).toHaveCount(0)
  const plan = page.locator('.seat-grid')
  const taken = plan.getByRole('button', { name: /^\d+号 (?!空座)/ })
  await expect(taken.first()).toBeVisible()
  await expectAccessible(page)
  await taken.first().click()
  await expect(plan.locator('[aria-pressed="true"]')).toHaveCount(1)
  await taken.nth(1).click()
  await told(page, '已调换座位')

  await openAt(page, at(paths.invigilators, { tab: 'duties', batchId, sessionId: session.id }))
  await pressed(page, '自动安排')
  await press(page, '自动安排')
  await expect(page.getByText(/已安排[\d,]+人次/).first()).toBeVisible()
  await openAt(page, at(paths.examDay, { tab: 'figures', batchId }))
  await expect(page.getByRole('columnheader', { name: '缺考率' })).toBeVisible()
  await openAt(page, at(paths.examDay, { tab: 'records', batchId }))
  const room = page.getByRole('row').filter({ hasText: '未登记' }).first()
  const records = await dataOf(page, 'POST', '/offline/pc/offline/manage/list', { batchId, status: 'none' })
  const begun = records.list.find(({ startsAt }: { startsAt: string }) => new Date(startsAt).getTime() < Date.now())
  await expectAccessible(page)
  if (!begun) return
  await openAt(page, at(paths.examDay, { tab: 'records', batchId, sessionId: begun.sessionId, status: 'none' }))
  await inRow(page, room, '登记')
  await dialog(page)
    .getByRole('button', { name: /^\d+号 / })
    .first()
    .click()
  await fill(page, { 考场情况: '一名考生缺考' })
  const [watcher] = begun.invigilators
  if (watcher) await dialog(page).locator('label').filter({ hasText: watcher.name }).first().click()
  await expectAccessible(page)
  await press(page, '登记')
  await told(page, '已登记考场情况，请核对后确认')
})
