import { expectAccessible } from './axe'
import { act, actInMore, dialog, fill, fillSignIn, goTo, isIn, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { filledIn } from './sheet'
import { expect, type Page, test } from './test'

/** Who may sign in, as an operator of its own and as a school administrator whom the operator makes. */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('accounts', '演示运维')
const OWN = 'Donghu@2026a'

/** Several of one select stay open until Escape. */
const tick = async (page: Page, label: string, ...words: string[]) => {
  const box = dialog(page).getByRole('combobox', { name: label, exact: true })
  await box.click()
  for (const word of words) await page.getByRole('option', { name: word }).first().click()
  await dialog(page).getByText(label, { exact: true }).first().click()
}

const pick = async (page: Page, label: string, word: string) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: word }).first().click()
}

/** Reads the password that is shown once. */
const initialPassword = async (page: Page) => {
  await expect(dialog(page, '账号已新增').getByText('请现在记下初始密码，关闭后不再显示')).toBeVisible()
  const password = await dialog(page).getByRole('code').innerText()
  await press(page, '复制')
  await told(page, '已复制账号和初始密码')
  await press(page, '我已保存')
  return password
}

/** The first sign-in of somebody new. */
const begin = async (page: Page, account: string, initial: string, own: string) => {
  await page.goto('login')
  await fillSignIn(page, account, initial)
  await expect(dialog(page, '修改密码')).toBeVisible()
  await dialog(page).getByLabel('原密码').fill(initial)
  await dialog(page).getByLabel('新密码').fill(own)
  await dialog(page).getByLabel('确认密码').fill(own)
  await press(page, '确定')
  await told(page, '修改成功，请重新登录')
  await fillSignIn(page, account, own)
  await isIn(page)
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).last()

test('a platform account is made, edited, switched off and deleted', async ({ page }) => {
  await signInTo(page, OPERATOR, '账号管理')
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增账号' }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请输入账号')).toBeVisible()
  await expect(dialog(page).getByText('请选择角色')).toBeVisible()
  await fill(page, { 账号: 'zhaoqian', 姓名: '赵倩', 手机号: '13800000021' })
  await tick(page, '角色', '审计（平台）')
  await press(page, '保存')
  await initialPassword(page)
  await expect(rowOf(page, 'zhaoqian').getByText('138****0021')).toBeVisible()
  await rowOf(page, 'zhaoqian').getByRole('button', { name: '查看完整手机号' }).click()
  await expect(rowOf(page, 'zhaoqian').getByText('13800000021')).toBeVisible()

  await act(page, 'zhaoqian', '编辑')
  await expect(dialog(page).getByRole('textbox', { name: '手机号' })).toHaveValue('138****0021')
  await fill(page, { 姓名: '赵倩倩' })
  await press(page, '保存')
  await told(page, '已保存账号')
  await expect(rowOf(page, '赵倩倩')).toBeVisible()

  await act(page, 'zhaoqian', '分配角色')
  await tick(page, '角色', '驻校支持（院校模板）')
  await press(page, '保存')
  await told(page, '已分配角色')
  await expect(rowOf(page, 'zhaoqian').getByText('审计、驻校支持')).toBeVisible()

  await actInMore(page, 'zhaoqian', '停用')
  await expect(dialog(page).getByText('停用账号“zhaoqian”？')).toBeVisible()
  await press(page, '停用')
  await told(page, '已停用“zhaoqian”')
  await expect(rowOf(page, 'zhaoqian').getByText('停用', { exact: true })).toBeVisible()
  await actInMore(page, 'zhaoqian', '删除')
  await press(page, '删除')
  await told(page, '已删除“zhaoqian”')
  await expect(rowOf(page, 'zhaoqian')).toHaveCount(0)
  await page.getByRole('textbox', { name: '账号' }).fill('nobody-has-this')
  await page.keyboard.press('Enter')
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
})

