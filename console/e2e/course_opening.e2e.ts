import { readFile } from 'node:fs/promises'
import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  choose,
  dataOf,
  dialog,
  fill,
  helpAt,
  helpTo,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Openings of the second school: generated, opened, settled and called off; their credits, rules and teachers (03 B2, B3). */

const OPERATOR = operatorOf('course_opening', '演示开课')
const SOUTH = '南岭示范大学'
const OPENING = '/adult/pc/courseOpening'

interface Opening {
  id: number
  kind: string
  nature: string
  courseId: number
  courseName: string
  gradeId?: number
  majorId?: number
  classCount: number
}

const currentSemester = async (page: Page): Promise<{ id: number; name: string }> => {
  const { list } = await dataOf(page, 'POST', '/adult/pc/semester/list', { current: true })
  return list[0]
}

const openings = async (page: Page, asked: object): Promise<Opening[]> =>
  (await dataOf(page, 'POST', `${OPENING}/list`, { pageSize: 500, ...asked })).list

/** To the list of openings, narrowed to one. */
const find = async (page: Page, { courseId, gradeId, majorId, kind }: Opening, courseName: string) => {
  const asked = Object.entries({ courseId, gradeId, majorId, kind }).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))
  await openAt(page, `${paths.courseOpenings.slice(1)}?${search}`)
  await expect(rowOf(page, courseName)).toHaveCount(1)
}

const time = async (page: Page, label: string, value: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(value)
  await box.press('Enter')
  await expect(box).toHaveValue(value)
}

const chooseFirst = async (page: Page, label: string, typed = '') => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  if (typed) await page.keyboard.type(typed)
  const option = page.getByRole('option').first()
  const words = (await option.textContent()) ?? ''
  await option.click()
  return words
}

const tick = (page: Page, row: string) => rowOf(page, row).getByRole('checkbox').press('Space')
const bar = (page: Page) => page.getByRole('status').filter({ hasText: '已选' })

test('openings are generated from the plans of a semester, after a look at what would come of it', async ({ page }) => {
  await helpTo(page, OPERATOR, SOUTH, '开课管理')
  await expect(page.getByRole('columnheader', { name: '选课人数/上限' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '按计划生成' }).click()
  const wizard = dialog(page, '按计划生成开课')
  const { name } = await currentSemester(page)
  await expect(wizard.getByRole('combobox', { name: '学期' })).toContainText(name)
  await press(page, '下一步')
  await expectAccessible(page)
  await press(page, '预览')
  await expect(wizard.getByText(/新增\d+个，已有\d+个，未生成\d+个/)).toBeVisible()
  await expect(wizard.getByRole('columnheader', { name: '在籍人数' })).toBeVisible()
  await expectAccessible(page)
  await press(page, '上一步')
  await press(page, '预览')
  await wizard.getByRole('button', { name: /^(确认生成[\d,]+个开课|更新待开课的课程)$/ }).click()
  await expect(wizard.getByText(/新增\d+个，已有\d+个，未生成\d+个/)).toBeVisible()
  await press(page, '查看待开课')
  await expect(page).toHaveURL(/status=draft/)
  // A second time nothing is made twice.
  const again = await dataOf(page, 'POST', `${OPENING}/generate`, {
    semesterId: (await currentSemester(page)).id,
    dryRun: true,
  })
  expect(again.created).toBe(0)
  expect(again.existing).toBeGreaterThan(0)
})

test('the plans of a semester lead to its generation', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { id, name } = await currentSemester(page)
  await openAt(page, `${paths.courseOpenings.slice(1)}?generate=${id}`)
  const wizard = dialog(page, '按计划生成开课')
  await expect(wizard.getByText(`${name}：不选时为全部启用的年级和全部专业。`)).toBeVisible()
  await press(page, '取消')
  await expect(page).not.toHaveURL(/generate=/)
})

