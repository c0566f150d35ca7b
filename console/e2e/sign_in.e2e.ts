import { fillSignIn, isIn, told } from './kit'
import { PASSWORD } from './session'
import { expect, type Page, test } from './test'

/** Signing in and out as 教务管理员 of the first school, and where the guard leads. */

const ACCOUNT = 'demo01_jw'
const signIn = async (page: Page, account: string, at = 'login') => {
  await page.goto(at)
  await fillSignIn(page, account)
  await isIn(page)
}
const WANTED = 'schoolPC/basicData/site'

test('a wrong password is told with the tries that are left, and the right one still opens', async ({ page }) => {
  await page.goto('login')
  await fillSignIn(page, ACCOUNT, 'Wrong@2026')
  await told(page, /账号或密码错误，还可尝试\d次/)
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: '登录' }).click()
  await isIn(page)
})

test('empty fields are told at once', async ({ page }) => {
  await page.goto('login')
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page.getByText('请输入账号')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()
})

test('the password is encrypted by the browser where it can', async ({ page }) => {
  await page.goto('login')
  expect(await page.evaluate(() => isSecureContext)).toBe(true)
  const sent = page.waitForRequest(/schoolLogin/)
  await fillSignIn(page, ACCOUNT)
  expect((await sent).postData()).not.toContain(PASSWORD)
  await isIn(page)
})

test('on a plain address the console encrypts by itself', async ({ page, baseURL }) => {
  const plain = new URL(baseURL ?? '')
  plain.hostname = 'school.test'
  await page.goto(new URL('login', plain).href)
  expect(await page.evaluate(() => [isSecureContext, typeof crypto.subtle])).toEqual([false, 'undefined'])
  const sent = page.waitForRequest(/schoolLogin/)
  await fillSignIn(page, ACCOUNT)
  expect((await sent).postData()).not.toContain(PASSWORD)
  await isIn(page)
})

test('a wanted page is reached after signing in', async ({ page }) => {
  await page.goto(`${WANTED}?keyword=01`)
  await expect(page).toHaveURL(/\/login\?redirect=%2FschoolPC%2FbasicData%2Fsite%3Fkeyword%3D01$/)
  await fillSignIn(page, ACCOUNT)
  await expect(page).toHaveURL(/\/schoolPC\/basicData\/site\?keyword=01$/)
  await expect(page.getByRole('textbox', { name: '编码或名称' })).toHaveValue('01')
})

test('a redirect out of the console leads home', async ({ page, baseURL }) => {
  await signIn(page, ACCOUNT, 'login?redirect=%2F%2Fevil')
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(new URL(page.url()).origin).toBe(new URL(baseURL ?? '').origin)
})

test('who is signed in does not see the sign-in page', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.goto('login')
  await isIn(page)
  await expect(page).not.toHaveURL(/login/)
})

test('signing out asks, forgets the session and closes every page', async ({ page, context }) => {
  await signIn(page, ACCOUNT)
  await page.getByRole('button', { name: '教务管理员' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page.getByRole('dialog').getByText('确定退出登录吗？')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '退出' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('education_admin_token')
  await page.goto(WANTED)
  await expect(page).toHaveURL(/\/login\?redirect=/)
})

test('a newer session ends the older one, which says so once', async ({ page, elsewhere: newer }) => {
  await signIn(page, ACCOUNT)
  await signIn(newer, ACCOUNT)
  await page.getByRole('button', { name: '刷新', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('alert').filter({ hasText: /登录/ })).toHaveCount(1)
})
