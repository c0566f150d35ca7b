import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dataOf,
  dialog,
  fill,
  goTo,
  helpAt,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { filledIn } from './sheet'
import { expect, type Page, test } from './test'

/** 站点招生 of the second school, by an operator who helps there. One story goes on from the other (02 §5). */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('site_enrolment', '演示站点招生')
const SOUTH = '南岭示范大学'
/** What rows call the two schools. */
const EAST = '东湖学院'
const SHORT = '南岭大学'
const BATCH = '站点计划批次'
const QUOTA = 120

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

interface Known {
  batchId: number
  major: { id: number; name: string; majorCode: string; levelName: string; form: string }
  sites: { code: number; desc: string; number: string }[]
}

/** What the stories are about: a batch, a major of 120, and sites; the first has 90 of it. */
let known: Known

const prepared = async (page: Page): Promise<Known> => {
  const [open] = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list
  const { gradeId, year, season } = open
  const batch = { code: 'E2E-ZD', name: BATCH, year, season, gradeId }
  const { id: batchId } = await call(page, 'POST', 'enrollmentBatch/save', batch)
  await call(page, 'POST', 'enrollmentMajor/fromForecast', { batchId })
  const [major] = (await call(page, 'POST', 'enrollmentMajor/list', { batchId })).list
  const { id, version, majorId, tuition, name, majorCode, levelName, studyForm } = major
  await call(page, 'PUT', 'enrollmentMajor/edit', { id, version, majorId, tuition, quota: QUOTA, enabled: true })
  const sites: Known['sites'] = await call(page, 'GET', 'options/site?enabled=true')
  const forms = await callFromPage(page, 'GET', '/system/pc/api/enum/list/studyForm')
  const form = forms.data.find(({ code }: { code: string }) => code === studyForm).desc

  const lines = [{ enrollmentMajorId: id, quotaApplied: 90 }]
  const plan = await call(page, 'POST', 'siteEnrollment/save', { batchId, siteId: sites[0]?.code, lines })
  await call(page, 'POST', 'siteEnrollment/submit', { id: plan.id, version: 1 })
  await call(page, 'POST', 'siteEnrollment/audit', { id: plan.id, version: 2 })
  return { batchId, major: { id, name, majorCode, levelName, form }, sites }
}

const site = (at: number) => {
  const found = known.sites[at]
  if (!found) throw new Error(`the school has no site ${at}`)
  return found
}

/** The page with the plans of the batch alone. */
const openPlans = async (page: Page) => {
  await helpAt(page, OPERATOR, SOUTH, `${paths.siteEnrollments.slice(1)}?batchId=${known.batchId}`)
  await expect(page.getByRole('heading', { level: 1, name: '站点招生' })).toBeVisible()
}

const granted = (page: Page) => dialog(page).getByRole('spinbutton', { name: `${known.major.name} 核定人数` })

test('a plan is written, handed in, refused above what is left of the major, and granted', async ({ page }) => {
  await enter(page)
  known = await prepared(page)
  await goTo(page, '站点招生')
  await page.getByRole('button', { name: '新增站点招生' }).click()
  await choose(page, '招生批次', BATCH)
  await choose(page, '教学站点', site(1).desc)
  await dialog(page).getByRole('combobox', { name: '申报专业', exact: true }).click()
  await page.getByRole('option', { name: known.major.name, exact: true }).first().click()
  await page.keyboard.press('Tab')
  await fill(page, { 联系人: '刘站长', 联系电话: '13900008888' })
  await press(page, '保存')
  await expect(dialog(page).getByText('请填写每个专业的申报人数')).toBeVisible()
  await dialog(page)
    .getByRole('spinbutton', { name: `${known.major.name} 申报人数` })
    .fill('35')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增站点招生，提交后由学校核定')

  await openAt(page, `${paths.siteEnrollments.slice(1)}?batchId=${known.batchId}`)
  const row = rowOf(page, site(1).desc)
  await expect(row).toContainText('草稿')
  await expect(row).toContainText('139****8888')
  await actInMore(page, site(1).desc, '提交')
  await expect(dialog(page).getByText('核定或退回前不能修改')).toBeVisible()
  await press(page, '提交')
  await told(page, `已提交“${site(1).desc}”的申报`)
  await expect(row).toContainText('待审核')

  await act(page, site(1).desc, '审核')
  const audit = dialog(page, `审核站点招生 ${site(1).desc}`)
  await expect(audit.getByRole('row').filter({ hasText: known.major.name })).toContainText('30')
  await expect(granted(page)).toHaveValue('35')
  await expect(audit.getByText('超出5人')).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  const refusal = audit.getByRole('alert').filter({ hasText: `${known.major.name}剩余计划30人，核定35人超出` })
  await expect(refusal).toBeVisible()
  await granted(page).fill('30')
  await expect(audit.getByText('超出5人')).toHaveCount(0)
  await press(page, '保存')
  await told(page, `已核定“${site(1).desc}”`)
  await expect(row).toContainText('已核定')
  await expect(row.getByRole('cell', { name: '30', exact: true })).toBeVisible()
})

