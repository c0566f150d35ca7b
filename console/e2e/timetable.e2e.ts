import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  choose,
  dataOf,
  dialog,
  drag,
  exportButton,
  exported,
  fill,
  goTo,
  helpAt,
  helpTo,
  openAt,
  openTab,
  press,
  rowOf,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Page, test } from './test'

/** The timetable of the second school: arranged by hand and by the machine, published, moved and called off (03 B9). */

const OPERATOR = operatorOf('timetable', '演示排课')
const SOUTH = '南岭示范大学'
const ARRANGE = '/adult/pc/courseArrange'

interface Pending {
  openingId: number
  courseId: number
  courseName: string
  classId: number
  className: string
  siteId: number
  students: number
  teacherId?: number
  teacherName?: string
}

interface Meeting {
  id: number
  date: string
  status: string
}

interface Semester {
  id: number
  endsOn: string
}

const semester = async (page: Page): Promise<Semester> =>
  (await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })).list[0]

const currentSemester = async (page: Page) => (await semester(page)).id

const DAY_MS = 24 * 3600 * 1000
/** So many days hold the lessons of a course. */
const ENOUGH_DAYS = 14

/** Classes of courses that have a teacher, the same each time. */
const pendings = async (page: Page): Promise<Pending[]> => {
  const semesterId = await currentSemester(page)
  const { list } = await dataOf(page, 'POST', `${ARRANGE}/pending/list`, { semesterId, pageSize: 500 })
  return list.filter(({ teacherId }: Pending) => teacherId !== undefined && teacherId !== null)
}

const at = (search: object) => `${paths.courseArranges.slice(1)}?${new URLSearchParams(Object.entries(search))}`

const chooseFirst = async (page: Page, label: string) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  const option = page.getByRole('option').first()
  const words = (await option.textContent()) ?? ''
  await option.click()
  return words
}

const lesson = async (page: Page, label: string, no: number) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page
    .getByRole('option')
    .filter({ hasText: new RegExp(`^第${no}节`) })
    .click()
  await expect(page.getByRole('option')).toHaveCount(0)
}

/** Lessons 1 and 2 of Tuesdays, when the demonstration arranges nothing. */
const onTuesdays = async (page: Page, weeks: string) => {
  await choose(page, '星期', '星期二')
  await fill(page, { 周次: weeks })
  await lesson(page, '开始节次', 1)
  await lesson(page, '结束节次', 2)
  await dialog(page).getByRole('switch', { name: '允许超出教室容量' }).press('Space')
}

