import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
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
  signIn,
  takeBack,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Locator, type Page, test } from './test'

/** Online study of the second school: how courses are studied, who studies them, what is asked (03 B5). */

const OPERATOR = operatorOf('online_study', '演示在线教学')
const SOUTH = '南岭示范大学'
const TEACHING = '/adult/pc/onlineTeaching'

const currentSemester = async (page: Page): Promise<number> =>
  (await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })).list[0].id

const at = (search: object) => `${paths.onlineTeaching.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  await expect(row).toBeVisible()
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

test('a course is set: window, share, order; several at once', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const asked = { semesterId, resource: 'ready', openingStatus: 'opened', pageSize: 20 }
  const { list } = await dataOf(page, 'POST', `${TEACHING}/list`, asked)
  const [course] = list
  if (!course) throw new Error('no course has material')
  await goTo(page, '在线教学')
  await expect(page.getByRole('columnheader', { name: '完成标准' })).toBeVisible()
  await expectAccessible(page)
  await openAt(page, at({ courseId: course.courseId, openingStatus: 'opened' }))
  const row = rowOf(page, course.courseName)
    .filter({ hasText: course.gradeName ?? '不限' })
    .filter({ hasText: course.majorName ?? '不限' })
    .first()
  await inRow(page, row, '设置')
  await expectAccessible(page)
  await fill(page, { '完成标准(%)': '75', '每日学习上限(分钟)': '240' })
  await press(page, '保存')
  await told(page, '已保存在线教学设置')
  await expect(row).toContainText('75%')
  await inRow(page, row, '查看')
  await expect(dialog(page)).toContainText('240')
  await expect(dialog(page).getByRole('region', { name: '操作日志' })).toContainText('演示在线教学')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await row.getByRole('checkbox').press('Space')
  await page.getByRole('status').filter({ hasText: '已选 1 条' }).getByRole('button', { name: '批量设置' }).click()
  await expectAccessible(page)
  await fill(page, { '作业和考试要求进度(%)': '50' })
  await press(page, '保存')
  await told(page, '已设置1门课程')
})

test('who studies a course, reminded and taken back with a reason', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const asked = { semesterId, progressFrom: 1, progressTo: 99, pageSize: 50 }
  const { list } = await dataOf(page, 'POST', `${TEACHING}/progress/list`, asked)
  const one = list.find(({ studyMinutes }: { studyMinutes: number }) => studyMinutes > 0)
  if (!one) throw new Error('nobody is on their way')
  const place = at({ tab: 'learners', openingId: one.openingId, keyword: one.studentNo })
  await openAt(page, place)
  await expect(rowOf(page, one.name)).toHaveCount(1)
  await expectAccessible(page)
  await act(page, one.name, '明细')
  await expect(dialog(page).getByRole('columnheader', { name: '学习时长' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await act(page, one.name, '督促')
  await told(page, `已督促${one.name}《${one.courseName}》`)
  await act(page, one.name, '重置')
  await expectAccessible(page)
  await press(page, '重置')
  await expect(dialog(page).getByText('请输入原因')).toBeVisible()
  await fill(page, { 原因: '他人代学' })
  await press(page, '重置')
  await told(page, `已重置${one.name}《${one.courseName}》的学习进度`)
  await expect(rowOf(page, one.name)).toContainText('0.0%')

  await openAt(page, at({ tab: 'learners', openingId: one.openingId }))
  const coming = exported(page, exportButton(page))
  const [headings, ...lines] = textsIn(await (await coming).path())
  expect(headings?.slice(0, 2)).toEqual(['学号', '姓名'])
  expect(lines.length).toBeGreaterThan(1)
  await openTab(page, '统计图')
  await expect(page.getByRole('region', { name: '学习统计' })).toContainText('进度分布')
  await expectAccessible(page)
})

test('a question is answered, marked and hidden', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const semesterId = await currentSemester(page)
  const asked = { semesterId, answered: false, hidden: false, pageSize: 20 }
  const { list } = await dataOf(page, 'POST', `${TEACHING}/qa/list`, asked)
  const [question] = list
  if (!question) throw new Error('nothing waits for an answer')
  await openAt(page, at({ tab: 'questions', answered: 'false', hidden: 'false' }))
  const row = rowOf(page, question.studentNo).first()
  await expect(row).toContainText('待回复')
  await expectAccessible(page)
  await inRow(page, row, '回复')
  await fill(page, { 内容: '请参考教材第三章第二节。' })
  await expectAccessible(page)
  await press(page, '回复')
  await told(page, '已回复')
  await openAt(page, at({ tab: 'questions', answered: 'true' }))
  const answered = rowOf(page, question.studentNo).first()
  await inRow(page, answered, '查看')
  await expect(dialog(page).getByRole('list', { name: '回复' })).toContainText('演示在线教学')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await inRow(page, answered, '隐藏')
  await told(page, '已隐藏，仅提问人可见')
  await takeBack(page)
})

test('an operator looks at the study of all schools', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.onlineTeaching.slice(1))
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  await expect(page.getByRole('button', { name: '批量设置' })).toHaveCount(0)
  await openTab(page, '学习监控')
  await expect(page.getByRole('columnheader', { name: '学习天数' })).toBeVisible()
  await expectAccessible(page)
})
