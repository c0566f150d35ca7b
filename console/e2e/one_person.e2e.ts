import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { act, actInMore, choose, dataOf, dialog, fill, helpAt, idCardOf, openAt, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { workbookOf } from './sheet'
import { expect, type Page, test } from './test'

/**
 * One person of the second school, by an operator who helps there: from the wish to study to the return from a suspension
 * (02 §0.1). One story goes on from the other.
 */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('one_person', '演示全程')
const SOUTH = '南岭示范大学'
const NAME = '司徒安'
/** Of whom the number on the identity card says that she is a woman. */
const CARD = idCardOf(94)
const EXAMINEE_NO = '26E2E00094'
const LEADS = '全程演练预报名'
const FILE = '录取库.xlsx'
/** What the authority calls the level in this file. */
const LEVEL_CODE = 'P7'
const DAY_MS = 24 * 3600 * 1000

/** A day of China, so many days from now. */
const day = (days: number) => new Date(Date.now() + 8 * 3600 * 1000 + days * DAY_MS).toISOString().slice(0, 10)

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

interface Known {
  batchId: number
  leadsId: number
  major: { name: string; levelName: string; authorityCode: string }
  site: { name: string }
}

let known: Known

interface Student {
  studentNo: string
  className: string
  enrolledOn: string
}

let student: Student

/** The school's open batch, and a batch of pre-registration for one major of it. */
const prepared = async (page: Page): Promise<Known> => {
  const [batch] = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list
  const recruited = (await call(page, 'POST', 'enrollmentMajor/list', { batchId: batch.id })).list
  const major = recruited.find(
    (each: { authorityCode?: string; enabled: boolean }) => each.authorityCode && each.enabled,
  )
  const levels = await call(page, 'GET', 'options/level')
  const level = levels.find(({ desc }: { desc: string }) => desc === major.levelName)
  const { id } = await call(page, 'POST', 'preRegistrationBatch/save', {
    code: 'E2E-QC',
    name: LEADS,
    gradeId: batch.gradeId,
    startsAt: '2025-01-01T00:00:00+08:00',
    endsAt: '2099-01-01T00:00:00+08:00',
    levelIds: [level.code],
    needAudit: true,
  })
  const majors = [{ majorId: major.majorId }]
  await call(page, 'PUT', 'preRegistrationBatch/majors', { id, version: 1, majors })
  const offer = await call(page, 'GET', `preRegistration/offer?batchId=${id}`)
  const site = offer.sites.find(({ active }: { active: boolean }) => active)
  return { batchId: batch.id, leadsId: id, major, site }
}

/** A page with the one person alone. */
const openPage = async (page: Page, path: string, title: string, keyword: string, more = '') => {
  await openAt(page, `${path.slice(1)}?keyword=${encodeURIComponent(keyword)}${more}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

const openStudent = (page: Page) => openPage(page, paths.students, '在籍学生', student.studentNo)

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0)

const saved = async (page: Page, words: string | RegExp, button = '保存') => {
  await press(page, button)
  await told(page, words)
  await closed(page)
}

/** A picture of the right measures, drawn by the browser. */
const photo = async (page: Page) => {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 300
    canvas.height = 400
    canvas.getContext('2d')?.fillRect(50, 50, 200, 300)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  return { name: '报到照片.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(drawn, 'base64') }
}

/** The form of a change, with its type chosen; how the student stands is there. */
const ask = async (page: Page, type: string) => {
  await openStudent(page)
  await actInMore(page, NAME, '申请异动')
  const form = dialog(page, `申请学籍异动 ${NAME}`)
  await expect(form.getByText('入学日期')).toBeVisible()
  await choose(page, '类型', type)
  return form
}

const check = (page: Page) => dialog(page).getByRole('region', { name: '检查结果' })

/** The site agrees, the school approves; it takes effect at once. */
const decide = async (page: Page, type: string) => {
  await openPage(page, paths.changeApplications, '异动申请', student.studentNo)
  const waiting = rowOf(page, NAME).filter({ hasText: type })
  await expect(waiting).toContainText('待站点审核')
  await waiting.getByRole('button', { name: '站点审核', exact: true }).click()
  await expect(dialog(page, `站点审核 ${NAME}`).getByRole('table', { name: '异动内容' })).toBeVisible()
  await saved(page, /^已审核/)
  await expect(waiting).toContainText('待学校审批')
  await waiting.getByRole('button', { name: '审批', exact: true }).click()
  await expect(dialog(page, `审批学籍异动 ${NAME}`).getByRole('table', { name: '异动内容' })).toBeVisible()
  await saved(page, `已批准“${NAME}”的${type}`, '批准')
  await expect(waiting).toContainText('已生效')
}

test('a person is entered, approved, found in the authority’s file and audited', async ({ page }) => {
  await enter(page)
  known = await prepared(page)
  const { major, site } = known
  await openAt(page, paths.preRegistrations.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '预报名列表' })).toBeVisible()
  await page.getByRole('button', { name: '新增预报名' }).click()
  await fill(page, { 姓名: NAME, 证件号: CARD, 手机: '13900139094' })
  await choose(page, '批次', LEADS)
  await choose(page, '层次', major.levelName)
  await dialog(page).getByRole('combobox', { name: '专业', exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${major.name}（`) }).click()
  await choose(page, '站点', site.name)
  // The school may ask for more by now: another story has it ask where people have heard of it.
  const channel = dialog(page).getByRole('combobox', { name: '推荐渠道', exact: true })
  if (await channel.isVisible()) {
    await channel.click()
    await page.getByRole('option').first().click()
  }
  await press(page, '保存')
  await closed(page)

  await openPage(page, paths.preRegistrations, '预报名列表', NAME)
  await expect(rowOf(page, NAME)).toContainText('待审核')
  await act(page, NAME, '审核')
  await expect(dialog(page, `审核预报名 ${NAME}`).getByRole('list', { name: '照片和材料' })).toBeVisible()
  await saved(page, `已通过“${NAME}”`, '通过')
  await expect(rowOf(page, NAME)).toContainText('已通过')

  await openPage(page, paths.admissionData, '录取数据', NAME, `&batchId=${known.batchId}`)
  await page.getByRole('button', { name: '导入录取数据' }).click()
  const sheet = workbookOf(FILE, [
    ['KSH', 'XM', 'XBDM', 'CSRQ', 'SFZH', 'LQZY', 'CCDM', 'ZF'],
    [EXAMINEE_NO, NAME, '2', '19900307', CARD, major.authorityCode, LEVEL_CODE, '251.5'],
  ])
  await dialog(page).locator('input[type=file]').setInputFiles(sheet)
  const wizard = dialog(page, '导入录取数据')
  await expect(wizard.getByText(`${FILE}：共1行，8列`)).toBeVisible()
  await press(page, '下一步')
  await expect(wizard.getByRole('row').filter({ hasText: NAME })).toContainText('XM')
  await press(page, '下一步')
  await wizard.getByRole('combobox', { name: `层次代码${LEVEL_CODE}对应值` }).click()
  await page.getByRole('option', { name: major.levelName, exact: true }).click()
  await press(page, '检查')
  await expect(wizard.getByText('检查通过，共1行')).toBeVisible()
  await press(page, '确认导入1行')
  await expect(wizard.getByText('已导入1行')).toBeVisible()
  await press(page, '查看录取数据')
  await openPage(page, paths.admissionData, '录取数据', NAME, `&batchId=${known.batchId}`)
  await expect(rowOf(page, NAME)).toContainText('已匹配')
  await expect(rowOf(page, NAME)).toContainText('待审核')
  await expect(rowOf(page, NAME)).toContainText('251.5')

  await openPage(page, paths.admissionAudit, '录取审核', EXAMINEE_NO)
  await expect(rowOf(page, NAME)).toContainText(site.name)
  await act(page, NAME, '审核')
  await expect(dialog(page, `审核录取 ${NAME}`).getByRole('region', { name: '招办数据' })).toBeVisible()
  await saved(page, `已通过“${NAME}”`, '通过')
})