test('a course is arranged, clashes are told while one types, published, moved and cancelled', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const [course] = await pendings(page)
  if (!course) throw new Error('nothing is taught face to face')
  const asked = { courseId: course.courseId, classId: course.classId }
  await goTo(page, '面授排课')
  await expect(page.getByRole('columnheader', { name: '已排/应排' })).toBeVisible()
  await expectAccessible(page)

  await openAt(page, at({ tab: 'pending', ...asked }))
  await expect(rowOf(page, course.className).first()).toBeVisible()
  await expectAccessible(page)
  await rowOf(page, course.className).first().getByRole('button', { name: '排课', exact: true }).click()
  await onTuesdays(page, '2-3')
  const room = await chooseFirst(page, '教室')
  await expect(dialog(page).getByText(/^没有时间冲突，共\d次课$/)).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, /已保存为草稿，共\d次课/)

  // The same once more: all that is in the way is named before anybody saves, and again when somebody does.
  await rowOf(page, course.className).first().getByRole('button', { name: '排课', exact: true }).click()
  await onTuesdays(page, '2-3')
  await choose(page, '教室', room)
  await expect(dialog(page).getByText(/^有\d+处时间冲突，不能保存$/)).toBeVisible()
  await expect(dialog(page).getByRole('list', { name: '冲突' })).toContainText(`班级“${course.className}”`)
  await expectAccessible(page)
  await press(page, '保存')
  await expect(dialog(page).getByRole('alert').filter({ hasText: '第1-2节已安排' }).first()).toBeVisible()
  await press(page, '取消')
  await press(page, '关闭')

  await openAt(page, at({ ...asked, status: 'draft' }))
  await act(page, '2-3周 星期二 第1-2节', '发布', /^发布“/)
  await told(page, `已发布${course.courseName}的排课`)
  const { list } = await dataOf(page, 'POST', `${ARRANGE}/list`, {
    semesterId: await currentSemester(page),
    ...asked,
    status: 'published',
    pageSize: 100,
  })
  const made = list.find(
    ({ weekday, periodTo }: { weekday: number; periodTo: number }) => weekday === 2 && periodTo === 2,
  )
  const { meetings }: { meetings: Meeting[] } = await dataOf(page, 'GET', `${ARRANGE}/view?id=${made.id}`)
  const [first, second] = meetings
  if (!first || !second) throw new Error('two lessons were arranged')

  // In the week of the class the lesson is dragged to another place; the form asks why.
  await openAt(page, at({ tab: 'class', of: course.classId, day: first.date }))
  const week = page.getByRole('table', { name: course.className })
  await expect(week).toBeVisible()
  await expectAccessible(page)
  const chip = week.locator(`[data-place="${first.date} 1"] .lesson`).filter({ hasText: course.courseName })
  await drag(chip, week.locator(`[data-place="${first.date} 9"]`))
  await expect(dialog(page, /^调课/)).toBeVisible()
  await expectAccessible(page)
  await fill(page, { 原因: '教师出差' })
  await press(page, '调课')
  await told(page, '已调课，原课次已取消')
  await expect(week.locator(`[data-place="${first.date} 9"]`)).toContainText(course.courseName)

  // The other one does not take place.
  await openAt(page, at({ tab: 'class', of: course.classId, day: second.date, span: 'month' }))
  const month = page.getByRole('table', { name: course.className })
  await expect(month).toBeVisible()
  await expectAccessible(page)
  await month
    .locator(`[data-place="${second.date}"]`)
    .getByRole('button', { name: course.courseName, exact: true })
    .first()
    .click()
  await expect(dialog(page)).toContainText('已发布')
  await expectAccessible(page)
  await press(page, '停课')
  await fill(page, { 原因: '场地检修' })
  await press(page, '停课')
  await told(page, '已停课')

  await openAt(page, at({ ...asked, open: made.id }))
  await expect(dialog(page).getByRole('row').filter({ hasText: '场地检修' })).toContainText('已取消')
  await expectAccessible(page)
  await openTab(dialog(page), '资料')
  await expect(dialog(page).getByRole('list', { name: '操作日志' })).toContainText('演示排课')
  await page.keyboard.press('Escape')
  const row = rowOf(page, course.courseName).filter({ hasText: '星期二 第1-2节' }).first()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: '取消', exact: true }).click()
  await fill(page, { 原因: '教师调整' })
  await expectAccessible(page)
  await press(page, '取消排课')
  await told(page, '已取消排课')
  await expect(row).toContainText('已取消')
})

test('a teacher is given the address of a calendar, which is renewed and taken back', async ({ page }) => {
  await helpTo(page, OPERATOR, SOUTH, '面授排课')
  await openTab(page, '教师课表')
  await page.getByRole('combobox', { name: '教师', exact: true }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: '订阅日历' }).click()
  const feed = dialog(page, /^订阅日历/)
  await expectAccessible(page)
  await feed.getByRole('button', { name: '生成订阅地址' }).click()
  await told(page, '已生成订阅地址')
  const address = (await feed.getByText(/\/user\/client\/timetable\/calendar\?/).textContent()) ?? ''
  const read = await page.request.get(address)
  expect(read.headers()['content-type']).toContain('text/calendar')
  expect(await read.text()).toContain('BEGIN:VCALENDAR')
  const again = await page.request.get(address, { headers: { 'If-None-Match': read.headers().etag ?? '' } })
  expect(again.status()).toBe(304)
  await feed.getByRole('button', { name: '重新生成' }).click()
  await press(page, '重新生成')
  await told(page, '已生成订阅地址')
  await expect.poll(async () => (await page.request.get(address)).headers()['content-type']).toContain('json')
  await feed.getByRole('button', { name: '取消订阅' }).click()
  await press(page, '取消订阅')
  await told(page, '已取消订阅')
  await expect(feed.getByText('还没有订阅地址。')).toBeVisible()
})

