import { paths, platformPaths } from '../src/paths'
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
  helpAt,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Page, test } from './test'

/**
 * 报到 of the second school, by an operator who helps there: two of the people whom the demonstration left waiting, from the
 * audit on. One story goes on from the other (02 §7).
 */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('registration', '演示报到')
const SOUTH = '南岭示范大学'
/** Those of other files of stories. */
const OTHERS = ['尉迟', '司徒']

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, path: string, body: unknown) => dataOf(page, 'POST', `/adult/pc/${path}`, body)

interface Person {
  name: string
  examineeNo: string
}

interface Known {
  batchId: number
  /** Comes. */
  comes: Person
  /** Comes later, and then not at all. */
  stays: Person
}

let known: Known

/** The open batch, and two who wait for the audit with nothing against them. */
const prepared = async (page: Page): Promise<Known> => {
  const [batch] = (await call(page, 'enrollmentBatch/list', { status: 'open' })).list
  const { list } = await call(page, 'admission/list', {
    batchId: batch.id,
    scope: 'audit',
    status: 'assigned',
    matchStatus: 'matched',
    pageSize: 100,
  })
  const against = ['id_checksum', 'name_differs', 'active_student']
  const [comes, stays] = list.filter(
    ({ name, issues, differences }: { name: string; issues: string[]; differences: string[] }) =>
      !OTHERS.some((family) => name.startsWith(family)) &&
      !issues.some((issue) => against.includes(issue)) &&
      differences.length === 0,
  )
  expect(stays, 'somebody waits for the audit').toBeDefined()
  return { batchId: batch.id, comes, stays }
}

