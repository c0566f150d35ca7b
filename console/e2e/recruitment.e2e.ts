import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  choose,
  dataOf,
  dialog,
  exportButton,
  exported,
  fill,
  goTo,
  idCardOf,
  press,
  rowOf,
  signIn,
  signInTo,
  takeBack,
  told,
} from './kit'
import { filledIn } from './sheet'
import { expect, type Page, test } from './test'

/** 预报名 of the first school, as its 招生管理员. One story goes on from the other. */

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'demo01_zs'
const BATCH = '预报名演练批次'
const PAGE = '预报名列表'
const LEVEL = '专升本'

interface Offered {
  id: number
  code: string
  name: string
  levelId: number
}
/** What the batch offers, as the first story left it. */
let major: Offered
let sites: Offered[] = []

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

const open = (page: Page) => signInTo(page, ACCOUNT, PAGE)

const search = async (page: Page, keyword: string) => {
  await page.getByRole('textbox', { name: /^(姓名或号码|关键字)$/ }).fill(keyword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`keyword=${encodeURIComponent(keyword)}`))
}

const tick = async (page: Page, names: readonly string[]) => {
  for (const name of names) await rowOf(page, name).getByRole('checkbox').press('Space')
}
const bulk = (page: Page, action: string) =>
  page.getByRole('status').getByRole('button', { name: action, exact: true }).click()
/** The words above a file lead to a part of it. */
const part = (page: Page, name: string) =>
  dialog(page).getByRole('navigation', { name: '预报名详情' }).getByRole('button', { name, exact: true }).click()

test('a person is entered: the batch first, then what it offers, and the number tells the rest', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const grades = await call(page, 'GET', 'options/grade')
  const levels = await call(page, 'GET', 'options/level')
  const grade = grades.find(({ desc }: { desc: string }) => desc === '2026级')
  const level = levels.find(({ desc }: { desc: string }) => desc === LEVEL)
  const offered = await call(page, 'GET', `options/major?parentId=${level.code}`)
  const { id } = await call(page, 'POST', 'preRegistrationBatch/save', {
    code: 'E2E-1',
    name: BATCH,
    gradeId: grade.code,
    startsAt: '2025-01-01T00:00:00+08:00',
    endsAt: '2099-01-01T00:00:00+08:00',
    levelIds: [level.code],
    needAudit: true,
  })
  const majors = [{ majorId: offered[0].code }]
  await call(page, 'PUT', 'preRegistrationBatch/majors', { id, version: 1, majors })
  const offer = await call(page, 'GET', `preRegistration/offer?batchId=${id}`)
  major = offer.majors[0]
  sites = offer.sites

  await goTo(page, PAGE)
  await page.getByRole('button', { name: '新增预报名' }).click()
  await fill(page, { 姓名: '淳于甲', 证件号: '110105194912310021' })
  await expect(dialog(page).getByText('身份证号校验位错误，应为X')).toBeVisible()
  await fill(page, { 证件号: idCardOf(80) })
  await expect(dialog(page).getByRole('combobox', { name: '性别' })).toContainText(/男|女/)
  await expect(dialog(page).getByRole('textbox', { name: '出生日期' })).toHaveValue('1990-03-07')
  await expect(dialog(page).getByRole('combobox', { name: '专业' })).toBeDisabled()
  await choose(page, '批次', BATCH)
  await choose(page, '层次', LEVEL)
  await dialog(page).getByRole('combobox', { name: '专业', exact: true }).click()
  await page.getByRole('option', { name: new RegExp(`^${major.name}（`) }).click()
  await choose(page, '站点', sites[0]?.name ?? '')
  await expectAccessible(page)
  await dialog(page)
    .locator('input[type=file][aria-label="证件人像面"]')
    .setInputFiles({ name: '身份证.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
  await expect(dialog(page).getByText('已上传')).toBeVisible()
  await press(page, '保存')
  // The phone is required; the form goes to it.
  await expect(dialog(page).getByText('请输入手机')).toBeVisible()
  await fill(page, { 手机: '13900139080' })
  await press(page, '保存')
  await told(page, '已新增预报名')
  await expect(rowOf(page, '淳于甲')).toContainText('待审核')
  await expect(rowOf(page, '淳于甲')).toContainText('未网报')
})

test('the same number is refused, and six others come by a sheet of the batch', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await expect(dialog(page).getByRole('button', { name: '下载模板' })).toBeDisabled()
  await choose(page, '批次', BATCH)
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await (await coming).path()
  const people = [...'乙丙丁戊己庚'].map((name, at) => ({
    姓名: `淳于${name}`,
    证件号: idCardOf(81 + at),
    手机: `139001390${81 + Math.min(at, 4)}`,
    层次: LEVEL,
    专业: major.code,
    站点: sites[0]?.code ?? '',
    入学前学历: '专科',
  }))
  const wrong = people.map((person, at) => (at === 2 ? { ...person, 证件号: idCardOf(80) } : person))
  await page.locator('input[type=file]').setInputFiles(filledIn(template, wrong))
  await expect(dialog(page).getByRole('row').filter({ hasText: '证件号' })).toContainText('该证件号在本批次已有预报名')
  await press(page, '重新上传')
  await page.locator('input[type=file]').setInputFiles(filledIn(template, people))
  await expect(dialog(page).getByText('检查通过，共6行')).toBeVisible()
  await press(page, '确认导入6行')
  await expect(dialog(page).getByText('已导入6行')).toBeVisible()
  await press(page, '关闭')
  await search(page, '淳于')
  await expect(page.getByText('共 7 条')).toBeVisible()
  // The last two of the sheet share a phone.
  await expect(rowOf(page, '淳于庚')).toContainText('重复')
})

