import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { actInMore, dataOf, dialog, fill, helpAt, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** 字段映射 of a batch in the second school, by an operator who helps there (02 §4, §14.1). */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('enrolment_mapping', '演示字段映射')
const BATCH = '字段映射批次'

const enter = (page: Page) => helpAt(page, OPERATOR, '南岭示范大学')

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

const openBatch = async (page: Page, keyword: string) => {
  await openAt(page, `${paths.enrollmentBatches.slice(1)}?keyword=${encodeURIComponent(keyword)}`)
  await expect(rowOf(page, keyword).first()).toBeVisible()
}

test('columns and codes of the authority’s file are set; another’s change is told and nothing is lost', async ({
  page,
}) => {
  await enter(page)
  const [open] = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list
  const { gradeId, year, season } = open
  const batch = { code: 'E2E-YS', name: BATCH, year, season, gradeId }
  const { id } = await call(page, 'POST', 'enrollmentBatch/save', batch)
  await openBatch(page, BATCH)
  await actInMore(page, BATCH, '字段映射')
  const form = dialog(page, `字段映射 ${BATCH}`)
  const name = form.getByRole('textbox', { name: '姓名 来源列' })
  await expect(name).toHaveValue('XM')
  await expect(form.getByRole('row').filter({ hasText: '姓名' })).toContainText('必需')
  await expectAccessible(page)
  await name.fill('')
  await press(page, '保存')
  await expect(form.getByText('请填写姓名的来源列')).toBeVisible()
  await name.fill('KSXM')

  await openTab(form, '代码映射')
  await expect(form.getByText('各省的层次代码不同')).toBeVisible()
  await form.getByRole('button', { name: '添加层次代码' }).click()
  await form.getByRole('textbox', { name: '层次 第1个代码' }).fill('5')
  await press(page, '保存')
  await expect(form.getByText('请填写层次的代码和对应值，或移除空行')).toBeVisible()
  await form.getByRole('combobox', { name: '层次 第1个对应值' }).click()
  await page.getByRole('option', { name: '专升本' }).click()
  await form.getByRole('button', { name: '添加民族代码' }).click()
  await form.getByRole('textbox', { name: '民族 第1个代码' }).fill('01')
  await form.getByRole('combobox', { name: '民族 第1个对应值' }).click()
  await page.getByRole('option', { name: '汉族' }).click()
  await expectAccessible(page)

  // Somebody else renames the batch meanwhile.
  const view = await call(page, 'GET', `enrollmentBatch/view?id=${id}`)
  await call(page, 'PUT', 'enrollmentBatch/edit', { ...batch, id, version: view.version, enrolledOn: view.enrolledOn })
  await press(page, '保存')
  const conflict = form.getByRole('alert').filter({ hasText: '数据已被' })
  await expect(conflict).toBeVisible()
  await conflict.getByRole('button', { name: '重新载入' }).click()
  await expect(conflict).toHaveCount(0)
  await press(page, '保存')
  await told(page, '已保存字段映射')

  const saved = await call(page, 'GET', `enrollmentBatch/view?id=${id}`)
  expect(saved.columnMap).toContainEqual({ field: 'name', column: 'KSXM' })
  const level = saved.valueMaps.find(({ field }: { field: string }) => field === 'level')
  expect(level.code).toBe('5')
  expect(saved.valueMaps).toContainEqual({ field: 'ethnicity', code: '01', value: '01' })
})

test('a batch that is over is only looked at', async ({ page }) => {
  await enter(page)
  const [closed] = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'closed' })).list
  await openBatch(page, closed.name)
  await actInMore(page, closed.name, '字段映射')
  const shown = dialog(page, `字段映射 ${closed.name}`)
  await expect(shown.getByText('批次已结束，字段映射只能查看')).toBeVisible()
  await expect(shown.getByRole('textbox', { name: '考生号 来源列' })).toBeDisabled()
  await expect(shown.getByRole('button', { name: '保存' })).toHaveCount(0)
})

test('a copy tells how many majors it has, and which it left out', async ({ page }) => {
  await enter(page)
  const closed = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'closed', pageSize: 100 })).list
  const newest = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list[0]
  const source = closed.find(({ gradeId }: { gradeId: number }) => gradeId !== newest.gradeId)
  await openBatch(page, source.name)
  await actInMore(page, source.name, '复制')
  await dialog(page).getByRole('combobox', { name: '年级', exact: true }).click()
  await page.getByRole('option', { name: newest.gradeName, exact: true }).click()
  await fill(page, { 编码: 'E2E-FZ', 名称: '复制的批次' })
  await press(page, '保存')
  await told(page, /^已复制\d+个专业，新批次为草稿$/)
})
