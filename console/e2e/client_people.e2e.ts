import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dialog,
  fill,
  goTo,
  openTab,
  press,
  rowOf,
  signIn,
  signInTo,
  told,
} from './kit'
import { operatorOf } from './session'
import { filledIn } from './sheet'
import { expect, type Page, test } from './test'

/** The people of the client applications: of the first school as its 用户管理员, their menus as an operator of its own. */

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'demo01_yh'
const OPERATOR = operatorOf('client_people', '演示客户端')

const search = async (page: Page, keyword: string) => {
  await page.getByRole('textbox', { name: '姓名、工号或手机' }).fill(keyword)
  await page.keyboard.press('Enter')
}

/** The first choice of a select that searches on the server. */
const pick = async (page: Page, label: string, word: string) => {
  const box = dialog(page).getByRole('combobox', { name: label, exact: true })
  await box.click()
  await page.getByRole('option', { name: word }).first().click()
  await page.keyboard.press('Escape')
}

test('a teacher is entered, edited and put out of the account', async ({ page }) => {
  await signInTo(page, ACCOUNT, '教师管理')
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增教师' }).click()
  await fill(page, { 工号: 'T9001', 姓名: '慕容立新', 手机: '13900009001' })
  await choose(page, '职称', '讲师')
  await pick(page, '机构', '学院')
  await press(page, '保存')
  await told(page, '已新增教师')
  await search(page, 'T9001')
  await expect(rowOf(page, '慕容立新')).toContainText('139****9001')
  await act(page, '慕容立新', '编辑')
  await fill(page, { 备注: '外聘两年' })
  await press(page, '保存')
  await told(page, '已保存教师')
  // A single field is corrected on the card, from what stands there.
  await page.locator('tr[data-row] .row-name').first().click()
  await dialog(page).getByRole('button', { name: '修改备注' }).click()
  await expect(dialog(page).getByRole('textbox', { name: '备注' })).toHaveValue('外聘两年')
  await fill(page, { 备注: '外聘三年' })
  await dialog(page).getByRole('button', { name: '保存备注' }).click()
  await told(page, '已修改备注')
  await expect(dialog(page)).toContainText('外聘三年')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await actInMore(page, '慕容立新', '停用账号')
  await press(page, '停用账号')
  await told(page, '已停用“慕容立新”的账号')
  await expect(rowOf(page, '慕容立新').getByText('停用', { exact: true })).toBeVisible()
  await actInMore(page, '慕容立新', '启用账号')
  await told(page, '已启用“慕容立新”的账号')
})

test('the file of a site shows who works there', async ({ page }) => {
  await signInTo(page, ACCOUNT, '站点管理')
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await openTab(dialog(page), '人员')
  const people = dialog(page).getByRole('tabpanel', { name: '人员' })
  await expect(people.getByRole('row').nth(1)).toContainText('****')
  await expect(people.getByRole('columnheader', { name: '职务' })).toBeVisible()
  await expect(people.getByRole('button', { name: '编辑' })).toHaveCount(0)
})

test('without an ID number a reset shows a random password this once', async ({ page }) => {
  await signInTo(page, ACCOUNT, '教师管理')
  await search(page, 'T9001')
  await act(page, '慕容立新', '重置密码')
  await press(page, '重置密码')
  const shown = dialog(page, '初始密码')
  await expect(shown.getByRole('row').filter({ hasText: 'T9001' })).toBeVisible()
  await press(page, '我已保存')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('teachers come by sheet, after its mistakes are told', async ({ page }) => {
  await signInTo(page, ACCOUNT, '教师管理')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await (await coming).path()
  const upload = page.locator('input[type=file]')
  const person = { 工号: 'T9002', 姓名: '慕容小燕', 手机: '13900009002', 机构: 'O01', 职责: '主讲、阅卷' }
  await upload.setInputFiles(filledIn(template, [person, { ...person, 手机: '13900009003' }]))
  await expect(dialog(page).getByRole('row').filter({ hasText: '工号' })).toContainText('与第2行工号重复')
  await press(page, '重新上传')
  await upload.setInputFiles(filledIn(template, [person]))
  await expect(dialog(page).getByText('检查通过，共1行')).toBeVisible()
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '关闭')
  await search(page, 'T9002')
  await expect(rowOf(page, '慕容小燕')).toContainText('主讲、阅卷')
})

test('with the box ticked a sheet updates whom it knows, and tells what changes', async ({ page }) => {
  await signInTo(page, ACCOUNT, '教师管理')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await (await coming).path()
  const upload = page.locator('input[type=file]')
  const person = { 工号: 'T9002', 姓名: '慕容晓燕', 手机: '13900009002', 机构: 'O01', 职称: '教授' }
  await upload.setInputFiles(filledIn(template, [person]))
  await expect(dialog(page).getByText('工号“T9002”已存在')).toBeVisible()
  await press(page, '重新上传')
  await dialog(page).getByText('工号已存在时更新该教师').click()
  const another = { 工号: 'T9003', 姓名: '慕容小飞', 手机: '13900009003', 机构: 'O01' }
  await upload.setInputFiles(filledIn(template, [person, another]))
  await expect(dialog(page).getByText('新增1条，修改1条')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: '职称' })).toContainText('教授')
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')
  await search(page, 'T9002')
  await expect(rowOf(page, '慕容晓燕')).toContainText('教授')
  await expect(rowOf(page, '慕容晓燕')).toContainText('主讲、阅卷')
})

