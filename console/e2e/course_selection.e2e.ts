import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, choose, dataOf, dialog, fill, goTo, helpAt, helpTo, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Rosters of the second school: who comes in, who is let through, who leaves, and who need not come (03 B4). */

const OPERATOR = operatorOf('course_selection', '演示选课')
const SOUTH = '南岭示范大学'
const SELECTION = '/adult/pc/adult/selection'
const EVIDENCE = { name: '合格证书.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }

interface Selection {
  id: number
  studentId: number
  studentNo: string
  name: string
  openingId: number
  courseId: number
  courseName: string
}

interface Opening {
  id: number
  courseName: string
}

const currentSemester = async (page: Page): Promise<number> =>
  (await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })).list[0].id

/** Selections of the semester that is going on. */
const selections = async (page: Page, asked: object): Promise<Selection[]> => {
  const semesterId = await currentSemester(page)
  return (await dataOf(page, 'POST', `${SELECTION}/list`, { semesterId, pageSize: 500, ...asked })).list
}

/** To the list, with this selection alone. */
const find = async (
  page: Page,
  { studentId, openingId, name }: Pick<Selection, 'studentId' | 'openingId' | 'name'>,
) => {
  await openAt(page, `${paths.courseSelections.slice(1)}?studentId=${studentId}&openingId=${openingId}`)
  await expect(rowOf(page, name)).toHaveCount(1)
}

const pick = async (page: Page, label: string, typed: string, words: string | RegExp) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.keyboard.type(typed)
  await page.getByRole('option').filter({ hasText: words }).first().click()
  await page.keyboard.press('Escape')
}

/** A class for those who repeat a course, which takes students of every grade. */
const retakeClass = async (page: Page): Promise<Opening & { courseId: number }> => {
  const semesterId = await currentSemester(page)
  const asked = { semesterId, kind: 'retake', status: 'opened' }
  const { list } = await dataOf(page, 'POST', '/adult/pc/courseOpening/list', asked)
  for (const opening of list) {
    const { courseId } = opening
    // Of some courses everybody who failed is in the class already.
    const { totalCount } = await dataOf(page, 'POST', `${SELECTION}/list`, { courseId, failed: true })
    if (totalCount > 0) return opening
  }
  throw new Error('the school has no class that somebody may still repeat a course in')
}

test('who may not come in is shown before anything is written, and who came in leaves again', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const opening = await retakeClass(page)
  const { list: people } = await dataOf(page, 'POST', '/adult/pc/studentRoll/list', {
    scope: 'registered',
    pageSize: 200,
  })
  const wanted = {
    openingIds: [opening.id],
    studentIds: people.map(({ id }: { id: number }) => id),
    source: 'admin',
    dryRun: true,
  }
  const { refused } = await dataOf(page, 'POST', `${SELECTION}/save`, wanted)
  const isRefused = ({ id }: { id: number }) => refused.some(({ studentId }: { studentId: number }) => studentId === id)
  const stranger = people.find((each: { id: number; studentNo?: string }) => each.studentNo && !isRefused(each))
  // Somebody who is in it already.
  const [known] = await selections(page, { openingId: opening.id, status: 'selected' })
  if (!stranger || !known) throw new Error('nobody to try it with')

  await goTo(page, '学生选课')
  await expect(page.getByRole('columnheader', { name: '修读次数' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '补选', exact: true }).click()
  await pick(page, '开课', opening.courseName, new RegExp(`^${opening.courseName.replace(/[()]/g, '\\$&')}$`))
  await pick(page, '学生', known.studentNo, known.name)
  await pick(page, '学生', stranger.studentNo, stranger.name)
  await expectAccessible(page)
  await press(page, '预览')
  await expect(dialog(page).getByText('可以补选1条，1条不能选')).toBeVisible()
  await expect(dialog(page).getByRole('region', { name: '不能选' })).toContainText(known.name)
  await expectAccessible(page)
  await press(page, '确认补选1条')
  await expect(dialog(page).getByText('已补选1条')).toBeVisible()
  await press(page, '关闭')

  await find(page, { studentId: stranger.id, openingId: opening.id, name: stranger.name })
  await expect(rowOf(page, stranger.name)).toContainText('补选')
  await act(page, stranger.name, '退选')
  await expectAccessible(page)
  await press(page, '退选')
  await expect(dialog(page).getByText('请输入原因')).toBeVisible()
  await fill(page, { 原因: '本人申请' })
  await press(page, '退选')
  await told(page, '已退选')
  await expect(rowOf(page, stranger.name)).toContainText('已退选')
  await act(page, stranger.name, '查看')
  await expect(dialog(page)).toContainText('本人申请')
  await expect(dialog(page).getByRole('list', { name: '操作日志' })).toContainText('演示选课')
  await page.keyboard.press('Escape')
})

