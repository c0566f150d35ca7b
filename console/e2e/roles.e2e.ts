import { act, actInMore, choose, dialog, fill, goTo, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** Roles, menus and permissions, as an operator of its own. */

const ACCOUNT = operatorOf('roles', '演示权限')

test('a role lives: created, given rights, copied, deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '角色管理')

  await page.getByRole('button', { name: '新增角色' }).click()
  await choose(page, '类型', '平台')
  await fill(page, { 角色名称: '巡查员' })
  await press(page, '保存')
  await told(page, '已新增角色')

  await act(page, '巡查员', '分配权限')
  const drawer = dialog(page, '分配权限 巡查员')
  await expect(drawer.getByRole('status')).toContainText('已选 0 /')
  await drawer.getByLabel('查找权限').fill('新增院校')
  await drawer.getByRole('button', { name: '全选' }).click()
  await expect(drawer.getByRole('status')).toContainText(/已选 [1-9]/)
  const chosen = /\d+/.exec(await drawer.getByRole('status').innerText())?.[0] ?? ''
  await drawer.getByLabel('查找权限').fill('没有这个权限')
  await expect(drawer.getByText('没有名称或标识包含“没有这个权限”的权限')).toBeVisible()
  await press(page, '保存')
  await told(page, '已分配权限，立即生效')
  await expect(rowOf(page, '巡查员').getByRole('cell').nth(4)).toHaveText(chosen)

  await actInMore(page, '巡查员', '复制')
  await press(page, '保存')
  await expect(rowOf(page, '巡查员（复制）').getByRole('cell').nth(4)).toHaveText(chosen)

  for (const name of ['巡查员（复制）', '巡查员']) {
    await actInMore(page, name, '删除')
    await press(page, '删除')
    await told(page, `已删除“${name}”`)
  }
  await rowOf(page, '超级管理员').getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('menuitem').getByRole('button', { name: '删除', exact: true })).toBeDisabled()
})

test('a template is given to schools and looked at by them', async ({ page }) => {
  await signInTo(page, ACCOUNT, '角色管理')
  const downloads = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出权限表' }).click()
  expect((await downloads).suggestedFilename()).toMatch(/角色权限表\.csv$/)
  await goTo(page, '院校列表')
  await act(page, '东湖示范学院', '进入院校')
  await fill(page, { 进入原因: '检查角色' })
  await press(page, '进入院校')
  await expect(page.getByText('平台代管', { exact: true })).toBeVisible()
  await goTo(page, '角色管理')
  await act(page, '院校管理员', '查看权限')
  await expect(dialog(page).getByText('院校模板由平台维护，请复制为本校角色后修改')).toBeVisible()
  await press(page, '关闭')
  await actInMore(page, '查询', '复制')
  await fill(page, { 角色名称: '本校查询' })
  await press(page, '保存')
  await told(page, '已新增角色')
  await expect(rowOf(page, '本校查询')).toContainText('本校')
})

test('an outside page stands in the menu until it is deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '平台菜单')
  await page.getByRole('button', { name: '新增菜单' }).click()
  await choose(page, '类型', '页面')
  await fill(page, { 名称: '学信网', 外链: 'https://www.chsi.com.cn/' })
  await press(page, '保存')
  await told(page, '已新增菜单')
  await page.getByPlaceholder('名称或路径').fill('学信')
  await expect(rowOf(page, '学信网')).toContainText('/iframe?url=')
  await act(page, '学信网', '权限')
  await expect(dialog(page).getByText('这个菜单下没有权限')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('navigation', { name: '主菜单' }).getByText('学信网')).toBeVisible()
  await page.getByPlaceholder('名称或路径').fill('学信')
  await actInMore(page, '学信网', '删除')
  await press(page, '删除')
  await told(page, '已删除“学信网”')
  await page.getByPlaceholder('名称或路径').fill('平台菜单')
  await actInMore(page, '平台菜单', '停用')
  await press(page, '停用')
  await told(page, '停用后将无法再管理菜单，不能停用该菜单')
})