test('the figures are the batch’s and lead to their people', async ({ page }) => {
  await open(page)
  await page.getByRole('combobox', { name: '批次' }).click()
  await page.getByRole('option', { name: BATCH }).click()
  const figures = page.getByRole('region', { name: '预报名转化' })
  await expect(figures.getByRole('button', { name: '查看报名名单' })).toHaveText('7')
  await expect(figures.getByRole('button', { name: '查看通过名单' })).toHaveText('0')
  await expectAccessible(page)
  await figures.getByRole('button', { name: '查看通过名单' }).click()
  await expect(page).toHaveURL(/batchId=\d+.*status=approved/)
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
  await figures.getByRole('button', { name: '查看报名名单' }).click()
  await expect(page.getByText('共 7 条')).toBeVisible()
  // The same by sites and majors, each figure with its people.
  await figures.getByRole('button', { name: '明细：各站点、专业' }).click()
  await figures
    .getByRole('button', { name: /^查看.+报名名单$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/siteId=\d+/)
  await figures.getByRole('tab', { name: '按专业' }).click()
  await figures
    .getByRole('button', { name: /^查看.+网报名单$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/majorId=\d+/)
  await expect(page).toHaveURL(/reached=registered/)
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
  await expectAccessible(page)
})

test('an audit goes from one to the next; a return needs its reason', async ({ page }) => {
  await open(page)
  await search(page, '淳于')
  await expect(page.getByText('共 7 条')).toBeVisible()
  // The newest stand first.
  const [first, second, third] = ['淳于庚', '淳于己', '淳于戊'] as const
  await act(page, first, '审核')
  await expect(dialog(page, `审核预报名 ${first}`).getByRole('list', { name: '照片和材料' })).toContainText('未上传')
  await expectAccessible(page)
  await press(page, '退回')
  await expect(dialog(page).getByText('请填写原因')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: '原因' }).fill('照片不清晰')
  await press(page, '退回')
  await told(page, `已退回“${first}”`)
  await expect(dialog(page, `审核预报名 ${second}`)).toBeVisible()
  await press(page, '通过')
  await told(page, `已通过“${second}”`)
  await expect(dialog(page, `审核预报名 ${third}`)).toBeVisible()
  await dialog(page).getByRole('textbox', { name: '原因' }).fill('不符合报读条件')
  await press(page, '不通过')
  await told(page, `已审核为不通过“${third}”`)
  await page.keyboard.press('Escape')
  await expect(rowOf(page, first)).toContainText('退回修改')
  await expect(rowOf(page, second)).toContainText('已通过')
  await expect(rowOf(page, third)).toContainText('不通过')

  await actInMore(page, second, '撤销审核')
  await press(page, '撤销审核')
  await told(page, `已撤销“${second}”的审核`)
  await actInMore(page, third, '恢复待审')
  await press(page, '恢复待审')
  await told(page, `已恢复“${third}”为待审核`)
  await actInMore(page, first, '取消预报名')
  await fill(page, { 取消原因: '本人放弃' })
  await press(page, '保存')
  await told(page, '已取消预报名')
  await expect(rowOf(page, first)).toContainText('已取消')
})

test('several are approved, moved and given back together', async ({ page }) => {
  await open(page)
  await search(page, '淳于')
  await tick(page, ['淳于甲', '淳于乙'])
  await bulk(page, '调整站点')
  await choose(page, '调整到站点', sites[1]?.name ?? '')
  await press(page, '保存')
  await told(page, '调整站点已完成')
  await expect(rowOf(page, '淳于甲')).toContainText(sites[1]?.name ?? '')
  await tick(page, ['淳于乙', '淳于丙'])
  await bulk(page, '批量退回')
  await press(page, '保存')
  await expect(dialog(page).getByText('请输入退回原因')).toBeVisible()
  await fill(page, { 退回原因: '缺少毕业证书' })
  await press(page, '保存')
  await told(page, '批量退回已完成')
  await expect(rowOf(page, '淳于丙')).toContainText('退回修改')
  await tick(page, ['淳于甲', '淳于乙'])
  await bulk(page, '批量通过')
  await press(page, '批量通过')
  await told(page, '批量通过：已完成2条')
  await expect(rowOf(page, '淳于甲')).toContainText('已通过')
})

test('who has a 考生号 registered with the province: name and number stay, the audit too', async ({ page }) => {
  await open(page)
  await search(page, '淳于甲')
  await act(page, '淳于甲', '编辑')
  const number = dialog(page).getByRole('textbox', { name: '证件号', exact: true })
  await expect(number).toHaveValue(/\*{4}/)
  await press(page, '重新填写证件号')
  await expect(number).toHaveValue('')
  await press(page, '保留原证件号')
  await expect(number).toHaveValue(/\*{4}/)
  await fill(page, { 网报号: 'WB0080', 考生号: '26420101150080' })
  await press(page, '保存')
  await told(page, '已保存预报名')
  await expect(rowOf(page, '淳于甲')).toContainText('已网报')
  await act(page, '淳于甲', '编辑')
  await expect(dialog(page).getByText('该人员已网报，姓名、性别、出生日期和证件不能修改')).toBeVisible()
  await expect(dialog(page).getByRole('textbox', { name: '姓名', exact: true })).toBeDisabled()
  await press(page, '取消')
  await rowOf(page, '淳于甲').getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('button', { name: '撤销审核' })).toBeDisabled()
  await page.keyboard.press('Escape')
})