test('the machine proposes, and what it proposes is taken over as drafts', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { id: semesterId, endsOn } = await semester(page)
  const asked = { semesterId, unfinished: true, pageSize: 500 }
  const { list }: { list: Pending[] } = await dataOf(page, 'POST', `${ARRANGE}/pending/list`, asked)
  // The smallest class fits into every room.
  const [course] = list.filter(({ teacherId }) => teacherId).sort((a, b) => a.students - b.students)
  if (!course) throw new Error('everything is arranged')
  await openAt(page, at({ tab: 'pending', courseId: course.courseId, classId: course.classId }))
  await rowOf(page, course.className).first().getByRole('checkbox').press('Space')
  await page.getByRole('status').filter({ hasText: '已选 1 条' }).getByRole('button', { name: '自动排课' }).click()
  await expect(dialog(page, '自动排课')).toContainText('为选中的1个班级课程排课')
  for (const day of ['星期一', '星期二', '星期三', '星期四', '星期五']) {
    await dialog(page).getByRole('checkbox', { name: day }).press('Space')
  }
  await dialog(page).getByRole('spinbutton', { name: '时间上限(秒)' }).fill('10')
  await expectAccessible(page)
  await press(page, '开始计算')
  if (Date.parse(endsOn) < Date.now() + ENOUGH_DAYS * DAY_MS) {
    // The semester of the demonstration is over, or nearly so: only what lies ahead is arranged.
    const outcome = page.getByText(/已排\d+门次，未排\d+门次|可用日期都已经过去/).first()
    await expect(outcome).toBeVisible({ timeout: 60_000 })
    return
  }
  await expect(dialog(page).getByText(/已排\d+门次，未排\d+门次/)).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  // Who closed it finds it again.
  await press(page, '关闭')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: '自动排课', exact: true }).first().click()
  await expect(dialog(page, '自动排课').getByText(/已排\d+门次，未排\d+门次/)).toBeVisible()
  await press(page, '采用方案')
  await press(page, '采用')
  await told(page, /已采用，写入\d+个草稿/)
  await press(page, '查看草稿')
  await expect(rowOf(page, course.courseName).first()).toContainText('草稿')
  const coming = exported(page, exportButton(page))
  const [headings] = textsIn(await (await coming).path())
  expect(headings).toContain('课程')

  // Drafts go as they came.
  await openAt(page, at({ courseId: course.courseId, classId: course.classId, status: 'draft' }))
  const row = rowOf(page, course.courseName).first()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: '删除', exact: true }).click()
  await press(page, '删除')
  await told(page, '已删除排课')
})

test('times are kept free, and a day has its lessons', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await openAt(page, at({ tab: 'blocks' }))
  await expect(rowOf(page, '设备检修').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增不可用时间' }).click()
  await choose(page, '资源类型', '教室')
  await expect(page.getByRole('option')).toHaveCount(0)
  const room = await chooseFirst(page, '教室')
  await page.keyboard.press('Escape')
  for (const [label, value] of [
    ['开始时间', '2027-08-30 08:00:00'],
    ['结束时间', '2027-08-30 12:00:00'],
  ] as const) {
    const box = dialog(page).getByRole('textbox', { name: label, exact: true })
    await box.fill(value)
    await box.press('Enter')
  }
  await fill(page, { 说明: '场地外借' })
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增1条不可用时间')
  await expect(rowOf(page, '场地外借')).toContainText(room)
  await act(page, '场地外借', '删除', /^删除“/)
  await told(page, '已删除1条不可用时间')

  await openTab(page, '节次设置')
  const begin = page.getByRole('textbox', { name: '第1节开始' })
  await expect(begin).toHaveValue('08:00')
  await expectAccessible(page)
  await begin.fill('09:00')
  const save = page.getByRole('button', { name: '保存节次' })
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: '结束时间应晚于开始时间' })).toBeVisible()
  // While it turns it takes no second click.
  await expect(save).not.toHaveClass(/loading/)
  await begin.fill('08:05')
  await save.click()
  await told(page, '已保存节次')
  await page.getByRole('button', { name: '删除自己的节次' }).click()
  await press(page, '删除')
  await told(page, '已保存节次')
  await expect(begin).toHaveValue('08:00')
})
