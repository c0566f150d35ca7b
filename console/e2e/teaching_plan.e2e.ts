import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
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
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Teaching plans of the second school, by operators who help there: one hands a plan in, another audits it (03 B1). */

const WRITES = operatorOf('teaching_plan', '演示教学计划')
const AUDITS = operatorOf('teaching_plan_audit', '演示计划审核')
const SOUTH = '南岭示范大学'

const PLAN = '/adult/pc/teachingPlan'
const COURSE = '/adult/pc/planCourse'

interface Plan {
  id: number
  name: string
  gradeId: number
  gradeName: string
  majorId: number
  majorName: string
}

const plans = async (page: Page, asked: object): Promise<Plan[]> =>
  (await dataOf(page, 'POST', `${PLAN}/list`, { latestOnly: true, pageSize: 200, ...asked })).list

/** To the list, with this plan alone. */
const find = async (page: Page, name: string) => {
  await goTo(page, '教学计划')
  await page.getByRole('textbox', { name: '名称或专业' }).fill(name)
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, name)).toHaveCount(1)
}

const check = (page: Page) => page.getByRole('region', { name: '校验', exact: true })
const errors = (page: Page) => check(page).getByRole('list', { name: '错误' })
/** A button of the page itself, not of a row. */
const tool = (page: Page, name: string) => page.locator('.toolbar-right').getByRole('button', { name, exact: true })

const ask = async (page: Page, button: string, question: RegExp) => {
  await tool(page, button).click()
  await expect(dialog(page).getByText(question)).toBeVisible()
  await press(page, button)
}

test('a plan is revised, its courses moved by key and by hand, handed in and audited by another', async ({
  page,
  elsewhere: auditor,
}) => {
  await helpAt(page, WRITES, SOUTH)
  // Majors of two forms of study have one name, and so have their plans.
  const found = await plans(page, { status: 'effective' })
  const plan = found.find(({ name }) => found.filter((other) => other.name === name).length === 1)
  if (!plan) throw new Error('the school has no plan in effect with a name of its own')
  await find(page, plan.name)
  await expectAccessible(page)
  await act(page, plan.name, '编辑课程')
  await expect(page.getByRole('heading', { level: 1, name: '按专业查看计划' })).toBeVisible()
  // What is in effect is read, and changed by a version of its own.
  await expect(page.getByRole('columnheader', { name: '第1学期' })).toBeVisible()
  await expect(page.getByRole('slider')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '添加课程' })).toHaveCount(0)
  await expectAccessible(page)
  await ask(page, '修订', /复制为下一版本的草稿/)
  await told(page, '已生成新版本的草稿')
  await expect(page.getByRole('slider').first()).toBeVisible()
  await expectAccessible(page)
  const planId = Number(new URL(page.url()).searchParams.get('planId'))
  expect(planId).not.toBe(plan.id)
  await openTab(page, '版本差异')
  // The copy differs by its name alone.
  await expect(page.getByRole('tabpanel', { name: '版本差异' }).getByRole('cell', { name: '修改' })).toHaveCount(1)
  await openTab(page, '课程表')

  // By the keyboard, which stays with the course.
  const row = page
    .getByRole('row')
    .filter({ has: page.locator('[aria-valuenow="1"]') })
    .filter({ hasText: '必修' })
    .first()
  const words = await row.getByRole('slider').getAttribute('aria-label')
  const course = words?.replace('的开课学期', '') ?? ''
  const term = page.getByRole('slider', { name: `${course}的开课学期`, exact: true })
  await term.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(term).toHaveAttribute('aria-valuenow', '1')
  await page.keyboard.press('ArrowRight')
  await expect(term).toHaveAttribute('aria-valuenow', '2')
  await expect(term).toBeFocused()
  await openTab(page, '版本差异')
  await expect(rowOf(page, course).filter({ hasText: '开课学期' })).toContainText('修改')
  await openTab(page, '课程表')
  // Back by hand.
  await drag(term, page.getByRole('columnheader', { name: '第1学期', exact: true }))
  await expect(term).toHaveAttribute('aria-valuenow', '1')

  // Somebody else moved a course meanwhile: the second is told, and sees what the first did.
  const content = await dataOf(page, 'GET', `${PLAN}/byMajor?planId=${planId}`)
  const other = content.courses.find(({ courseName }: { courseName: string }) => courseName !== course)
  const to = other.termNo === 2 ? 3 : 2
  await dataOf(page, 'PUT', `${COURSE}/move`, { id: other.id, version: content.plan.version, termNo: to })
  await term.focus()
  await page.keyboard.press('ArrowRight')
  await told(page, /数据已被.*修改，请刷新后重试/)
  const others = page.getByRole('slider', { name: `${other.courseName}的开课学期`, exact: true })
  await expect(others).toHaveAttribute('aria-valuenow', String(to))
  await expect(term).toHaveAttribute('aria-valuenow', '1')
  const { planVersion } = await dataOf(page, 'POST', `${COURSE}/list`, { planId })
  await dataOf(page, 'PUT', `${COURSE}/move`, { id: other.id, version: planVersion, termNo: other.termNo })

  // Credits in place; the check goes along, and a plan with an error is not handed in.
  await page.reload()
  const credits = page.getByRole('spinbutton', { name: `${course}学分`, exact: true })
  const before = await credits.inputValue()
  await credits.fill('0.5')
  await credits.press('Enter')
  await expect(errors(page)).toContainText('必修课程学分合计')
  await ask(page, '提交', /另一人审核/)
  await told(page, /必修课程学分合计[\d.]+，应为[\d.]+/)
  await credits.fill(before)
  await credits.press('Enter')
  await expect(errors(page)).toHaveCount(0)

  // A group comes and goes.
  await page.getByRole('button', { name: '新增选修组' }).click()
  await fill(page, { 选修组名称: '故事选修' })
  await dialog(page).getByRole('spinbutton', { name: '最低学分' }).fill('0')
  await press(page, '保存')
  await told(page, '已新增选修组')
  const groups = page.getByRole('region', { name: '选修组', exact: true })
  const group = groups.getByRole('listitem').filter({ hasText: '故事选修' })
  await expect(group).toContainText('可选0门')
  await group.getByRole('button', { name: '删除' }).click()
  await press(page, '删除')
  await told(page, '已删除“故事选修”')

  await page.getByRole('row').filter({ has: term }).getByRole('button', { name: '编辑' }).click()
  await expect(dialog(page, `编辑计划课程 ${course}`)).toBeVisible()
  await expectAccessible(page)
  await fill(page, { 备注: '故事备注' })
  await press(page, '保存')
  await told(page, `已保存“${course}”`)

  await ask(page, '提交', /另一人审核/)
  await told(page, /已提交“.*V\d+”/)
  await expect(page.getByRole('slider')).toHaveCount(0)
  const [submitted] = (await plans(page, { gradeId: plan.gradeId, majorId: plan.majorId })).filter(
    ({ id }) => id === planId,
  )
  if (!submitted) throw new Error('the new version is not the latest one')

  await helpAt(auditor, AUDITS, SOUTH)
  await find(auditor, submitted.name)
  await act(auditor, submitted.name, '审核')
  await expect(check(auditor)).toBeVisible()
  await expectAccessible(auditor)
  await fill(auditor, { 审核意见: '同意' })
  await press(auditor, '审核通过')
  await told(auditor, `“${submitted.name}”已生效`)
  // The version before it is no longer in effect.
  await auditor.getByRole('textbox', { name: '名称或专业' }).fill(plan.name)
  await auditor.getByRole('combobox', { name: '版本', exact: true }).click()
  await auditor.getByRole('option', { name: '全部版本', exact: true }).click()
  await expect(rowOf(auditor, plan.name)).toContainText('已被替代')
})