test('the detail tells all, and the registration form is printed upright', async ({ page }) => {
  await open(page)
  await search(page, '淳于甲')
  await rowOf(page, '淳于甲').getByRole('button', { name: '淳于甲', exact: true }).click()
  const file = dialog(page, '淳于甲')
  await expect(file.getByRole('region', { name: '报名进度' })).toContainText(BATCH)
  await part(page, '报名资料')
  await expect(file.getByRole('region', { name: '报读信息' })).toContainText(major.name)
  await expectAccessible(page)
  await part(page, '照片和材料')
  await expect(file.getByRole('list', { name: '照片和材料' })).toContainText('证件人像面')
  await part(page, '操作日志')
  await expect(file.getByRole('list', { name: '操作日志' })).toContainText('招生管理员')
  await page.keyboard.press('Escape')

  await actInMore(page, '淳于甲', '打印报名登记表')
  const paper = dialog(page, '报名登记表 淳于甲')
  await expect(paper.getByRole('table')).toContainText('本人承诺')
  await expect(paper.getByRole('img', { name: /^预报名编号\d+的二维码$/ })).toBeVisible()
  await expect(paper.getByRole('table')).toContainText('****')
  await expectAccessible(page)
  await press(page, '显示完整信息')
  await expect(paper.getByRole('table')).toContainText(idCardOf(80))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('table').filter({ hasText: '本人承诺' })).toHaveCount(1)
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const sheets = [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)]
  expect(sheets).toHaveLength(1)
  expect(Number(sheets[0]?.[1])).toBeLessThan(Number(sheets[0]?.[2]))
})

