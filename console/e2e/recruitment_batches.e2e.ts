import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dataOf,
  dialog,
  fill,
  idCardOf,
  press,
  rowOf,
  signIn,
  signInTo,
  told,
} from './kit'
import { expect, type Page, test } from './test'

/** 预报名批次 of the first school, as its 招办管理员. One story goes on from the other. */

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'demo01_zb'
const PAGE = '预报名批次'
const LEVEL = '专升本'
const NAME = '限时批次'
const COPY = '限时批次二'

const open = (page: Page) => signInTo(page, ACCOUNT, PAGE)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

const time = async (page: Page, label: string, value: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(value)
  await box.press('Enter')
  await expect(box).toHaveValue(value)
}

/** The first choice of a select of several. */
const tickFirst = async (page: Page, label: string | RegExp) => {
  await dialog(page).getByRole('combobox', { name: label }).first().click()
  await page.getByRole('option').first().click()
  await page.keyboard.press('Tab')
}

test('a batch lives: refused, made, offered, switched off and on', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: '新增批次' }).click()
  await fill(page, { 批次编码: 'YL-1', 名称: NAME })
  await choose(page, '年级', '2026级')
  await choose(page, '招生层次', LEVEL)
  await page.keyboard.press('Tab')
  await time(page, '开始时间', '2025-09-01 00:00:00')
  await time(page, '结束时间', '2025-08-01 00:00:00')
  await press(page, '保存')
  await expect(dialog(page).getByText('结束时间须晚于开始时间')).toBeVisible()
  // A day alone is enough, and means all of it.
  const end = dialog(page).getByRole('textbox', { name: '结束时间', exact: true })
  await end.fill('2099-09-10')
  await end.press('Tab')
  await expect(end).toHaveValue('2099-09-10 23:59:59')
  await dialog(page).getByText('提交即通过').click()
  await dialog(page).getByRole('textbox', { name: '报名须知' }).click()
  await page.keyboard.type('请带身份证')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增预报名批次，请设置专业站点')
  const row = rowOf(page, NAME)
  await expect(row).toContainText('2025-09-01 00:00 至 2099-09-10 23:59')
  await expect(row).toContainText('进行中')
  await expect(row).toContainText(LEVEL)

  // What it offers is asked for at once.
  await expect(dialog(page).getByText('还没有选择专业，报名人无法报名')).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: /^加入全部\d+个专业$/ })
    .click()
  const majors = dialog(page).getByRole('button', { name: /^移除/ })
  const all = await majors.count()
  expect(all).toBeGreaterThan(1)
  await majors.last().click()
  await expect(majors).toHaveCount(all - 1)
  await tickFirst(page, / 站点$/)
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已保存专业站点')

  await row.getByRole('button', { name: NAME, exact: true }).click()
  const file = dialog(page, NAME)
  await expect(file.getByRole('region', { name: '报名须知' })).toContainText('请带身份证')
  await expect(file.getByRole('region', { name: '操作日志' })).toContainText('全部站点')
  await page.keyboard.press('Escape')

  await actInMore(page, NAME, '停用')
  await expect(dialog(page).getByText(`停用“${NAME}”？`)).toBeVisible()
  await press(page, '停用')
  await told(page, `已停用“${NAME}”`)
  await expect(row).toContainText('已停用')
  await actInMore(page, NAME, '启用')
  await told(page, `已启用“${NAME}”`)
  await expect(row).toContainText('进行中')
})

test('the link of a batch stands there with its code, and is renewed', async ({ page }) => {
  const SETTING = '/system/pc/sys/school/setting'
  await signIn(page, 'demo01_admin')
  const { data } = await callFromPage(page, 'GET', `${SETTING}/view?group=recruitment`)
  const clientUrls = { student: 'https://xs.example.cn', teacher: '', site: '' }
  const set = { group: 'recruitment', version: data.version, value: { clientUrls } }
  expect((await callFromPage(page, 'PUT', `${SETTING}/edit`, set)).code).toBe(200)

  await open(page)
  await actInMore(page, NAME, '报名链接')
  const drawer = dialog(page, `报名链接 ${NAME}`)
  const address = drawer.getByRole('link', { name: /^https:\/\/xs\.example\.cn\/preRegistration\?publicToken=/ })
  await expect(drawer.getByRole('img', { name: `${NAME}的报名二维码` })).toBeVisible()
  const before = await address.innerText()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: '重置', exact: true }).click()
  await expect(page.getByText('重置报名链接？')).toBeVisible()
  await press(page, '重置')
  await told(page, '已重置报名链接')
  await expect(address).not.toHaveText(before)
})

