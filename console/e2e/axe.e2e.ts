import { expectAccessible } from './axe'
import { dialog, signInTo } from './kit'
import { expect, test } from './test'

/** What axe says of a page of each kind, as 院校管理员 of the first school. The schools' list is in its own file. */

const ACCOUNT = 'demo01_admin'

test('the sign-in page', async ({ page }) => {
  await page.goto('login')
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
  await expectAccessible(page)
})

for (const theme of ['light', 'dark'] as const) {
  test(`a list, its detail and its form, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme })
    await signInTo(page, ACCOUNT, '站点管理')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('row').nth(1).getByRole('button').first().click()
    await expect(dialog(page)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '新增站点' }).click()
    await expect(dialog(page, '新增站点')).toBeVisible()
    await dialog(page).getByRole('button', { name: '保存', exact: true }).click()
    await expect(dialog(page).getByText('请输入编码')).toBeVisible()
    await expectAccessible(page)
  })
}