test('who has paid reports, and stands in the register with number and class', async ({ page }) => {
  await enter(page)
  await openPage(page, paths.registrations, '报到管理', EXAMINEE_NO)
  const row = rowOf(page, NAME)
  await expect(row).toContainText('待报到')
  await expect(row).toContainText('未缴')
  await act(page, NAME, '缴费标记')
  await dialog(page).getByRole('spinbutton', { name: '实缴金额(元)' }).fill('2800')
  await saved(page, '已保存缴费标记')
  await expect(row).toContainText('已缴')
  await act(page, NAME, '报到')
  const form = dialog(page, `办理报到 ${NAME}`)
  await form.getByText('人工', { exact: true }).click()
  await form.getByRole('checkbox', { name: '身份证复印件' }).press('Space')
  await form.locator('input[type=file]').setInputFiles(await photo(page))
  await expect(form.getByText('报到照片.jpg')).toBeVisible()
  await press(page, '报到')
  await expect(dialog(page, `${NAME} 已报到`).getByText('学号', { exact: true })).toBeVisible()
  await press(page, '知道了')
  await closed(page)
  await expect(row).toContainText('已报到')

  const found = (await call(page, 'POST', 'studentRoll/list', { keyword: EXAMINEE_NO })).list
  expect(found).toHaveLength(1)
  student = found[0]
  expect(student.studentNo).toMatch(/^\d{10}$/)
  expect(student.className).toBeTruthy()
  await openStudent(page)
  for (const words of [student.studentNo, student.className, '待注册', known.site.name, known.major.name]) {
    await expect(rowOf(page, NAME)).toContainText(words)
  }
  await openAt(page, `${paths.preRegistrations.slice(1)}?batchId=${known.leadsId}`)
  const figures = page.getByRole('region', { name: '预报名转化' })
  for (const step of ['报名', '通过', '网报', '录取', '报到']) {
    await expect(figures.getByRole('button', { name: `查看${step}名单` })).toHaveText('1')
  }
  await figures.getByRole('button', { name: '查看报到名单' }).click()
  await expect(rowOf(page, NAME)).toContainText(known.site.name)
  await expectAccessible(page)
})