test('a draft is opened with its students, settled, taught, synchronised and called off', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  const { id: semesterId } = await currentSemester(page)
  const drafts = await openings(page, { semesterId, status: 'draft', kind: 'plan', nature: 'compulsory' })
  // What was called off is generated once more beside itself.
  const cancelled = await openings(page, { semesterId, status: 'cancelled' })
  const isAgain = ({ courseId, gradeId, majorId }: Opening) =>
    cancelled.some((each) => each.courseId === courseId && each.gradeId === gradeId && each.majorId === majorId)
  const draft = drafts.find((each) => each.classCount > 0 && !isAgain(each))
  if (!draft) throw new Error('the school has no draft with a class')
  const { courseName } = draft
  await find(page, draft, courseName)
  await act(page, courseName, '开课', /在籍学生同时进入名单/)
  await told(page, /^已开课“/)
  await expect(rowOf(page, courseName)).toContainText('已开课')
  const [opened] = await openings(page, {
    semesterId,
    courseId: draft.courseId,
    gradeId: draft.gradeId,
    majorId: draft.majorId,
  })
  expect(opened).toMatchObject({ id: draft.id, status: 'opened' })

  await act(page, courseName, '设置')
  await expectAccessible(page)
  await dialog(page).getByRole('spinbutton', { name: '人数上限' }).fill('9000')
  await press(page, '保存')
  await told(page, '已保存设置')
  await expect(rowOf(page, courseName)).toContainText('/ 9000')

  await actInMore(page, courseName, '同步名单')
  await expect(dialog(page).getByText(/转出、休学和退学的退选/)).toBeVisible()
  await press(page, '同步名单')
  await told(page, /名单没有变动|名单已同步/)

  // Who is on it and who teaches it stand in its file.
  await actInMore(page, courseName, '查看')
  const file = dialog(page)
  await expect(file.getByRole('columnheader', { name: '学号' })).toBeVisible()
  await expectAccessible(page)
  await openTab(file, '作业')
  await expect(file.getByRole('columnheader', { name: '已交/应交' })).toBeVisible()
  await openTab(file, '任课')
  await file.getByRole('button', { name: '新增任课安排' }).click()
  await chooseFirst(page, '教师')
  await dialog(page).getByRole('spinbutton', { name: '学时' }).fill('36')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已安排任课')
  const lecturer = page.getByRole('row').filter({ hasText: '全部班级' }).filter({ hasText: '主讲' })
  await expect(lecturer).toContainText('36')
  // A second lecturer of the same class is refused at the teacher.
  await file.getByRole('button', { name: '新增任课安排' }).click()
  await chooseFirst(page, '教师')
  await press(page, '保存')
  await expect(dialog(page).getByText(/已有主讲教师“/)).toBeVisible()
  await press(page, '取消')
  await press(page, '关闭')
  await openTab(page.getByRole('dialog').last(), '资料')
  await expect(page.getByRole('list', { name: '操作日志' })).toContainText('演示开课')
  await page.keyboard.press('Escape')

  await actInMore(page, courseName, '取消开课')
  await expectAccessible(page)
  await fill(page, { 原因: '教师调整' })
  await press(page, '取消开课')
  await told(page, '已取消开课')
  await expect(rowOf(page, courseName)).toContainText('已取消')
})

test('a course outside the plans is made by hand, and several are opened and closed at once', async ({ page }) => {
  await helpTo(page, OPERATOR, SOUTH, '开课管理')
  await page.getByRole('button', { name: '计划外开课' }).click()
  await expectAccessible(page)
  await choose(page, '开课类别', '计划外')
  const courseName = await chooseFirst(page, '课程')
  await dialog(page).getByRole('spinbutton', { name: '人数上限' }).fill('40')
  await press(page, '保存')
  await told(page, '已新增开课，状态为待开课')
  // The same again is refused at its field.
  await page.getByRole('button', { name: '计划外开课' }).click()
  await chooseFirst(page, '课程')
  await press(page, '保存')
  await expect(dialog(page).getByText(/在本学期已有相同的开课/)).toBeVisible()
  await press(page, '取消')
  await press(page, '关闭')

  await openAt(page, `${paths.courseOpenings.slice(1)}?kind=extra&status=draft`)
  await tick(page, courseName)
  await bar(page).getByRole('button', { name: '设置教学方式/上限' }).click()
  await expectAccessible(page)
  await dialog(page).getByText('指定人数', { exact: true }).click()
  await dialog(page).getByRole('spinbutton', { name: '指定人数' }).fill('60')
  await press(page, '保存')
  await told(page, '已设置1个开课')
  await expect(rowOf(page, courseName)).toContainText('/ 60')
  await tick(page, courseName)
  await bar(page).getByRole('button', { name: '批量开课' }).click()
  await press(page, '批量开课')
  await told(page, '批量开课：已完成1条')
  await openAt(page, `${paths.courseOpenings.slice(1)}?kind=extra&status=opened`)
  await tick(page, courseName)
  await bar(page).getByRole('button', { name: '批量结课' }).click()
  await expect(dialog(page).getByText(/不能恢复/)).toBeVisible()
  await press(page, '批量结课')
  await told(page, '批量结课：已完成1条')
})