test('what is worked on already is not copied over, and the person is told why', async ({ page }) => {
  await helpAt(page, WRITES, SOUTH)
  const [draft] = await plans(page, { status: 'draft' })
  if (!draft) throw new Error('the school has no draft')
  await find(page, draft.name)
  await actInMore(page, draft.name, '复制到')
  await expectAccessible(page)
  const chosen = dialog(page).getByRole('combobox', { name: '专业' })
  await chosen.click()
  await page.keyboard.type(draft.majorName)
  await page.getByRole('option').filter({ hasText: draft.majorName }).first().click()
  await press(page, '复制')
  const results = dialog(page, '复制结果')
  await expect(results.getByRole('row').filter({ hasText: draft.majorName })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '缺计划检查' }).click()
  await expect(dialog(page, '缺计划检查').getByRole('columnheader', { name: '在籍人数' })).toBeVisible()
  await expectAccessible(page)
})

test('the courses of a semester by plan and by course, as a file too', async ({ page }) => {
  await helpTo(page, WRITES, SOUTH, '教学计划')
  await page.getByRole('button', { name: '按学期查看', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '按学期查看计划' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '课程代码' })).toBeVisible()
  await expect(page.getByText(/共\d[\d,]*门次/)).toBeVisible()
  await expectAccessible(page)
  await page.getByText('按课程汇总', { exact: true }).click()
  await expect(page).toHaveURL(/view=course/)
  await expect(page.getByRole('columnheader', { name: '计划数' })).toBeVisible()
  await expectAccessible(page)
  const file = await exported(page, exportButton(page))
  expect(file.suggestedFilename()).toMatch(/^学期教学计划.*\.xlsx$/)
  await openAt(page, paths.planOfMajor.slice(1))
  await expect(page.getByText('请选择年级和专业')).toBeVisible()
  await expectAccessible(page)
})

test('operators look at the plans of a school in a drawer, and print none of them', async ({ page }) => {
  await signIn(page, WRITES, platformPaths.teachingPlans.slice(1))
  await page.getByRole('combobox', { name: '院校', exact: true }).click()
  await page.getByRole('option', { name: `${SOUTH}（演示）`, exact: true }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
  await expect(page.getByRole('button', { name: '新增教学计划' })).toHaveCount(0)
  const first = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: '课程', exact: true }) })
    .first()
  await first.getByRole('button', { name: '课程', exact: true }).click()
  const file = dialog(page)
  await expect(file.getByRole('columnheader', { name: '第1学期' })).toBeVisible()
  await expectAccessible(page)
  await openTab(file, '校验')
  await expect(file.getByRole('region', { name: '校验', exact: true })).toContainText('线下比例')
  await openTab(file, '版本记录')
  await expect(file.getByRole('columnheader', { name: '审核意见' })).toBeVisible()
  await openTab(file, '差异')
  await expect(
    file.getByText('这个年级专业只有一个版本。').or(file.getByRole('combobox', { name: '对比版本' })),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})