test('the client opens in a new tab as its person, after the reason was told', async ({ page, context }) => {
  await signIn(page, ACCOUNT)
  // The client itself is another application; a page stands in for it.
  await context.route('**/client', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>教师端</h1>' }))
  const group = '/system/pc/sys/school/setting/view?group=recruitment'
  const { version } = (await callFromPage(page, 'GET', group)).data
  const client = `${new URL(page.url()).origin}/client`
  const value = { clientUrls: { student: client, teacher: client, site: client } }
  const body = { group: 'recruitment', version, value }
  expect((await callFromPage(page, 'PUT', '/system/pc/sys/school/setting/edit', body)).code).toBe(200)
  await goTo(page, '教师管理')
  await search(page, 'T9001')
  await actInMore(page, '慕容立新', '一键登录')
  await press(page, '打开教师端')
  await expect(dialog(page).getByText('请填写原因')).toBeVisible()
  await dialog(page).getByRole('textbox').fill('协助核对课程')
  const opening = context.waitForEvent('page')
  await press(page, '打开教师端')
  const tab = await opening
  await tab.waitForURL(/\/client#token=/)
  await tab.close()
})

test('a class manager gets classes of the sites, and takes one over knowingly', async ({ page }) => {
  await signInTo(page, ACCOUNT, '班主任管理')
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增班主任' }).click()
  await fill(page, { 工号: 'B9001', 姓名: '慕容晓梅', 手机: '13700009001', 证件号: '110105194912310021' })
  await expect(dialog(page).getByText('身份证号校验位错误，应为X')).toBeVisible()
  await fill(page, { 证件号: '11010519491231002X' })
  await expect(dialog(page).getByRole('combobox', { name: '性别' })).toContainText('女')
  await pick(page, '兼任教师', '（')
  await pick(page, '站点', '校本部')
  await press(page, '保存')
  await told(page, '已新增班主任')
  await search(page, 'B9001')
  await act(page, '慕容晓梅', '分配班级')
  await dialog(page).getByRole('combobox', { name: '班级', exact: true }).click()
  await page.getByRole('option', { name: '校本部1班' }).first().click()
  await page.keyboard.press('Escape')
  await press(page, '保存')
  await expect(dialog(page).getByText(/如需接管请勾选/)).toBeVisible()
  await dialog(page).getByText('所选班级已有其他班主任时').click()
  await press(page, '保存')
  await told(page, '已分配班级')
  await actInMore(page, '慕容晓梅', '删除')
  await press(page, '删除')
  await told(page, '仍负责1个班级')
  await act(page, '慕容晓梅', '分配班级')
  await dialog(page).getByRole('combobox', { name: '班级', exact: true }).click()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await press(page, '保存')
  await told(page, '已分配班级')
  await actInMore(page, '慕容晓梅', '删除')
  await press(page, '删除')
  await told(page, '已删除“慕容晓梅”')
})

test('people of the sites stand beside the class managers', async ({ page }) => {
  await signInTo(page, ACCOUNT, '班主任管理')
  await openTab(page, '站点人员')
  await page.getByRole('button', { name: '新增站点人员' }).click()
  await pick(page, '站点', '校本部')
  await fill(page, { 姓名: '慕容大海', 手机: '13600009001' })
  await choose(page, '职务', '财务')
  await press(page, '保存')
  await told(page, '已新增站点人员')
  await search(page, '13600009001')
  await expect(rowOf(page, '慕容大海')).toContainText('财务')
  await actInMore(page, '慕容大海', '删除')
  await press(page, '删除')
  await told(page, '已删除“慕容大海”')
})

test('a student’s client is opened from the list of accounts too', async ({ page }) => {
  await signInTo(page, ACCOUNT, '学生账号')
  await page.getByRole('row').nth(1).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem').getByRole('button', { name: '一键登录', exact: true }).click()
  await expect(dialog(page).getByText('以对方身份在新标签页中打开客户端')).toBeVisible()
  await press(page, '取消')
})

test('the operator keeps the menus of the clients', async ({ page }) => {
  await signInTo(page, OPERATOR, '客户端菜单')
  await openTab(page, '教师端')
  await page.getByRole('button', { name: '新增菜单' }).click()
  await fill(page, { 名称: '教学', 路径: '/teaching' })
  await press(page, '保存')
  await told(page, '已新增菜单')
  await act(page, '教学', '新增下级')
  await fill(page, { 名称: '我的课程', 路径: '/course' })
  await press(page, '保存')
  await told(page, '已新增菜单')
  await expect(rowOf(page, '我的课程')).toContainText('全部院校')
  await actInMore(page, '教学', '删除')
  await press(page, '删除')
  await told(page, '请先删除下级菜单')
  await actInMore(page, '教学', '停用')
  await press(page, '停用')
  await told(page, '已停用“教学”')
  await page.reload()
  await expect(page.getByRole('tab', { name: '教师端' })).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
})