test('the next cohort’s batch begins as a copy, and goes again', async ({ page }) => {
  await open(page)
  await actInMore(page, NAME, '复制到新年级')
  await dialog(page).getByRole('combobox', { name: '年级', exact: true }).click()
  await page.getByRole('option').filter({ hasNotText: '2026级' }).first().click()
  await fill(page, { 批次编码: 'YL-1', 名称: COPY })
  await press(page, '保存')
  await expect(dialog(page).getByText('编码“YL-1”已存在')).toBeVisible()
  await fill(page, { 批次编码: 'YL-2' })
  await press(page, '保存')
  await told(page, /^已复制\d+个专业，新批次为停用，请核对后启用$/)
  await expect(rowOf(page, COPY)).toContainText('已停用')
  await actInMore(page, COPY, '删除')
  await expect(dialog(page).getByText(`确定删除“${COPY}”吗？`)).toBeVisible()
  await press(page, '删除')
  await told(page, `已删除“${COPY}”`)
})

test('its people are a click away, and hold what they have chosen', async ({ page }) => {
  await open(page)
  const batch = (await call(page, 'POST', 'preRegistrationBatch/list', { keyword: NAME })).list[0]
  const offer = await call(page, 'GET', `preRegistration/offer?batchId=${batch.id}`)
  const [major] = offer.majors
  const site = offer.sites.find(({ id, active }: { id: number; active: boolean }) =>
    major.siteIds ? major.siteIds.includes(id) : active,
  )
  await call(page, 'POST', 'preRegistration/save', {
    batchId: batch.id,
    name: '公孙批',
    idCardNo: idCardOf(60),
    phone: '13900139060',
    levelId: major.levelId,
    majorId: major.id,
    siteId: site.id,
    preEduLevel: 'associate',
  })
  await page.getByRole('button', { name: '刷新列表' }).click()
  await expect(rowOf(page, NAME).getByRole('cell', { name: '1', exact: true }).first()).toBeVisible()
  await act(page, NAME, '专业站点')
  await expect(dialog(page).getByRole('button', { name: `移除${major.name}`, exact: true })).toBeDisabled()
  await press(page, '取消')
  await rowOf(page, NAME).getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('button', { name: '删除', exact: true })).toBeDisabled()
  await page.getByRole('menuitem').getByRole('button', { name: '查看名单', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '预报名列表' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`batchId=${batch.id}`))
  await expect(rowOf(page, '公孙批')).toBeVisible()
})

test('what is scrubbed soon is told before, and can be held back', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: '个人信息清理' }).click()
  await expect(dialog(page).getByText('90天内没有需要清理的批次')).toBeVisible()
  await expect(dialog(page)).toContainText('批次结束满24个月的当日凌晨4:40')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // The batch ended two years ago but for some weeks.
  const batch = (await call(page, 'POST', 'preRegistrationBatch/list', { keyword: NAME })).list[0]
  const ended = new Date()
  ended.setMonth(ended.getMonth() - 24)
  ended.setDate(ended.getDate() + 40)
  const { id, version, code, name, gradeId, levelIds } = batch
  const times = { startsAt: '2020-01-01T00:00:00+08:00', endsAt: ended.toISOString() }
  await call(page, 'PUT', 'preRegistrationBatch/edit', { id, version, code, name, gradeId, levelIds, ...times })
  await page.reload()
  await page.getByRole('button', { name: '个人信息清理' }).click()
  await act(page, NAME, '暂停清理', `暂停清理“${NAME}”？`)
  await told(page, `已暂停清理“${NAME}”`)
  const line = dialog(page, '个人信息清理').getByRole('row').filter({ hasText: NAME })
  await expect(line).toContainText('已暂停')
  await line.getByRole('button', { name: '恢复清理' }).click()
  await press(page, '恢复清理')
  await told(page, `已恢复清理“${NAME}”`)
  await expect(line).toContainText('到期清理')
  await expectAccessible(page)
})
