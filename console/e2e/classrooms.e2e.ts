import { expectAccessible } from './axe'
import { act, choose, dialog, fill, openAt, openTab, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** Rooms, filings and generated classes of the second school, as its 课程管理员; the national catalogue as an operator. */

const ACCOUNT = 'demo02_kc'
const OPERATOR = operatorOf('classrooms', '演示数据')
const FILINGS = 'schoolPC/basicData/major/forecastingMajor'

test('a site has rooms: created, refused, switched off, deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '站点管理')
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await openTab(dialog(page), '教室')
  await expect(dialog(page).getByText('实训楼301')).toBeVisible()
  await press(page, '新增教室')
  await fill(page, { 楼宇: '实训楼', 房间号: '809' })
  await dialog(page).getByRole('spinbutton', { name: '容量', exact: true }).fill('60')
  await dialog(page).getByRole('spinbutton', { name: '考试容量' }).fill('80')
  await press(page, '保存')
  await expect(dialog(page).getByText('考试容量不能大于容量')).toBeVisible()
  await dialog(page).getByRole('spinbutton', { name: '考试容量' }).fill('30')
  await press(page, '保存')
  await told(page, '已新增教室')
  await expect(rowOf(page, '实训楼809')).toContainText('普通')
  await act(page, '实训楼809', '停用', '停用“实训楼809”？')
  await expect(rowOf(page, '实训楼809').getByRole('button', { name: '启用' })).toBeVisible()
  await act(page, '实训楼809', '删除', '确定删除“实训楼809”吗？')
  await told(page, '已删除“实训楼809”')
  await openTab(dialog(page), '班级')
  await expect(dialog(page).getByRole('tabpanel', { name: '班级' }).getByRole('row').nth(1)).toBeVisible()
})

test('a filing goes its way', async ({ page }) => {
  await signIn(page, ACCOUNT, `${FILINGS}?status=draft`)
  await expect(page.getByRole('heading', { level: 1, name: '拟招生专业' })).toBeVisible()
  const draft = page.getByRole('row').nth(1)
  const name = (await draft.getByRole('button').first().innerText()).trim()
  await draft.getByRole('button', { name: '上报', exact: true }).click()
  await press(page, '上报')
  await told(page, `已上报“${name}”`)
  await openAt(page, `${FILINGS}?status=submitted&keyword=${encodeURIComponent(name)}`)
  await act(page, name, '备案通过')
  await dialog(page).getByRole('textbox', { name: '备案日期' }).fill('2026-11-02')
  await dialog(page).getByRole('textbox', { name: '备案号' }).fill('E2E-1')
  await press(page, '保存')
  await told(page, '已记录备案结果')
  await openAt(page, `${FILINGS}?keyword=${encodeURIComponent(name)}`)
  await expect(rowOf(page, 'E2E-1').getByText('已备案')).toBeVisible()
  await rowOf(page, 'E2E-1').getByRole('button').first().click()
})

test('what is filed for a year is printed and signed', async ({ page }) => {
  await signIn(page, ACCOUNT, FILINGS)
  const first = page.getByRole('row').nth(1)
  const year = (await first.getByRole('cell', { name: /^20\d\d$/ }).innerText()).trim()
  await expect(page.getByRole('button', { name: '汇总表' })).toBeDisabled()
  await page.getByRole('textbox', { name: '招生年份' }).fill(year)
  await page.getByRole('button', { name: '查询' }).click()
  await page.getByRole('button', { name: '汇总表' }).click()
  const sheet = dialog(page, '拟招生专业汇总表').getByRole('table', { name: new RegExp(`${year}年拟招生专业汇总表`) })
  const headings = ['序号', '专业代码', '专业名称', '层次', '学习形式', '学制', '拟招人数', '学费(元/年)', '教学点']
  await expect(sheet.getByRole('columnheader')).toHaveText(headings)
  const rows = sheet.locator('tbody').getByRole('row')
  const quotas = await rows.locator('td:nth-child(7)').allInnerTexts()
  const sum = quotas.reduce((total, quota) => total + Number(quota.replaceAll(',', '')), 0)
  await expect(sheet).toContainText(`拟招人数合计：${sum.toLocaleString('en')}`)
  await expect(dialog(page).getByText('制表人：')).toBeVisible()
  await expectAccessible(page)
})