test('what was granted is taken back, sent back with its reason, mended and deleted', async ({ page }) => {
  await openPlans(page)
  const row = rowOf(page, site(1).desc)
  await actInMore(page, site(1).desc, '撤销核定')
  await press(page, '撤销核定')
  await told(page, `已撤销“${site(1).desc}”的核定`)
  await expect(row).toContainText('待审核')
  await actInMore(page, site(1).desc, '退回')
  await fill(page, { 原因: '多' })
  await press(page, '保存')
  await expect(dialog(page).getByText('请填写原因')).toBeVisible()
  await fill(page, { 原因: '请按上年人数申报' })
  await press(page, '保存')
  await told(page, `已退回“${site(1).desc}”`)
  await expect(row).toContainText('退回')

  await row.getByRole('button', { name: site(1).desc, exact: true }).click()
  const file = dialog(page, site(1).desc)
  await expect(file.getByRole('alert').filter({ hasText: '已退回：请按上年人数申报' })).toBeVisible()
  await expect(file.getByRole('region', { name: '申报专业' })).toContainText(known.major.name)
  await expect(file.getByRole('region', { name: '操作日志' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await act(page, site(1).desc, '编辑')
  await dialog(page)
    .getByRole('spinbutton', { name: `${known.major.name} 申报人数` })
    .fill('20')
  await press(page, '保存')
  await told(page, '已保存站点招生，提交后由学校核定')
  await expect(row).toContainText('草稿')
  await actInMore(page, site(1).desc, '删除')
  await expect(dialog(page).getByText(`确定删除“${site(1).desc}的申报”吗？`)).toBeVisible()
  await press(page, '删除')
  await told(page, /^已删除/)
  await expect(row).toHaveCount(0)
})

test('plans come by sheet, after the quota that they exceed is told', async ({ page }) => {
  await openPlans(page)
  await page.getByRole('button', { name: '导入计划' }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await (await coming).path()
  const { majorCode, levelName, form, name } = known.major
  const line = (核定人数: string) => ({
    站点编码: site(2).number,
    层次: levelName,
    专业代码: majorCode,
    学习形式: form,
    核定人数,
  })
  const upload = page.locator('input[type=file]')
  await upload.setInputFiles(filledIn(template, [line('31')]))
  await expect(dialog(page).getByText(`${name}剩余计划30人，核定31人超出`)).toBeVisible()
  await press(page, '重新上传')
  await upload.setInputFiles(filledIn(template, [line('25')]))
  await expect(dialog(page).getByText('检查通过，共1行')).toBeVisible()
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '关闭')
  await expect(rowOf(page, site(2).desc)).toContainText('已核定')
})

test('the summary tells by major what is left, and leads to the plans', async ({ page }) => {
  await openPlans(page)
  await openTab(page, '按专业汇总')
  await expect(page).toHaveURL(/tab=summary/)
  const row = page.getByRole('row').filter({ hasText: `${known.major.name} ${known.major.majorCode}` })
  // Of 120, two sites applied for and have 90 and 25.
  for (const figure of ['2', '120', '115', '5'])
    await expect(row.getByRole('cell', { name: figure, exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('row').filter({ hasText: '合计' }).getByRole('link', { name: '115' }).last().click()
  await expect(page).toHaveURL(new RegExp(`batchId=${known.batchId}&status=approved`))
  await expect(rowOf(page, site(0).desc)).toBeVisible()
  await expect(rowOf(page, site(2).desc)).toBeVisible()
})

test('ticked plans are granted what they applied for, each by itself', async ({ page }) => {
  await openPlans(page)
  const apply = async (siteId: number, quotaApplied: number) => {
    const lines = [{ enrollmentMajorId: known.major.id, quotaApplied }]
    const { id } = await call(page, 'POST', 'siteEnrollment/save', { batchId: known.batchId, siteId, lines })
    await call(page, 'POST', 'siteEnrollment/submit', { id, version: 1 })
  }
  // Five are left.
  await apply(site(1).code, 6)
  await openAt(page, `${paths.siteEnrollments.slice(1)}?batchId=${known.batchId}&status=submitted`)
  await rowOf(page, site(1).desc).getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: '按申报数核定' }).click()
  await press(page, '按申报数核定')
  await expect(dialog(page).getByText(`${known.major.name}剩余计划5人，核定6人超出`)).toBeVisible()
  await press(page, '知道了')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rowOf(page, site(1).desc)).toContainText('待审核')
})

test('an operator sees the plans of all schools and how far each is, and changes none', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.siteEnrollments.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '站点招生' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  await expect(page.getByRole('button', { name: '新增站点招生' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '导入计划' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '导出', exact: true })).toBeVisible()
  await page.getByRole('button', { name: '展开各院校计划完成' }).click()
  const chart = page.getByRole('table', { name: '各院校计划完成' })
  await expect(chart.getByRole('row').filter({ hasText: EAST })).toContainText('%')
  await expectAccessible(page)
  await chart.getByRole('button', { name: SHORT }).click()
  await expect(page).toHaveURL(/siteEnrollment\?schoolId=\d+/)
  await expect(page.getByRole('button', { name: '选定院校' })).toHaveCount(0)
  await openTab(page, '按专业汇总')
  await expect(page.getByRole('row').filter({ hasText: '合计' })).toBeVisible()
})
