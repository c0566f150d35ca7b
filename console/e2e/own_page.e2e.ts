import { createHmac } from 'node:crypto'
import { expectAccessible } from './axe'
import { callFromPage, dialog, fillSignIn, goTo, isIn, openTab, signIn, signInTo, told } from './kit'
import { operatorOf, PASSWORD } from './session'
import { expect, type Page, test } from './test'

/** One's own page, the home page and machine tokens, as an operator of this file. */

const ACCOUNT = operatorOf('own_page', '演示值守')
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What an authenticator shows: RFC 6238 with SHA-1, six digits, thirty seconds. */
const codeOf = (secret: string, at = Date.now()) => {
  const bits = [...secret].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const openOwn = async (page: Page) => {
  await page.getByRole('button', { name: /演示值守/ }).click()
  await page.getByRole('menuitem', { name: '我的账号' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '我的账号' })).toBeVisible()
}

test('home shows figures that lead to their lists, and pages at hand', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await expect(page).toHaveURL(/\/dashboard$/)
  const cards = page.getByRole('list', { name: '主要数据' })
  await expect(cards.getByText('正常院校')).toBeVisible()
  await expect(page.getByRole('region', { name: '近30天登录人数' }).getByRole('table')).toBeAttached()
  await expect(page.getByRole('list', { name: '主要数据' }).getByText('在籍学生')).toBeVisible()
  await expect(cards.getByText('今日订单金额')).toBeVisible()
  await expect(page.getByRole('region', { name: '近30天收入' }).getByRole('table')).toBeAttached()
  await expectAccessible(page)
  const shown = await cards.getByRole('listitem').filter({ hasText: '正常院校' }).getByRole('link').innerText()
  await cards.getByRole('listitem').filter({ hasText: '正常院校' }).getByRole('link').click()
  await expect(page).toHaveURL(/sys\/school\/list\?status=active$/)
  await expect(page.getByText(`共 ${shown} 条`)).toBeVisible()

  await goTo(page, '首页')
  await page.getByRole('button', { name: '设置' }).click()
  await dialog(page, '设置快捷入口').getByRole('combobox', { name: '快捷入口' }).click()
  await page.keyboard.type('账号')
  await page.getByRole('option', { name: /^账号管理/ }).click()
  await page.keyboard.press('Escape')
  await dialog(page, '设置快捷入口').getByRole('button', { name: '保存' }).click()
  await told(page, '已保存快捷入口')
  await page.getByRole('region', { name: '快捷入口' }).getByRole('link', { name: '账号管理' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '账号管理' })).toBeVisible()
})

test('the profile is kept and the session list shows this browser', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await openOwn(page)
  await page.getByRole('textbox', { name: '邮箱' }).fill('zhishou@example.cn')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '已保存个人资料')
  await expect(page.getByRole('textbox', { name: '邮箱' })).toHaveValue(/\*/)
  const devices = page.getByRole('region', { name: '登录设备' })
  await expect(devices.getByText('当前')).toBeVisible()
  await expect(devices.getByRole('button', { name: '退出' })).toBeDisabled()
  await expectAccessible(page)
})

test('a second step of signing in lives: set up, asked for, given up', async ({ page, elsewhere: second }) => {
  await signIn(page, ACCOUNT)
  await openOwn(page)
  await page.getByRole('button', { name: '启用两步验证' }).click()
  await dialog(page).getByLabel('登录密码').fill(PASSWORD)
  await dialog(page).getByRole('button', { name: '下一步' }).click()
  await expect(dialog(page).getByRole('img', { name: '两步验证二维码' })).toBeVisible()
  const secret = await dialog(page).locator('code').innerText()
  await dialog(page).getByLabel('动态验证码').fill(codeOf(secret))
  await dialog(page).getByRole('button', { name: '启用', exact: true }).click()
  const shown = dialog(page, '请保存恢复码').getByRole('listitem')
  await expect(shown).toHaveCount(10)
  const codes = await shown.allInnerTexts()
  await dialog(page, '请保存恢复码').getByRole('button', { name: '我已保存' }).click()
  await expect(page.getByRole('region', { name: '两步验证' }).getByText('已启用', { exact: true })).toBeVisible()

  await second.goto('login')
  await fillSignIn(second, ACCOUNT)
  await second.getByRole('textbox', { name: '动态验证码' }).fill('000000')
  await second.getByRole('button', { name: '登录', exact: true }).click()
  await expect(second.getByText(/动态验证码错误，还可尝试\d次/)).toBeVisible()
  await second.getByRole('textbox', { name: '动态验证码' }).fill(codes[0] ?? '')
  await second.getByRole('button', { name: '登录', exact: true }).click()
  await isIn(second)
  await openOwn(second)
  await expect(second.getByText('剩余 9 个恢复码')).toBeVisible()
  await second.getByRole('button', { name: '停用' }).click()
  await dialog(second).getByLabel('登录密码').fill(PASSWORD)
  await dialog(second)
    .getByLabel('动态验证码')
    .fill(codes[1] ?? '')
  await dialog(second).getByRole('button', { name: '停用' }).click()
  await told(second, '已停用两步验证')
  await expect(second.getByRole('button', { name: '启用两步验证' })).toBeVisible()
})

test('a machine token is shown once, calls, and ends', async ({ page }) => {
  await signInTo(page, ACCOUNT, '账号管理')
  await openTab(page, '机器令牌')
  await page.getByRole('button', { name: '签发令牌' }).click()
  const form = dialog(page, '签发机器令牌')
  await form.getByRole('textbox', { name: '名称' }).fill('terraform')
  const nextYear = new Date().getFullYear() + 1
  await form.getByRole('textbox', { name: '有效期至' }).fill(`${nextYear}-03-01`)
  await page.keyboard.press('Enter')
  await form.getByLabel('查找权限').fill('院校列表')
  await form.getByRole('treeitem', { name: '院校列表 system:pc:sys:school:list' }).locator('label').click()
  await form.getByRole('button', { name: '保存', exact: true }).click()
  const secret = await dialog(page, '机器令牌已签发').locator('code').innerText()
  expect(secret).toMatch(/^cjm_/)
  await dialog(page, '机器令牌已签发').getByRole('button', { name: '我已保存' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'terraform' })).toContainText('有效')
  const listed = await page.request.post('admin/apis/system/pc/sys/school/list', {
    headers: { token: secret },
    data: {},
  })
  expect((await listed.json()).code).toBe(200)
  await page.getByRole('row').filter({ hasText: 'terraform' }).getByRole('button', { name: '停用' }).click()
  await dialog(page).getByRole('button', { name: '停用' }).click()
  await told(page, '已停用“terraform”')
  const refused = await page.request.post('admin/apis/system/pc/sys/school/list', {
    headers: { token: secret },
    data: {},
  })
  expect((await refused.json()).code).toBe(303)
  expect(await callFromPage(page, 'POST', '/system/pc/sys/machineToken/list', {})).toMatchObject({ code: 200 })
})
