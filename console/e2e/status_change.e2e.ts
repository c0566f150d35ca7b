import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dataOf,
  dialog,
  exportButton,
  fill,
  helpAt,
  idCardOf,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/**
 * 学籍异动 of the second school, by an operator who helps there, over students and classes of the stories' own. One story goes
 * on from the other (02 §10).
 */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('status_change', '演示异动')
const SOUTH = '南岭示范大学'
const BATCH = '异动演练批次'
const DAY_MS = 24 * 3600 * 1000

/** A day of China, so many days from now. */
const day = (days: number) => new Date(Date.now() + 8 * 3600 * 1000 + days * DAY_MS).toISOString().slice(0, 10)

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

interface Option {
  code: number
  desc: string
}

interface Recruited {
  majorId: number
  levelId: number
  enabled: boolean
}

interface Person {
  name: string
  studentNo: string
}

interface Known {
  /** Another major of the students' grade and level. */
  otherMajor: Option
  sites: readonly [Option, Option]
  /** A class at each of the sites. */
  classes: readonly [string, string]
  moves: Person
  rests: Person
  goes: Person
  leaves: Person
}

let known: Known

const NOBODY: Person = { name: '', studentNo: '' }

/** Two majors of one level that a grade was recruited for. */
const pairOf = async (page: Page) => {
  for (const { id, gradeId } of (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list) {
    const { list } = await call(page, 'POST', 'enrollmentMajor/list', { batchId: id, pageSize: 200 })
    const majors: Recruited[] = list.filter(({ enabled }: Recruited) => enabled)
    for (const own of majors) {
      const other = majors.find(({ levelId, majorId }) => levelId === own.levelId && majorId !== own.majorId)
      if (other) return { gradeId, own, other }
    }
  }
  throw new Error('no grade is recruited for two majors of a level')
}

/** Students of the stories' own, and classes for them at two sites. */
const prepared = async (page: Page): Promise<Known> => {
  const { gradeId, own, other } = await pairOf(page)
  const { levelId, majorId } = own
  const [here, there]: Option[] = await call(page, 'GET', 'options/site?enabled=true')
  if (!here || !there) throw new Error('the school has two sites')
  const offered: Option[] = await call(page, 'GET', `options/major?enabled=true&parentId=${levelId}`)
  const called = (id: number) => {
    const found = offered.find(({ code }) => code === id)
    if (!found) throw new Error(`major ${id} is not offered`)
    return found
  }
  const classAt = async (site: Option, code: string) => {
    const place = { code, gradeId, levelId, majorId, siteId: site.code, capacity: 40 }
    const { id } = await call(page, 'POST', 'class/save', place)
    const { name } = await call(page, 'GET', `class/view?id=${id}`)
    return { id, name }
  }
  const [own1, other1] = [await classAt(here, 'YDA'), await classAt(there, 'YDB')]
  const { studyForm, schoolingYears } = await call(page, 'GET', `major/view?id=${majorId}`)
  const people: Person[] = []
  for (const [at, name] of ['万俟甲', '万俟乙', '万俟丙', '万俟丁'].entries()) {
    const studentNo = `2898000${at}`
    const { id } = await call(page, 'POST', 'studentRoll/save', {
      name,
      idCardNo: idCardOf(50 + at),
      phone: `1390139005${at}`,
      studentNo,
      gradeId,
      levelId,
      majorId,
      studyForm,
      schoolingYears,
      siteId: here.code,
      enrolledOn: day(-300),
      status: 'registered',
      source: 'legacy',
    })
    const { version } = await call(page, 'GET', `studentRoll/view?id=${id}`)
    const divided = { items: [{ id, version }], classId: own1.id }
    const answer = await callFromPage(page, 'PUT', '/user/pc/student/divide', divided)
    expect(answer, JSON.stringify(answer)).toMatchObject({ code: 200, data: { done: 1 } })
    people.push({ name, studentNo })
  }
  const [moves = NOBODY, rests = NOBODY, goes = NOBODY, leaves = NOBODY] = people
  return {
    otherMajor: called(other.majorId),
    sites: [here, there],
    classes: [own1.name, other1.name],
    moves,
    rests,
    goes,
    leaves,
  }
}

/** A page with the one person alone; `more` of its address. */
const openPage = async (page: Page, path: string, title: string, { studentNo }: Person, more = '') => {
  await openAt(page, `${path.slice(1)}?keyword=${studentNo}${more}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

const openStudent = (page: Page, person: Person) => openPage(page, paths.students, '在籍学生', person)
const openQueue = (page: Page, person: Person) => openPage(page, paths.changeApplications, '异动申请', person)

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0)

const saved = async (page: Page, words: string | RegExp, button = '保存') => {
  await press(page, button)
  await told(page, words)
  await closed(page)
}

/** The form of a student, with its type chosen; how they stand is there. */
const ask = async (page: Page, person: Person, type: string) => {
  await openStudent(page, person)
  await actInMore(page, person.name, '申请异动')
  const form = dialog(page, `申请学籍异动 ${person.name}`)
  await expect(form.getByText('入学日期')).toBeVisible()
  await choose(page, '类型', type)
  return form
}

const check = (page: Page) => dialog(page).getByRole('region', { name: '检查结果' })

const chooseClass = async (page: Page, label: string, name: string) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name }).first().click()
}

/** The site of the student agrees; then it is the school's, or the other site's. */
const agree = async (page: Page, { name }: Person, step: '站点审核' | '接收审核', next: string) => {
  await act(page, name, step)
  await expect(dialog(page, `${step} ${name}`).getByRole('table', { name: '异动内容' })).toBeVisible()
  await saved(page, /^已审核/)
  await expect(rowOf(page, name).filter({ hasText: next })).toHaveCount(1)
}

const approve = async (page: Page, { name }: Person, words: string) => {
  await act(page, name, '审批')
  await expect(dialog(page, `审批学籍异动 ${name}`).getByRole('table', { name: '异动内容' })).toBeVisible()
  await saved(page, `已批准“${name}”的${words}`, '批准')
  await expect(rowOf(page, name).filter({ hasText: '已生效' })).toHaveCount(1)
}

const time = async (page: Page, label: string, value: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(value)
  await box.press('Enter')
  await expect(box).toHaveValue(value)
}

test('a window is opened, closed and deleted', async ({ page }) => {
  await enter(page)
  known = await prepared(page)
  await openAt(page, paths.changeBatches.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '异动批次' })).toBeVisible()
  await expect(rowOf(page, '本期学籍异动')).toContainText('进行中')
  await page.getByRole('button', { name: '新增批次' }).click()
  await fill(page, { 编码: 'YD-E2E', 名称: BATCH })
  await choose(page, '类型', '转学(转出)')
  await page.keyboard.press('Tab')
  await time(page, '开始时间', '2025-09-01 00:00:00')
  await time(page, '结束时间', '2025-08-01 00:00:00')
  await press(page, '保存')
  await expect(dialog(page).getByText('结束时间须晚于开始时间')).toBeVisible()
  await time(page, '结束时间', '2099-09-11 00:00:00')
  await saved(page, '已新增异动批次')
  const row = rowOf(page, BATCH)
  await expect(row).toContainText('2025-09-01 00:00 至 2099-09-11 00:00')
  await expect(row).toContainText('转学(转出)')
  await expect(row).toContainText('不限')
  await expect(row).toContainText('进行中')
  await expectAccessible(page)
  await act(page, BATCH, '停用', `停用“${BATCH}”？`)
  await told(page, `已停用“${BATCH}”`)
  await expect(row).toContainText('已停用')
  await actInMore(page, BATCH, '删除')
  await expect(dialog(page).getByText(`确定删除“${BATCH}”吗？`)).toBeVisible()
  await press(page, '删除')
  await told(page, `已删除“${BATCH}”`)
  await expect(row).toHaveCount(0)
})

test('a major is changed: asked for, agreed to, approved, seen everywhere and printed', async ({ page }) => {
  await enter(page)
  const { moves, otherMajor } = known
  await ask(page, moves, '转专业')
  await expect(check(page)).toContainText('请选择目标专业')
  await choose(page, '目标专业', otherMajor.desc)
  await expect(check(page)).toContainText('符合办理条件')
  const line = check(page).getByRole('row').filter({ hasText: '专业' }).first()
  await expect(line).toContainText('变更')
  await expectAccessible(page)
  await fill(page, { 说明: '岗位调整，需要学习新的专业' })
  await saved(page, '已提交学籍异动')

  await openQueue(page, moves)
  await expect(rowOf(page, moves.name)).toContainText('待站点审核')
  await expectAccessible(page)
  await agree(page, moves, '站点审核', '待学校审批')
  await act(page, moves.name, '审批')
  const form = dialog(page, `审批学籍异动 ${moves.name}`)
  await expect(form.getByRole('list', { name: '办理过程' })).toContainText('站点审核')
  await expectAccessible(page)
  await press(page, '取消')
  await closed(page)
  await approve(page, moves, '转专业')

  await openPage(page, paths.professionalChanges, '转专业', moves)
  const row = rowOf(page, moves.name)
  await expect(row).toContainText('已生效')
  await page.getByRole('button', { name: '统计', exact: true }).click()
  const figures = page.getByRole('complementary', { name: '异动统计' })
  await figures.getByRole('button', { name: '查看数据' }).click()
  await expectAccessible(page)
  await figures.getByRole('link', { name: day(0).slice(0, 7) }).click()
  await expect(page).toHaveURL(new RegExp(`effectiveFrom=${day(0).slice(0, 7)}-01`))
  await expect(row).toBeVisible()

  await act(page, moves.name, '打印')
  const paper = dialog(page, `打印审批表 ${moves.name}`)
  await expect(paper.getByRole('heading', { name: '成人高等学历继续教育学籍异动审批表' })).toBeVisible()
  await expect(paper.getByRole('table')).toContainText('同意。')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await closed(page)

  await openStudent(page, moves)
  await rowOf(page, moves.name).getByRole('button', { name: moves.name, exact: true }).click()
  const file = dialog(page, moves.name)
  await file.getByRole('navigation', { name: '学籍详情' }).getByRole('button', { name: '异动记录' }).click()
  const records = file.getByRole('region', { name: '异动记录' })
  await expect(records.getByRole('row').filter({ hasText: '转专业' })).toContainText('已生效')
  await records.getByRole('link', { name: /^YD\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: '转专业' })).toBeVisible()
  await expect(dialog(page, moves.name).getByRole('list', { name: '办理过程' })).toContainText('生效')
})

test('a student rests for half a year and comes back', async ({ page }) => {
  await enter(page)
  const { rests, classes } = known
  const form = await ask(page, rests, '休学')
  await choose(page, '原因', '因病')
  // So long ago that it is nearly over.
  await fill(page, { 休学开始: day(-175), 说明: '因病需要治疗，附医院证明' })
  await form.getByText('6个月', { exact: true }).click()
  await expect(check(page)).toContainText('符合办理条件')
  await expect(check(page)).toContainText('休学至')
  await form.locator('input[type=file]').setInputFiles({
    name: '医院证明.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4'),
  })
  await expect(form.getByText('已上传')).toBeVisible()
  await saved(page, '已提交学籍异动')
  await openQueue(page, rests)
  await agree(page, rests, '站点审核', '待学校审批')
  await approve(page, rests, '休学')
  await openPage(page, paths.leavings, '退学休学复学', rests, '&tab=suspension')
  await expect(page.getByRole('tab', { name: '休学' })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, rests.name)).toContainText(day(-175))
  await rowOf(page, rests.name).getByRole('button', { name: rests.name, exact: true }).click()
  await expect(dialog(page, rests.name).getByRole('list', { name: '附件' })).toContainText('医院证明.pdf')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await openPage(page, paths.students, '在籍学生', rests, '&scope=suspended')
  await expect(rowOf(page, rests.name)).toContainText('休学')

  await ask(page, rests, '复学')
  await expect(check(page)).toContainText('请选择复学后的班级')
  await chooseClass(page, '复学班级', classes[0])
  await expect(check(page)).toContainText('符合办理条件')
  await fill(page, { 说明: '身体恢复，申请复学' })
  await saved(page, '已提交学籍异动')
  await openQueue(page, rests)
  await agree(page, rests, '站点审核', '待学校审批')
  await act(page, rests.name, '审批')
  await saved(page, `已批准“${rests.name}”的复学`, '批准')
  await openPage(page, paths.students, '在籍学生', rests, '&scope=registered')
  await expect(rowOf(page, rests.name)).toContainText(classes[0])
})

test('to another site, when it agrees', async ({ page }) => {
  await enter(page)
  const { goes, sites, classes } = known
  await ask(page, goes, '转班/转站点')
  await choose(page, '目标站点', sites[1].desc)
  await chooseClass(page, '目标班级', classes[1])
  await expect(check(page)).toContainText('符合办理条件')
  await fill(page, { 说明: '工作地点变动，申请就近学习' })
  await saved(page, '已提交学籍异动')
  await openQueue(page, goes)
  await agree(page, goes, '站点审核', '待接收站点')
  await openTab(page, /^待接收站点/)
  await expect(page).toHaveURL(/scope=pending_target_site/)
  await expect(rowOf(page, goes.name)).toContainText(classes[1])
  await openTab(page, /^全部/)
  await agree(page, goes, '接收审核', '待学校审批')
  await approve(page, goes, '转班/转站点')
  await openPage(page, paths.classChanges, '转班转站点', goes)
  await expect(rowOf(page, goes.name)).toContainText(sites[1].desc)
  await openStudent(page, goes)
  await expect(rowOf(page, goes.name)).toContainText(classes[1])
})

test('what was refused has its reason; what took effect is filed, and taken back', async ({ page }) => {
  await enter(page)
  const { leaves } = known
  const leave = async () => {
    await ask(page, leaves, '退学')
    await choose(page, '原因', '本人申请')
    await fill(page, { 说明: '因工作调动无法继续学习' })
    await expect(check(page)).toContainText('符合办理条件')
    await saved(page, '已提交学籍异动')
    await openQueue(page, leaves)
  }
  await leave()
  await actInMore(page, leaves.name, '驳回')
  await press(page, '驳回')
  await expect(dialog(page).getByText('请输入原因')).toBeVisible()
  await fill(page, { 原因: '缺少本人签字的申请书' })
  await saved(page, `已驳回“${leaves.name}”的退学`, '驳回')
  const refused = rowOf(page, leaves.name)
  await expect(refused).toContainText('不批准')
  await refused.getByRole('button', { name: leaves.name, exact: true }).click()
  const way = dialog(page, leaves.name).getByRole('list', { name: '办理过程' })
  await expect(way).toContainText('缺少本人签字的申请书')
  await page.keyboard.press('Escape')

  await leave()
  await agree(page, leaves, '站点审核', '待学校审批')
  await rowOf(page, leaves.name).filter({ hasText: '待学校审批' }).getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '批量审批' }).click()
  await expect(dialog(page, '批量审批1条学籍异动')).toBeVisible()
  await expect(dialog(page).getByText('待学校审批的1条：退学1人。批准后立即生效。1人离校')).toBeVisible()
  await saved(page, '批量审批已完成，批准1条', '批准')
  const executed = rowOf(page, leaves.name).filter({ hasText: '已生效' })
  await expect(executed).toHaveCount(1)
  await executed.getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '登记备案文号' }).click()
  await fill(page, { 备案文号: '省教学籍〔2026〕12号', 备案日期: day(0) })
  await saved(page, '已登记备案文号')
  await openPage(page, paths.leftStudents, '退学与转出', leaves)
  await expect(rowOf(page, leaves.name)).toContainText('退学')

  await openPage(page, paths.leavings, '退学休学复学', leaves)
  await expect(rowOf(page, leaves.name)).toContainText('省教学籍〔2026〕12号')
  await act(page, leaves.name, '撤销')
  await expect(dialog(page).getByText(/学生恢复为异动前/)).toBeVisible()
  await fill(page, { 原因: '学生要求继续学习' })
  await saved(page, `已撤销“${leaves.name}”的退学`, '撤销')
  await expect(rowOf(page, leaves.name)).toContainText('已撤销')
  await expect(rowOf(page, leaves.name).getByRole('button', { name: '撤销' })).toBeDisabled()
  await openStudent(page, leaves)
  await expect(rowOf(page, leaves.name)).toContainText('在籍')
})

test('home leads to what waits, and the results are known under their other path', async ({ page }) => {
  await enter(page)
  const waiting = page.getByRole('region', { name: '待办' }).getByRole('link', { name: /待学校审批的学籍异动/ })
  const count = await waiting.locator('strong').innerText()
  await waiting.click()
  await expect(page).toHaveURL(/scope=pending_school/)
  await expect(page.getByText(`共 ${count} 条`)).toBeVisible()
  await page.goto(paths.classChanges.slice(1).replace('studentStatus/', 'studentStatus/transaction/'))
  await expect(page.getByRole('heading', { level: 1, name: '转班转站点' })).toBeVisible()
})

test('an operator sees the changes of the schools, and asks for none', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.leavings.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '退学休学复学' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  await expect(page.getByRole('button', { name: '新增退学' })).toHaveCount(0)
  await expect(exportButton(page)).toBeVisible()
  await expectAccessible(page)
})
