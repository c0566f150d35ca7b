import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, actInMore, callFromPage, dataOf, dialog, fill, helpAt, openAt, press, rowOf, signIn, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/**
 * 信息核对与审查 of the second school, by an operator who helps there: when students fill in, what staff hand in for one of
 * them, the review, and the figures of the classes. One story goes on from the other (02 §11).
 */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('information', '演示信息')
const SOUTH = '南岭示范大学'

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, method: 'GET' | 'POST', path: string, body?: unknown) =>
  dataOf(page, method, `/user/pc/${path}`, body)

interface Person {
  id: number
  name: string
  studentNo: string | null
  examineeNo: string
}

let person: Person

const keywordOf = ({ studentNo, examineeNo }: Person) => studentNo ?? examineeNo

/** A list with the one student alone. */
const openStudent = async (page: Page, path: string, title: string, who: Person) => {
  await openAt(page, `${path.slice(1)}?keyword=${encodeURIComponent(keywordOf(who))}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(rowOf(page, who.name)).toBeVisible()
}

const openInformation = (page: Page) => openStudent(page, paths.informationStudents, '学籍注册信息-学生统计', person)

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0)

const scan = { name: '签字扫描件.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }

test('a window says when students fill in, and what they sign', async ({ page }) => {
  await enter(page)
  await openAt(page, paths.qualificationClasses.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '入学资格审查-班级统计' })).toBeVisible()
  await expect(page).toHaveURL(/gradeId=\d+/)
  await page.getByRole('button', { name: '采集设置' }).click()
  const drawer = dialog(page, '入学资格审查采集设置')
  await expect(drawer.getByRole('table')).toContainText('第')
  await expectAccessible(page)

  await drawer.getByRole('button', { name: '新增采集设置' }).click()
  const form = dialog(page, '新增采集设置')
  await form.getByRole('combobox', { name: '年级', exact: true }).click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Escape')
  // Switched off, it stands beside the one that is in use.
  await form.getByRole('switch', { name: '启用' }).click()
  await fill(page, { 承诺书: '本人{name}自愿报读{school}{level}{major}，{姓名}承诺材料真实。' })
  const preview = form.getByRole('region', { name: '承诺书预览' })
  await expect(preview).toContainText('本人李明自愿报读')
  await expect(preview).toContainText('{姓名}不是可用的占位符')
  await expectAccessible(page)
  await press(page, '保存')
  await expect(form.getByText(/^请选择.+/).first()).toBeVisible()
})

test('staff hand in what a student signed on paper', async ({ page }) => {
  await enter(page)
  const { list } = await call(page, 'POST', 'admissionInformation/list', { status: 'not_submitted', counted: true })
  expect(list.length, 'somebody has not handed in').toBeGreaterThan(0)
  person = list[0]
  const { name } = person
  await openInformation(page)
  await expect(rowOf(page, name)).toContainText('未提交')
  await act(page, name, '打印')
  const paper = dialog(page, `打印学籍注册信息核对表 ${name}`)
  await expect(paper.getByRole('table')).toContainText('本人承诺')
  await expect(paper.getByRole('button', { name: '打印', exact: true })).toBeEnabled()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await closed(page)

  await act(page, name, '代填')
  const form = dialog(page, `代填学籍注册信息核对 ${name}`)
  await press(page, '保存')
  await expect(form.getByText(/^请核对：/)).toBeVisible()
  await expect(form.getByText('请上传本人签字的学籍注册信息核对表扫描件')).toBeVisible()
  await form.getByRole('button', { name: /^其余\d+项无误$/ }).click()
  await fill(page, { 手机: '13900002026' })
  await form.getByRole('button', { name: '简历：添加一行' }).click()
  await fill(page, { 第1行起始年月: '2019-09', 第1行学校或单位: '南岭第一中学' })
  await form.locator('input[type=file][aria-label="签字的纸质表"]').setInputFiles(scan)
  await expect(form.getByText('已上传').first()).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已代填并提交学籍注册信息核对')
  await closed(page)
  await expect(rowOf(page, name)).toContainText('待审核')
})

test('a form is returned with its reason, handed in once more and approved', async ({ page }) => {
  await enter(page)
  const { name } = person
  await openInformation(page)
  await act(page, name, '审核')
  const review = dialog(page, `审核学籍注册信息核对 ${name}`)
  await expect(review.getByRole('table', { name: '核对项' })).toContainText('无误')
  await expect(review.getByRole('list', { name: '材料' })).toContainText('签字的纸质表')
  await expectAccessible(page)
  await press(page, '退回')
  await expect(review.getByText('请填写原因，至少2个字')).toBeVisible()
  await fill(page, { 审核意见: '简历不完整' })
  await press(page, '退回')
  await told(page, `已退回“${name}”`)
  await closed(page)
  await expect(rowOf(page, name)).toContainText('已退回')

  await act(page, name, '代填')
  const form = dialog(page, `代填学籍注册信息核对 ${name}`)
  await form.getByRole('button', { name: '简历：添加一行' }).click()
  await fill(page, { 第2行起始年月: '2022-07', 第2行学校或单位: '南岭机械厂' })
  await press(page, '保存')
  await told(page, '已代填并提交学籍注册信息核对')
  await closed(page)
  await act(page, name, '审核')
  await expect(dialog(page).getByRole('table', { name: '简历' })).toContainText('南岭机械厂')
  await press(page, '通过')
  await told(page, `已通过“${name}”`)
  await closed(page)
  await expect(rowOf(page, name)).toContainText('已通过')

  await rowOf(page, name).getByRole('button', { name, exact: true }).click()
  await expect(dialog(page, name).getByRole('list', { name: '办理过程' })).toContainText('简历不完整')
  await expectAccessible(page)
})

test('an approval is taken back with its reason', async ({ page }) => {
  await enter(page)
  const { name } = person
  await openInformation(page)
  await actInMore(page, name, '撤销通过')
  await fill(page, { 原因: '联系方式有误' })
  await press(page, '撤销通过')
  // Whoever stands in the national register already keeps it.
  await told(page, new RegExp(`已撤销“${name}”的通过|该生已注册学籍，不能撤销|该生已上报学信网，不能撤销`))
})

test('several are approved at once', async ({ page }) => {
  await enter(page)
  const { list } = await call(page, 'POST', 'admissionCommitment/list', { status: 'submitted' })
  // Whose former diploma was not found cannot be qualified.
  const waiting: (Person & { chsiPreCheck: string })[] = list
  const passing = waiting.filter(({ chsiPreCheck }) => chsiPreCheck !== 'failed')
  expect(passing.length, 'somebody waits for the review').toBeGreaterThan(0)
  await openAt(page, `${paths.qualificationStudents.slice(1)}?status=submitted`)
  const chosen = passing.slice(0, 2)
  for (const { id } of chosen) await page.locator(`[data-row="${id}"]`).getByRole('checkbox').press('Space')
  const bar = page.getByRole('status').filter({ hasText: '已选' })
  await bar.getByRole('button', { name: '批量通过' }).click()
  await expect(dialog(page).getByText('结论记为合格')).toBeVisible()
  await press(page, '批量通过')
  await told(page, `批量通过：已完成${chosen.length}条`)
  for (const { id } of chosen) {
    const view = await call(page, 'GET', `admissionCommitment/view?id=${id}`)
    expect(view).toMatchObject({ status: 'approved', conclusion: 'qualified' })
  }
})

test('figures lead to as many students, and a class is reminded once in a day', async ({ page }) => {
  await enter(page)
  await openAt(page, paths.informationClasses.slice(1))
  await expect(page.getByRole('row').filter({ hasText: '合计' })).toContainText('%')
  await expectAccessible(page)
  const missing = page.getByTitle('查看合计未提交名单')
  const count = await missing.innerText()
  await missing.click()
  await expect(page).toHaveURL(/counted=true/)
  await expect(page.getByRole('tab', { name: `未提交 ${count}`, selected: true })).toBeVisible()
  await expect(page.getByText(`共 ${count} 条`)).toBeVisible()
  await page.goBack()

  await page.getByRole('tab', { name: '按站点' }).click()
  await expect(page).toHaveURL(/by=site/)
  const whole = await page.getByTitle('查看合计应提交名单').innerText()
  await page.getByRole('tab', { name: '按班级' }).click()
  await expect(page.getByTitle('查看合计应提交名单')).toHaveText(whole)

  const due = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: '催办', exact: true, disabled: false }) })
  const first = due.first()
  const key = await first.getAttribute('data-row')
  await first.getByRole('button', { name: '催办', exact: true }).click()
  await expect(dialog(page).getByText(/24小时内只催办一次/)).toBeVisible()
  await press(page, '催办')
  await told(page, /^已催办“/)
  await expect(page.locator(`[data-row="${key}"]`).getByRole('note', { name: '催办：24小时内已催办' })).toBeVisible()
  const again = await callFromPage(page, 'POST', '/user/pc/admissionInformation/remind', { classIds: [Number(key)] })
  expect(again.data).toMatchObject({ done: 0, failed: [{ id: Number(key), msg: '24小时内已催办' }] })
})

test('the three pictures of a graduate stand side by side', async ({ page }) => {
  await enter(page)
  const { list } = await call(page, 'POST', 'graduationInformation/list', {
    photoCheck: 'pending',
    status: 'submitted',
  })
  expect(list.length, 'somebody’s pictures wait').toBeGreaterThan(0)
  const graduate: Person = list[0]
  await openStudent(page, paths.graduationStudents, '毕业登记-学生统计', graduate)
  const row = rowOf(page, graduate.name)
  await row.getByRole('checkbox').press('Space')
  await page.getByRole('status').filter({ hasText: '已选' }).getByRole('button', { name: '三照比对' }).click()
  const photos = dialog(page, `三照比对 ${graduate.name}`)
  for (const words of ['录取照片', '入学照片', '学历照片']) await expect(photos.getByText(words)).toBeVisible()
  await expectAccessible(page)
  await press(page, '不一致')
  await told(page, `已比对“${graduate.name}”`)
  await page.keyboard.press('Escape')
  await closed(page)
  await expect(row).toContainText('不一致')
})

test('what stands on printed sheets is set with the school’s data', async ({ page }) => {
  await enter(page)
  await openAt(page, paths.schoolInfo.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '学校信息' })).toBeVisible()
  const panel = page.getByRole('tabpanel', { name: '基本信息' })
  await expect(panel).toContainText(SOUTH)
  await panel.getByRole('textbox', { name: '打印页眉' }).fill('南岭示范大学继续教育学院')
  await expectAccessible(page)
  await page.keyboard.press('Control+s')
  await told(page, '已保存设置')
  await page.getByRole('tab', { name: '打印预览' }).click()
  await expect(page.getByRole('tabpanel', { name: '打印预览' })).toContainText('南岭示范大学继续教育学院')
  await page.getByRole('tab', { name: '印章签名' }).click()
  await expect(page.getByRole('tabpanel', { name: '印章签名' })).toContainText('印章')
})

test('an operator sees each school’s progress, and changes nothing', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.informationClasses.slice(1))
  const figures = page.getByRole('table', { name: '各院校学籍注册信息' })
  await expect(figures.getByRole('row').filter({ hasText: SOUTH })).toContainText('%')
  await expectAccessible(page)
  await figures.getByRole('button', { name: SOUTH }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
  await expect(page).toHaveURL(/gradeId=\d+/)
  await expect(page.getByRole('columnheader', { name: '提交率' })).toBeVisible()
  for (const button of ['采集设置', '批量催办', '催办']) {
    await expect(page.getByRole('button', { name: button, exact: true })).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: '打包下载' }).first()).toBeVisible()
})
