import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, dataOf, dialog, fill, goTo, helpAt, openAt, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Locator, type Page, test } from './test'

/** Face-to-face instruction of the second school: attendance and performance, and what they come to (03 B8). */

const OPERATOR = operatorOf('instruction', '演示面授')
const SOUTH = '南岭示范大学'
const SCORE = '/adult/pc/offlineInstruction'

interface Score {
  id: number
  name: string
  studentNo: string
  openingId: number
  courseName: string
  performanceScore?: number
}

interface Session {
  id: number
  courseName: string
  date: string
}

interface Attendance {
  name: string
  status: string
  result?: string
}

const currentSemester = async (page: Page): Promise<number> =>
  (await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })).list[0].id

const scores = async (page: Page, asked: object): Promise<Score[]> => {
  const semesterId = await currentSemester(page)
  return (await dataOf(page, 'POST', `${SCORE}/list`, { semesterId, pageSize: 200, ...asked })).list
}

const at = (search: object) => `${paths.instructionScores.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  await expect(row).toBeVisible()
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

test('a performance is typed in the list, submitted, confirmed, and goes back with a reason', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const [one] = (await scores(page, { status: 'draft' })).filter(
    ({ performanceScore, studentNo }) => studentNo && (performanceScore === undefined || performanceScore === null),
  )
  if (!one) throw new Error('every performance is typed')
  await goTo(page, '面授成绩')
  await expect(page.getByRole('columnheader', { name: '应到/实到' })).toBeVisible()
  await expectAccessible(page)

  await openAt(page, at({ openingId: one.openingId, keyword: one.studentNo }))
  const row = rowOf(page, one.name)
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('note', { name: /^提交：还未录入表现成绩$/ })).toBeVisible()
  await row.getByRole('spinbutton', { name: /表现成绩$/ }).fill('88')
  await page.getByRole('button', { name: '保存1名学生的表现成绩' }).click()
  await told(page, '已保存1名学生的表现成绩')
  await act(page, one.name, '提交')
  await told(page, `已提交${one.name}《${one.courseName}》的面授成绩`)
  await expect(row).toContainText('已提交')
  await act(page, one.name, '确认')
  await told(page, `已确认${one.name}《${one.courseName}》的面授成绩`)
  await expect(row).toContainText('88.0')
  await inRow(page, row, '撤销确认')
  await expectAccessible(page)
  await press(page, '撤销确认')
  await expect(dialog(page).getByText('请输入原因')).toBeVisible()
  await fill(page, { 原因: '核对考勤' })
  await press(page, '撤销确认')
  await told(page, '已撤销确认')
  await inRow(page, row, '退回')
  await fill(page, { 原因: '请核对缺勤记录' })
  await press(page, '退回')
  await told(page, '已退回')
  await expect(row).toContainText('录入中')

  await inRow(page, row, '查看')
  await expect(dialog(page)).toContainText('请核对缺勤记录')
  await expect(dialog(page).getByRole('list', { name: '操作日志' })).toContainText('演示面授')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // What is confirmed stays as it is.
  const [confirmed] = await scores(page, { status: 'confirmed' })
  if (!confirmed) throw new Error('nothing is confirmed')
  await openAt(page, at({ openingId: confirmed.openingId, keyword: confirmed.studentNo }))
  await expect(rowOf(page, confirmed.name)).toContainText('已确认')
  await expect(rowOf(page, confirmed.name).getByRole('spinbutton')).toHaveCount(0)
  const coming = page.waitForEvent('download')
  await inRow(page, rowOf(page, confirmed.name), '打印登记表')
  expect((await coming).suggestedFilename()).toMatch(/^面授成绩登记表.*\.pdf$/)
})

/** A session that was held, with somebody whose score is still entered; none in the first days of a semester. */
const heldSession = async (page: Page) => {
  const semesterId = await currentSemester(page)
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const { list }: { list: Session[] } = await dataOf(page, 'POST', `${SCORE}/attendance/session/list`, {
    semesterId,
    dateTo: today,
    pageSize: 100,
  })
  for (const session of list.filter(({ date }) => date < today)) {
    const { rows }: { rows: Attendance[] } = await dataOf(
      page,
      'GET',
      `${SCORE}/attendance/list?sessionId=${session.id}`,
    )
    const one = rows.find(({ status }) => status === 'draft')
    if (one) return { session, one }
  }
  return undefined
}

/** Before anything was held a roster says that it is too early. */
const tooEarly = async (page: Page) => {
  const semesterId = await currentSemester(page)
  const asked = { semesterId, pageSize: 1 }
  const [last]: Session[] = (await dataOf(page, 'POST', `${SCORE}/attendance/session/list`, asked)).list
  if (!last) throw new Error('nothing is published')
  await openAt(page, at({ tab: 'attendance', dateFrom: last.date, dateTo: last.date, open: last.id }))
  await expect(dialog(page).getByText('该次课还未开始，不能登记考勤')).toBeVisible()
}

test('attendance of a session is registered, each by a press', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const held = await heldSession(page)
  if (!held) return await tooEarly(page)
  const { session, one } = held
  await openAt(page, at({ tab: 'attendance', dateFrom: session.date, dateTo: session.date }))
  await expect(rowOf(page, session.courseName).first()).toBeVisible()
  await expectAccessible(page)
  await openAt(page, at({ tab: 'attendance', dateFrom: session.date, dateTo: session.date, open: session.id }))
  const roster = dialog(page)
  const person = roster.getByRole('row').filter({ hasText: one.name }).first()
  await expect(person).toBeVisible()
  await expectAccessible(page)
  const [before, after] = one.result === 'late' ? ['迟到', '请假'] : ['出勤', '迟到']
  await person.getByText(after ?? '', { exact: true }).click()
  await expect(person).toContainText('未保存')
  // Whoever closes the roster finds what they chose.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.locator(`[data-row="${session.id}"]`).getByRole('button', { name: '登记考勤' }).click()
  await expect(person).toContainText('未保存')
  await press(page, '保存考勤')
  await told(page, '已登记1名学生的考勤')
  await expect(person).not.toContainText('未保存')
  await person.getByText(before ?? '', { exact: true }).click()
  await press(page, '保存考勤')
  await told(page, '已登记1名学生的考勤')
})