test('accounts are imported, and their passwords can be fetched once', async ({ page }) => {
  await signInTo(page, OPERATOR, '账号管理')
  await page.getByRole('button', { name: '批量导入' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '批量导入账号' })).toBeVisible()
  await page.getByRole('button', { name: '上传并检查' }).click()
  await expect(page.getByText('请选择角色')).toBeVisible()
  await expect(page.getByText('请选择文件')).toBeVisible()
  await page.getByRole('combobox', { name: '角色' }).click()
  await page.getByRole('option', { name: '审计（平台）' }).click()
  await page.getByRole('heading', { level: 1 }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载模板' }).click()
  const template = await (await downloading).path()
  const upload = async (rows: Record<string, string>[]) => {
    await page.locator('input[type=file]').last().setInputFiles(filledIn(template, rows))
    await page.getByRole('button', { name: '上传并检查' }).click()
  }
  await upload([
    { 账号: 'import01', 姓名: '钱一' },
    { 账号: 'IMPORT01', 姓名: '钱二' },
  ])
  await expect(page.getByRole('row').filter({ hasText: '账号与第2行重复' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '重新上传' }).click()
  await upload([
    { 账号: 'import01', 姓名: '钱一' },
    { 账号: 'import02', 姓名: '钱二', 性别: '女' },
  ])
  await page.getByRole('button', { name: '确认导入2行' }).click()
  await expect(page.getByText('已导入2个账号')).toBeVisible()
  const fetched = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载初始密码' }).click()
  expect((await fetched).suggestedFilename()).toBe('初始密码.xlsx')
  await expect(page.getByRole('button', { name: '初始密码已下载' })).toBeDisabled()
  await page.getByRole('button', { name: '返回账号管理' }).click()
  await expect(rowOf(page, 'import02')).toBeVisible()
})

test('an operator makes a school administrator, who makes, binds and resets', async ({
  page,
  elsewhere: school,
  browser,
}) => {
  // Three people sign in, two of them for the first time.
  test.slow()
  await signInTo(page, OPERATOR, '账号管理')
  await tab(page, '院校账号').click()
  await expect(page).toHaveURL(/tab=school/)
  await expect(rowOf(page, 'demo01_zd')).toBeVisible()
  await page.getByRole('button', { name: '新增账号' }).click()
  await pick(page, '院校', '东湖示范学院')
  await fill(page, { 账号: 'dh_guan', 姓名: '管东湖', 手机号: '13900000031' })
  await tick(page, '角色', '院校管理员（院校模板）')
  await dialog(page).getByRole('switch', { name: '院校管理员' }).click()
  await press(page, '保存')
  const first = await initialPassword(page)

  await act(page, 'demo02_zd', '绑定院校')
  await expect(dialog(page).getByRole('row').filter({ hasText: '南岭示范大学' })).toBeVisible()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: '绑定院校' }).click()
  await pick(page, '院校', '东湖示范学院')
  await tick(page, '角色', '查询（院校模板）')
  await press(page, '保存')
  await told(page, '已绑定院校')
  await expect(dialog(page).getByRole('row').filter({ hasText: '东湖示范学院' })).toBeVisible()

  await begin(school, 'dh_guan', first, OWN)
  await goTo(school, '账号管理')
  // The school sees the account that is bound here, not where else it works.
  await expect(rowOf(school, 'demo02_zd')).toBeVisible()
  await expect(school.getByRole('columnheader', { name: '绑定院校' })).toHaveCount(0)
  await expectAccessible(school)

  await school.getByRole('button', { name: '新增账号' }).click()
  await fill(school, { 账号: 'dh_zhan', 姓名: '站东湖' })
  await tick(school, '角色', '站点管理员（院校模板）')
  await dialog(school).getByRole('combobox', { name: '站点管理员的站点' }).click()
  await school.getByRole('option').first().click()
  await dialog(school).getByText('数据范围').click()
  await press(school, '保存')
  const second = await initialPassword(school)
  await act(school, 'dh_zhan', '分配角色')
  await expect(dialog(school).getByRole('combobox', { name: '站点管理员的站点' })).toBeVisible()
  await press(school, '取消')

  // Somebody of another school: the school asks them, and sees nothing of them until they agree.
  await school.getByRole('button', { name: '新增账号' }).click()
  await fill(school, { 账号: 'demo02_cx', 姓名: '查询' })
  await tick(school, '角色', '查询（院校模板）')
  await press(school, '保存')
  await expect(dialog(school).getByText(/账号已存在（查\*+），邀请加入本院校？/)).toBeVisible()
  await press(school, '邀请')
  await told(school, '已邀请，待本人登录后同意')
  await expect(school.getByRole('region', { name: '院校邀请' }).getByText('待本人同意')).toBeVisible()
  await expect(dialog(school)).toHaveCount(0)
  await expectAccessible(school)
  const invited = await (await browser.newContext()).newPage()
  await signIn(invited, 'demo02_cx')
  await expect(dialog(invited, '院校邀请').getByText('东湖示范学院')).toBeVisible()
  await expectAccessible(invited)
  await press(invited, '同意')
  await told(invited, '已加入“东湖示范学院（演示）”，可在右上角切换院校')
  await invited.context().close()
  await school.reload()
  await expect(rowOf(school, 'demo02_cx')).toBeVisible()
  await expect(school.getByRole('region', { name: '院校邀请' })).toHaveCount(0)
  await actInMore(school, 'demo02_cx', '解除绑定')
  await press(school, '解除绑定')
  await expect(rowOf(school, 'demo02_cx')).toHaveCount(0)

  // One school resets nobody who works at two.
  const reset = async (account: string) => {
    const inRow = rowOf(school, account).getByRole('button', { name: '重置密码' })
    if (await inRow.isVisible()) await inRow.click()
    else await actInMore(school, account, '重置密码')
    await dialog(school).getByLabel('本人登录密码').fill(OWN)
    await dialog(school).getByRole('button', { name: '随机生成' }).click()
    await press(school, '重置密码')
  }
  await reset('demo02_zd')
  await told(school, '该账号绑定了多个院校，请由平台重置密码')
  await press(school, '取消')
  // What was typed is not thrown away without a question.
  await press(school, '关闭')

  const person = await (await browser.newContext()).newPage()
  await begin(person, 'dh_zhan', second, 'Zhan@2026dh')
  await actInMore(school, 'dh_zhan', '强制下线')
  await press(school, '强制下线')
  await told(school, '已强制“dh_zhan”下线')
  await person.reload()
  await expect(person.getByRole('button', { name: '登录' })).toBeVisible()
  await person.context().close()
  await reset('dh_zhan')
  await told(school, '已重置“站东湖”的密码')
})