test('the list is exported, and who is deleted goes into the bin', async ({ page }) => {
  await open(page)
  await search(page, '淳于')
  const coming = exported(page, exportButton(page))
  expect((await coming).suggestedFilename()).toMatch(/^[\u4e00-\u9fff].*\.xlsx$/)
  await page.getByRole('button', { name: '材料打包', exact: true }).click()
  await told(page, '正在打包材料，完成后请在任务中心下载')
  await actInMore(page, '淳于庚', '删除')
  await expect(dialog(page).getByText(/回收站/)).toBeVisible()
  await press(page, '删除')
  await told(page, '已删除“淳于庚”的预报名')
  await expect(rowOf(page, '淳于庚')).toHaveCount(0)
  await takeBack(page)
  await expect(rowOf(page, '淳于庚')).toContainText('已取消')
  await actInMore(page, '淳于庚', '删除')
  await press(page, '删除')
  await expect(rowOf(page, '淳于庚')).toHaveCount(0)
  await tick(page, ['淳于戊', '淳于己'])
  await bulk(page, '批量删除')
  await press(page, '批量删除')
  await told(page, '批量删除：已完成2条')
})

test('what lies in the bin comes back as it was, but for a twin', async ({ page }) => {
  await signInTo(page, ACCOUNT, '预报名回收站')
  await search(page, '淳于')
  await expect(page.getByText('共 3 条')).toBeVisible()
  await expect(rowOf(page, '淳于庚')).toContainText('已取消')
  await expect(rowOf(page, '淳于庚')).toContainText('招生管理员')
  await expectAccessible(page)
  // Inside a school nobody destroys, and whoever looks sees the person without the whole numbers.
  await expect(rowOf(page, '淳于庚').getByRole('button', { name: '删除', exact: true })).toHaveCount(0)
  await rowOf(page, '淳于庚').getByRole('button', { name: '淳于庚', exact: true }).click()
  await expect(dialog(page, '淳于庚').getByRole('region', { name: '报名进度' })).toContainText('已取消')
  await part(page, '报名资料')
  await expect(dialog(page, '淳于庚').getByRole('region', { name: '基本信息' })).toContainText('****')
  await expect(dialog(page, '淳于庚').getByRole('button', { name: /查看完整/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await act(page, '淳于庚', '恢复', '恢复“淳于庚”的预报名？')
  await told(page, '已恢复“淳于庚”的预报名')
  await expect(rowOf(page, '淳于庚')).toHaveCount(0)
  // Meanwhile one of the others entered once more.
  const list = await call(page, 'POST', 'preRegistrationDeleted/list', { keyword: '淳于己' })
  expect(list.totalCount).toBe(1)
  await call(page, 'POST', 'preRegistration/save', {
    batchId: (await call(page, 'POST', 'preRegistrationBatch/list', { keyword: BATCH })).list[0].id,
    name: '淳于己',
    idCardNo: idCardOf(85),
    phone: '13900139085',
    levelId: major.levelId,
    majorId: major.id,
    siteId: sites[0]?.id,
  })
  await tick(page, ['淳于戊', '淳于己'])
  await bulk(page, '批量恢复')
  await press(page, '批量恢复')
  await expect(dialog(page)).toContainText('已存在相同证件号的有效数据，不能恢复')
  await page.keyboard.press('Escape')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await goTo(page, PAGE)
  await search(page, '淳于庚')
  await expect(rowOf(page, '淳于庚')).toContainText('已取消')
})