test('what students selected by themselves is let through or refused', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const [passes, stays] = await selections(page, { status: 'pending' })
  if (!passes || !stays) throw new Error('nothing waits for its audit')
  await find(page, passes)
  await act(page, passes.name, '审核通过')
  await told(page, `已通过${passes.name}《${passes.courseName}》`)
  await expect(rowOf(page, passes.name)).toContainText('已选')
  await find(page, stays)
  await act(page, stays.name, '驳回')
  await fill(page, { 原因: '与必修课时间冲突' })
  await expectAccessible(page)
  await press(page, '驳回')
  await told(page, '已驳回')
  await expect(rowOf(page, stays.name)).toContainText('已退选')

  // Several at once: what does not wait stays as it is and is told.
  const [waiting] = await selections(page, { status: 'pending' })
  const [selected] = await selections(page, { status: 'selected', studentId: waiting?.studentId })
  if (!waiting || !selected) throw new Error('the student has nothing else')
  await openAt(page, `${paths.courseSelections.slice(1)}?studentId=${waiting.studentId}`)
  for (const { courseName } of [waiting, selected]) {
    await rowOf(page, courseName).getByRole('checkbox').press('Space')
  }
  await page.getByRole('status').filter({ hasText: '已选 2 条' }).getByRole('button', { name: '批量审核' }).click()
  await press(page, '批量审核')
  await expect(dialog(page)).toContainText('批量审核：成功1条，失败1条')
  await expect(dialog(page)).toContainText('该选课为已选，只有待审核的可以审核')
  await press(page, '知道了')
})

test('who proves that they know a course need not take it', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const [one] = await selections(page, { status: 'selected', source: 'self' })
  if (!one) throw new Error('nobody selected anything by themselves')
  await find(page, one)
  await act(page, one.name, '免修')
  await expectAccessible(page)
  await press(page, '登记免修')
  await expect(dialog(page).getByText('请选择证明文件')).toBeVisible()
  await fill(page, { 原因: '自学考试已通过同名课程' })
  await dialog(page).locator('input[type=file]').setInputFiles(EVIDENCE)
  await expect(dialog(page).getByText(EVIDENCE.name)).toBeVisible()
  await press(page, '登记免修')
  await told(page, `已登记${one.name}《${one.courseName}》免修`)
  await expect(rowOf(page, one.name)).toContainText('免修')
  await act(page, one.name, '查看')
  await expect(dialog(page).getByRole('button', { name: EVIDENCE.name })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})

test('who did not pass a course is listed to take it again', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const opening = await retakeClass(page)
  await goTo(page, '学生选课')
  await page.getByRole('button', { name: '重修选课' }).click()
  await pick(page, '课程', opening.courseName, opening.courseName)
  await expect(dialog(page).getByRole('columnheader', { name: '总评' })).toBeVisible()
  await dialog(page).getByRole('combobox', { name: '开课', exact: true }).click()
  await page.getByRole('option').filter({ hasText: '重修班' }).first().click()
  await dialog(page).locator('tbody').getByRole('checkbox').first().press('Space')
  await expectAccessible(page)
  await press(page, '预览1名学生')
  await expect(dialog(page).getByText(/可以选\d+条，\d+条不能选/)).toBeVisible()
  await expectAccessible(page)
  await press(page, '取消')
})

test('courses by how full they are, students who selected too little, and rosters brought up to date', async ({
  page,
}) => {
  await helpTo(page, OPERATOR, SOUTH, '学生选课')
  await openTab(page, '按课程统计')
  await expect(page.getByRole('columnheader', { name: '已选/上限' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '查看名单' }).first().click()
  await expect(page).toHaveURL(/openingId=\d+/)
  await expect(page.getByRole('columnheader', { name: '来源' })).toBeVisible()

  await openTab(page, '未选满学分学生')
  await expect(page.getByRole('columnheader', { name: '要求学分' })).toBeVisible()
  await expectAccessible(page)

  // The list itself has its states for tabs.
  await page.getByRole('tab', { name: '选课名单' }).click()
  await expect(page.getByRole('tab', { name: /^全部/ })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: '更多' }).first().click()
  await page.getByRole('button', { name: '同步名单', exact: true }).click()
  await expectAccessible(page)
  const semesterId = await currentSemester(page)
  const { list } = await dataOf(page, 'POST', '/adult/pc/courseOpening/list', { semesterId, status: 'opened' })
  await choose(
    page,
    '开课',
    `${list[0].courseName}（${list[0].gradeName ?? ''}${list[0].majorName ?? ''}）`.replace('（）', ''),
  )
  await page.keyboard.press('Escape')
  await press(page, '同步名单')
  await told(page, /名单没有变动|名单已同步/)
})