/** A page with the one person alone. */
const openPage = async (page: Page, path: string, title: string, keyword: string) => {
  await openAt(page, `${path.slice(1)}?keyword=${encodeURIComponent(keyword)}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

const openArrivals = (page: Page, { examineeNo }: Person) => openPage(page, paths.registrations, '报到管理', examineeNo)

/** A picture of the right measures, drawn by the browser. */
const photo = async (page: Page) => {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 300
    canvas.height = 400
    const pen = canvas.getContext('2d')
    pen?.fillRect(50, 50, 200, 300)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  return { name: '报到照片.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(drawn, 'base64') }
}

const saved = async (page: Page, words: string | RegExp, button = '保存') => {
  await press(page, button)
  await told(page, words)
}

const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0)

test('from the audit by the fee and the report to the register', async ({ page }) => {
  await enter(page)
  known = await prepared(page)
  for (const { name, examineeNo } of [known.comes, known.stays]) {
    await openPage(page, paths.admissionAudit, '录取审核', examineeNo)
    await act(page, name, '审核')
    await expect(dialog(page, `审核录取 ${name}`).getByRole('region', { name: '招办数据' })).toBeVisible()
    await press(page, '通过')
    await told(page, `已通过“${name}”`)
    await closed(page)
  }

  const { name } = known.comes
  await openArrivals(page, known.comes)
  const row = rowOf(page, name)
  await expect(row).toContainText('待报到')
  await expect(row).toContainText('未缴')
  await expectAccessible(page)
  await act(page, name, '报到')
  await expect(dialog(page, `办理报到 ${name}`).getByText(/还没有缴费/)).toBeVisible()
  await expectAccessible(page)
  await press(page, '取消')
  await closed(page)

  await act(page, name, '缴费标记')
  await dialog(page).getByRole('spinbutton', { name: '实缴金额(元)' }).fill('2800')
  await saved(page, '已保存缴费标记')
  await closed(page)
  await expect(row).toContainText('已缴')

  await act(page, name, '报到')
  const form = dialog(page, `办理报到 ${name}`)
  await expect(form.getByText(/还没有缴费/)).toHaveCount(0)
  await press(page, '报到')
  await expect(form.getByText('请选择核验方式')).toBeVisible()
  await form.getByText('人工', { exact: true }).click()
  await form.getByRole('checkbox', { name: '身份证复印件' }).press('Space')
  await form.locator('input[type=file]').setInputFiles(await photo(page))
  await expect(form.getByText('报到照片.jpg')).toBeVisible()
  await press(page, '报到')
  const arrived = dialog(page, `${name} 已报到`)
  await expect(arrived.getByText('学号', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await press(page, '知道了')
  await closed(page)
  await expect(row).toContainText('已报到')
  await expect(row).toContainText('1/5')

  await openPage(page, paths.students, '在籍学生', known.comes.examineeNo)
  await expect(rowOf(page, name)).toContainText('待注册')
})

test('what was done is seen and printed, and a report that was wrong is taken back', async ({ page }) => {
  await enter(page)
  const { name } = known.comes
  await openArrivals(page, known.comes)
  await rowOf(page, name).getByRole('button', { name, exact: true }).click()
  const file = dialog(page, name)
  await expect(file.getByRole('list', { name: '报到材料' })).toContainText('身份证复印件 已交')
  await expect(file.getByRole('region', { name: '缴费' })).toContainText('2,800元')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await act(page, name, '打印')
  const paper = dialog(page, `打印报到材料 ${name}`)
  await expect(paper.getByRole('table')).toContainText('经办人')
  await expectAccessible(page)
  await openTab(paper, '入学登记表')
  await expect(paper.getByRole('table')).toContainText('本人承诺')
  await page.keyboard.press('Escape')
  await closed(page)

  await actInMore(page, name, '撤销报到')
  await expect(dialog(page).getByText(/学籍和账号一并删除/)).toBeVisible()
  await fill(page, { 原因: '登记错人' })
  await saved(page, `已撤销“${name}”的报到`, '撤销报到')
  await closed(page)
  await expect(rowOf(page, name)).toContainText('待报到')
  await openPage(page, paths.students, '在籍学生', known.comes.examineeNo)
  await expect(rowOf(page, name)).toHaveCount(0)
})

test('a place is kept until a day, and taken up again', async ({ page }) => {
  await enter(page)
  const { name } = known.stays
  await openArrivals(page, known.stays)
  const inAMonth = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  await actInMore(page, name, '保留')
  await choose(page, '保留原因', '疾病')
  await fill(page, { 保留至: inAMonth })
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: '申请.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
  await expect(dialog(page).getByText('申请.pdf')).toBeVisible()
  await saved(page, `已保留“${name}”的入学资格`, '保留')
  await closed(page)
  await expect(rowOf(page, name)).toContainText('保留入学资格')

  await act(page, name, '恢复')
  await expect(dialog(page, `恢复入学资格 ${name}`).getByText(`保留至 ${inAMonth}`)).toBeVisible()
  await expectAccessible(page)
  await saved(page, `已恢复“${name}”的入学资格`, '恢复')
  await closed(page)
  await expect(rowOf(page, name)).toContainText('待报到')
})

test('who gives the place up can be deleted, lies in the bin and comes back', async ({ page }) => {
  await enter(page)
  const { name, examineeNo } = known.stays
  await openArrivals(page, known.stays)
  await actInMore(page, name, '放弃')
  await fill(page, { 原因: '工作调动' })
  await saved(page, '已登记放弃入学资格', '放弃')
  await closed(page)
  await expect(rowOf(page, name)).toContainText('放弃入学资格')
  await act(page, name, '删除', `删除“${name}”的报到数据？`)
  await told(page, `已删除“${name}”的报到数据`)
  await expect(rowOf(page, name)).toHaveCount(0)

  await openPage(page, paths.deletedRegistrations, '报到回收站', examineeNo)
  const row = rowOf(page, name)
  await expect(row).toContainText('放弃入学资格')
  await expectAccessible(page)
  await row.getByRole('button', { name, exact: true }).click()
  await expect(dialog(page, name).getByRole('region', { name: '报到进度' })).toContainText('工作调动')
  await expect(dialog(page, name).getByRole('button', { name: /查看完整/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await act(page, name, '恢复', `恢复“${name}”的报到数据？`)
  await told(page, `已恢复“${name}”的报到数据`)
  await expect(rowOf(page, name)).toHaveCount(0)
  await openArrivals(page, known.stays)
  await expect(rowOf(page, name)).toContainText('放弃入学资格')
})

test('the list begins with the open batch; figures lead to their people, and a list to be signed leaves', async ({
  page,
}) => {
  await enter(page)
  await openAt(page, paths.registrations.slice(1))
  await expect(page).toHaveURL(new RegExp(`batchId=${known.batchId}`))
  await page.getByRole('tab', { name: '报到统计' }).click()
  await expect(page).toHaveURL(/tab=statistics/)
  await expect(page.getByRole('row').filter({ hasText: '合计' })).toContainText('%')
  await expectAccessible(page)
  const kept = page.getByTitle('查看合计放弃名单')
  const count = await kept.innerText()
  await kept.click()
  await expect(page).toHaveURL(/status=abandoned/)
  await expect(page.getByText(`共 ${count} 条`)).toBeVisible()

  await page.getByRole('button', { name: '导出名单' }).click()
  await dialog(page)
    .getByText(/^放弃入学资格登记表/)
    .click()
  const coming = page.waitForEvent('download')
  await press(page, '导出')
  const lines = textsIn(await (await coming).path())
  expect(lines.some((cells) => cells.includes(known.stays.name))).toBe(true)
  expect(lines.some((cells) => cells.includes('签字'))).toBe(true)
  await closed(page)
  const rows = textsIn(await (await exported(page, exportButton(page), '名册')).path())
  expect(rows[0]).toContain('报到时间')
})

test('an operator sees how each school’s people report, and changes nothing', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.registrations.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '报到管理' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  for (const button of ['导入缴费', '导入报到结果']) {
    await expect(page.getByRole('button', { name: button })).toHaveCount(0)
  }
  await expect(exportButton(page)).toBeVisible()
  await page.getByRole('tab', { name: '报到统计' }).click()
  const figures = page.getByRole('table', { name: '各院校报到' })
  await expect(figures.getByRole('row').filter({ hasText: SOUTH })).toContainText('%')
  await expectAccessible(page)
  await figures.getByRole('button', { name: SOUTH }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
  await expect(page.getByRole('tab', { name: '按专业' })).toBeVisible()
})