test('classes are generated as they were shown', async ({ page }) => {
  await signInTo(page, ACCOUNT, '班级管理')
  await page.getByRole('button', { name: '批量生成' }).click()
  for (const label of ['年级', '专业', '站点']) {
    await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option').first().click()
    await page.keyboard.press('Tab')
  }
  await press(page, '预览')
  const sure = dialog(page).getByRole('button', { name: '确认生成1个班级' })
  // The rows before that are those of the choice.
  await expect(sure).toBeVisible()
  const name = await dialog(page).getByRole('row').nth(1).getByRole('cell').first().innerText()
  await sure.click()
  await expect(dialog(page).getByText('已生成1个班级')).toBeVisible()
  await press(page, '关闭')
  await page.getByRole('textbox', { name: '编码或名称' }).fill(name)
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, name)).toBeVisible()
})

test('classes change their manager, and their sheet stands alone on paper', async ({ page }) => {
  await signInTo(page, ACCOUNT, '班级管理')
  // One that has a manager and students; the first row is the headings.
  const lived = page
    .getByRole('row')
    .filter({ hasNotText: '—' })
    .filter({ hasNotText: /\D0 \/ / })
  const name = (await lived.nth(1).getByRole('button').first().innerText()).trim()
  await page.getByRole('textbox', { name: '编码或名称' }).fill(name)
  await page.getByRole('button', { name: '查询' }).click()
  const tick = async (button: string) => {
    await rowOf(page, name).first().getByRole('checkbox').press('Space')
    await page.getByRole('status').getByRole('button', { name: button }).click()
  }
  await tick('取消班主任')
  await press(page, '取消班主任')
  await told(page, '取消班主任：已完成1条')
  await tick('设置班主任')
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择班主任')).toBeVisible()
  await dialog(page).getByRole('combobox', { name: '班主任' }).click()
  const offered = page.getByRole('option').first()
  const manager = (await offered.innerText()).replace(/（.*/, '')
  await offered.click()
  await press(page, '保存')
  await told(page, '设置班主任已完成')
  await expect(rowOf(page, name).first()).toContainText(manager)

  await act(page, name, '花名册')
  const sheet = dialog(page).getByRole('table')
  await expect(sheet.getByRole('columnheader', { name: '签名' })).toBeVisible()
  await expect(sheet).toContainText(`班主任：${manager}`)
  await expect(sheet).toContainText('****')
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: '班级管理' })).toBeHidden()
  await expect(page.getByRole('dialog')).toBeHidden()
  // What is printed is the sheet, outside the page's tree.
  const printed = page.getByRole('table').filter({ hasText: '签名' })
  await expect(printed).toHaveCount(1)
  const headings = ['序号', '学号', '姓名', '性别', '证件号', '手机', '状态', '签名']
  await expect(printed.getByRole('columnheader')).toHaveText(headings)
  const pdf = await page.pdf({ preferCSSPageSize: true })
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? []
  expect(Number(width)).toBeLessThan(Number(height))
})

test('an operator keeps the national catalogue', async ({ page }) => {
  await signInTo(page, OPERATOR, '国家专业库')
  await page.getByRole('button', { name: '新增国家专业' }).click()
  await fill(page, { 专业代码: '120291T', 专业名称: '数字财务管理', 专业类代码: '5303', 专业类: '工商管理类' })
  await choose(page, '门类', '管理学')
  await dialog(page).getByRole('spinbutton', { name: '目录年版' }).fill('2031')
  await press(page, '保存')
  await expect(dialog(page).getByText('专业类代码应以门类代码12开头')).toBeVisible()
  await fill(page, { 专业类代码: '1202' })
  await press(page, '保存')
  await told(page, '已新增国家专业')
  await page.getByRole('textbox', { name: '代码或名称' }).fill('120291T')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, '120291T')).toContainText('管理学')
  await act(page, '120291T', '停用', '停用“数字财务管理”？')
  await expect(rowOf(page, '120291T').getByRole('button', { name: '启用' })).toBeVisible()
  await act(page, '120291T', '删除', '确定删除“数字财务管理”吗？')
  await told(page, '已删除“数字财务管理”')
})