test('credits of a draft are typed in the list and saved together; rules of selection are kept', async ({ page }) => {
  await helpTo(page, OPERATOR, SOUTH, '课程学分')
  await expect(page.getByRole('columnheader', { name: '必修合计/要求' })).toBeVisible()
  await expectAccessible(page)
  const drafts = await dataOf(page, 'POST', '/adult/pc/teachingPlan/list', { status: 'draft' })
  if (!drafts.list[0]) throw new Error('the school has no draft of a plan')
  const credits = async (asked: object) =>
    (await dataOf(page, 'POST', '/adult/pc/courseCredit/list', { pageSize: 500, ...asked })).list
  const free = (await credits({ planId: drafts.list[0].id })).find(({ opened }: { opened: boolean }) => !opened)
  if (!free) throw new Error('all courses of the draft are opened')
  await openAt(page, `${paths.courseCredits.slice(1)}?planId=${free.planId}`)
  const hours = page.getByRole('spinbutton', { name: `${free.courseName} ${free.planName}的自学学时`, exact: true })
  await hours.fill(String(free.selfStudyHours + 1))
  await page.getByRole('button', { name: '放弃修改' }).click()
  await expect(hours).toHaveValue(String(free.selfStudyHours))
  await hours.fill(String(free.selfStudyHours + 1))
  await page.getByRole('button', { name: '保存1门课程的修改' }).click()
  await expect(dialog(page).getByText('保存1门课程的修改？')).toBeVisible()
  await press(page, '保存')
  await told(page, /已修改1门课程/)
  await expect(hours).toHaveValue(String(free.selfStudyHours + 1))
  await expect(page.getByRole('button', { name: '放弃修改' })).toHaveCount(0)
  // What is opened keeps its credits.
  const opened = (await credits({})).find(({ opened }: { opened: boolean }) => opened)
  if (opened) {
    await openAt(page, `${paths.courseCredits.slice(1)}?planId=${opened.planId}`)
    await expect(rowOf(page, opened.courseName).first()).toBeVisible()
    const name = `${opened.courseName} ${opened.planName}的学分`
    await expect(page.getByRole('spinbutton', { name, exact: true })).toHaveCount(0)
  }

  await openAt(page, paths.courseCredits.slice(1))
  await openTab(page, '选课规则')
  await page.getByRole('button', { name: '新增选课规则' }).click()
  await dialog(page).getByRole('spinbutton', { name: '学期序' }).fill('12')
  await dialog(page).getByRole('spinbutton', { name: '学分下限' }).fill('21')
  await dialog(page).getByRole('spinbutton', { name: '学分上限' }).fill('20')
  await time(page, '选课开始时间', '2026-03-01 08:00:00')
  await time(page, '选课结束时间', '2026-03-15 18:00:00')
  await time(page, '退选截止时间', '2026-03-22 18:00:00')
  await expectAccessible(page)
  await press(page, '保存')
  await expect(dialog(page).getByText('学分上限不能低于学分下限')).toBeVisible()
  await dialog(page).getByRole('spinbutton', { name: '学分下限' }).fill('10')
  await press(page, '保存')
  await told(page, '已新增选课规则')
  const rule = page.getByRole('row').filter({ hasText: '2026-03-15 18:00:00' })
  await expect(rule).toContainText('20.0')
  await rule.getByRole('button', { name: '删除', exact: true }).click()
  await press(page, '删除')
  await told(page, /^已删除“/)
  await expect(rule).toHaveCount(0)

  await openTab(page, '学生学分')
  await expect(page.getByRole('columnheader', { name: '已获学分' })).toBeVisible()
  await expectAccessible(page)
})