/** A suspension of half a year is nearly over when it began then. */
const LONG_AGO = -175
/** So many days after its beginning a return can be asked for: six months less thirty days, in the longest case. */
const RETURN_DAYS = 155

test('who is registered rests for half a year', async ({ page }) => {
  test.skip(student.enrolledOn > day(0), 'the newest grade enters in March')
  await enter(page)
  await openStudent(page)
  await rowOf(page, NAME).getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '标记已注册', exact: true }).click()
  await expect(dialog(page, '标记1名学生已注册')).toBeVisible()
  await saved(page, '已标记')
  await expect(rowOf(page, NAME)).toContainText('在籍')

  const form = await ask(page, '休学')
  await choose(page, '原因', '因病')
  const from = student.enrolledOn > day(LONG_AGO) ? student.enrolledOn : day(LONG_AGO)
  await fill(page, { 休学开始: from, 说明: '因病需要治疗，附医院证明' })
  await form.getByText('6个月', { exact: true }).click()
  await expect(check(page)).toContainText('符合办理条件')
  await expect(check(page)).toContainText('休学至')
  await saved(page, '已提交学籍异动')
  await decide(page, '休学')
  await openPage(page, paths.students, '在籍学生', student.studentNo, '&scope=suspended')
  await expect(rowOf(page, NAME)).toContainText('休学')
  await expect(rowOf(page, NAME)).toContainText(student.className)
})

test('and comes back to the class', async ({ page }) => {
  test.skip(student.enrolledOn > day(-RETURN_DAYS), 'nobody of the newest grade has rested for so long before autumn')
  await enter(page)
  await ask(page, '复学')
  await expect(check(page)).toContainText('请选择复学后的班级')
  await dialog(page).getByRole('combobox', { name: '复学班级', exact: true }).click()
  await page.getByRole('option', { name: student.className }).first().click()
  await expect(check(page)).toContainText('符合办理条件')
  await fill(page, { 说明: '身体恢复，申请复学' })
  await saved(page, '已提交学籍异动')
  await decide(page, '复学')
  await openPage(page, paths.students, '在籍学生', student.studentNo, '&scope=registered')
  await expect(rowOf(page, NAME)).toContainText('在籍')
  await expect(rowOf(page, NAME)).toContainText(student.className)
  await rowOf(page, NAME).getByRole('button', { name: NAME, exact: true }).click()
  const file = dialog(page, NAME)
  await file.getByRole('navigation', { name: '学籍详情' }).getByRole('button', { name: '异动记录' }).click()
  const history = file.getByRole('region', { name: '异动记录' })
  // What the person went through, oldest first.
  await expect(history.getByRole('listitem').filter({ hasText: '生效 ·' })).toContainText([
    '入学',
    '待注册 → 在籍',
    '在籍 → 休学',
    '休学 → 在籍',
  ])
  await expectAccessible(page)
})