test('teachers are chosen in the grid, by the keyboard too, and told by a printed notice', async ({ page }) => {
  await helpTo(page, OPERATOR, SOUTH, '任课安排')
  await expect(page.getByRole('columnheader', { name: '批阅' })).toBeVisible()
  await expectAccessible(page)
  const cell = page.getByRole('button', { name: /的辅导：未安排$/ }).first()
  const label = ((await cell.getAttribute('aria-label')) ?? '').replace('：未安排', '')
  await cell.focus()
  await page.keyboard.press('Enter')
  // Esc leaves it as it was.
  await expect(page.getByRole('button', { name: `取消修改${label}` })).toBeVisible()
  await page.getByRole('button', { name: `取消修改${label}` }).focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `取消修改${label}` })).toHaveCount(0)
  await page.getByRole('button', { name: `${label}：未安排`, exact: true }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: `保存${label}` }).click()
  await told(page, /^已安排/)
  await expect(page.getByRole('button', { name: `${label}：未安排`, exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: '沿用上学期' }).click()
  const { id } = await currentSemester(page)
  const semesters: { code: number; desc: string }[] = await dataOf(
    page,
    'GET',
    '/adult/pc/options/semester?enabled=false',
  )
  const former = semesters[semesters.findIndex(({ code }) => code === id) + 1]
  if (!former) throw new Error('the school has no semester before')
  await choose(page, '从学期', former.desc)
  await press(page, '预览')
  await expect(dialog(page).getByText(/将沿用[\d,]+条任课安排，[\d,]+条不沿用/)).toBeVisible()
  await expectAccessible(page)
  await press(page, '取消')

  await openTab(page, '按教师')
  await expect(page.getByRole('columnheader', { name: '学生数' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '转交', exact: true }).first().click()
  await expect(dialog(page, '转交任课').getByRole('columnheader', { name: '班级和角色' })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: /^转交\d+个开课$/ })).toBeDisabled()
  await expectAccessible(page)
  await press(page, '取消')

  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: '任课通知书', exact: true }).first().click()
  const notice = await coming
  expect(notice.suggestedFilename()).toMatch(/^任课通知书_.+\.pdf$/)
  const pdf = await readFile(await notice.path())
  expect(pdf.subarray(0, 4).toString('latin1')).toBe('%PDF')
})

test('operators look over the openings of all schools and into one; figures by teacher ask for the school', async ({
  page,
}) => {
  await signIn(page, OPERATOR, platformPaths.courseAllocations.slice(1))
  await expect(page.getByRole('columnheader', { name: '院校', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^选定.+/ }).first()).toBeVisible()
  // What is one school's is asked for by words.
  await page.getByRole('textbox', { name: '课程', exact: true }).fill('没有这门课程')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(page.getByRole('button', { name: /^选定.+/ })).toHaveCount(0)
  await openAt(page, `${platformPaths.courseAllocations.slice(1)}?tab=teacher`)
  await expect(page.getByText('请选择院校')).toBeVisible()
  await openAt(page, platformPaths.courseSelections.slice(1))
  await expect(page.getByRole('textbox', { name: '学期', exact: true })).toBeVisible()
  // Too little is measured by the semester of one school.
  await openAt(page, `${platformPaths.courseSelections.slice(1)}?tab=below`)
  await expect(page.getByRole('region', { name: '学生选课' }).getByText('请选择院校')).toBeVisible()
  await openAt(page, `${platformPaths.courseCredits.slice(1)}?tab=students`)
  await expect(page.getByRole('columnheader', { name: '要求学分' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: '姓名或号码' })).toBeVisible()
  await expect(page.getByText('未选满学分的学期')).toHaveCount(0)
  await openAt(page, platformPaths.courseOpenings.slice(1))
  await expect(page.getByRole('button', { name: '选定院校' }).first()).toBeVisible()
  await page.getByRole('combobox', { name: '院校', exact: true }).click()
  await page.getByRole('option', { name: `${SOUTH}（演示）`, exact: true }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
  await expect(page.getByRole('button', { name: '按计划生成' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: '学期', exact: true })).toBeVisible()
  await expectAccessible(page)
})
