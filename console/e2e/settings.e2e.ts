import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, fill, openAt, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** What an operator keeps for all schools: lists of words, parameters, configuration, sensitive words, banners. */

const ACCOUNT = operatorOf('settings', '演示配置')

/** A form that is a page: its fields are found in the page, not in a dialog. */
const type = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) {
    await page.getByRole('textbox', { name: label, exact: true }).fill(value)
  }
}

const pick = async (page: Page, label: string, words: string) => {
  await page.getByRole('main').getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: words, exact: true }).click()
}

/** The page is there; before, a field of its name may still be a filter of the list. */
const opened = (page: Page, title: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

test('a list of words is made, filled, and kept where it is used', async ({ page }) => {
  await signInTo(page, ACCOUNT, '数据字典')
  await expect(rowOf(page, 'GB/T 3304-1991')).toContainText('民族')
  await expectAccessible(page)
  await button(page, '新增类型').click()
  await fill(page, { 类型编码: 'visit_reason', 名称: '来访原因' })
  await press(page, '保存')
  await told(page, '已新增类型')
  await page.getByRole('search').getByRole('textbox', { name: '类型编码' }).fill('visit_reason')
  await button(page, '查询').click()
  await act(page, 'visit_reason', '字典数据')
  await expect(page.getByRole('heading', { level: 1, name: '字典数据' })).toBeVisible()
  await button(page, '新增数据').click()
  await fill(page, { 标签: '咨询', 值: 'ask' })
  await press(page, '保存')
  await told(page, '已新增数据')
  await expect(rowOf(page, 'ask')).toContainText('咨询')
  await act(page, 'ask', '删除', '确定删除“咨询”吗？')
  await told(page, '已删除“咨询”')

  await openAt(page, 'system/dict/data?dictType=ethnicity')
  await act(page, '汉族', '删除', '确定删除“汉族”吗？')
  await told(page, /“汉族”已被引用，不能删除，可以停用：2所院校的.*名学生/)
})

test('a parameter stays in its range and goes back to its default', async ({ page }) => {
  await signInTo(page, ACCOUNT, '参数配置')
  await expect(rowOf(page, 'auth.lockMinutes')).toContainText('5～1440')
  await act(page, 'auth.lockMinutes', '编辑')
  await opened(page, /编辑参数/)
  await page.getByRole('spinbutton', { name: '参数值' }).fill('3')
  await button(page, '保存').click()
  await expect(page.getByRole('main').getByText('取值应在5到1440之间')).toBeVisible()
  await page.getByRole('spinbutton', { name: '参数值' }).fill('20')
  await button(page, '保存').click()
  await told(page, '已保存参数')
  await expect(rowOf(page, 'auth.lockMinutes')).toContainText('20')
  await act(page, 'auth.lockMinutes', '恢复默认', '恢复为默认值？')
  await told(page, /已恢复.*的默认值/)
  await expectAccessible(page)
})

test('the website’s title is what the sign-in page shows, and a secret is never shown again', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.getByRole('banner').getByRole('button', { name: '配置', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '系统配置' })).toBeVisible()
  await button(page, '新增配置').click()
  await opened(page, '新增系统配置')
  await button(page, '保存').click()
  await expect(page.getByRole('main').getByText('请输入站点标题')).toBeVisible()
  await type(page, { 名称: '平台站点', 站点标题: '继教平台' })
  // Other stories read in the help centre meanwhile.
  await page.getByRole('switch', { name: '院校帮助中心' }).click()
  await expectAccessible(page)
  await button(page, '保存').click()
  await told(page, '已新增配置')
  await expect(rowOf(page, '平台站点')).toContainText('站点信息')

  await button(page, '新增配置').click()
  await opened(page, '新增系统配置')
  await pick(page, '类别', '对象存储')
  await pick(page, '服务商', '本机目录')
  await type(page, { 名称: '本机存储', 密钥编号: 'AKIA' })
  await page.getByLabel('密钥', { exact: true }).fill('top-secret-7f3a')
  await button(page, '保存').click()
  await expect(rowOf(page, '本机存储')).toContainText('已设置')
  await act(page, '本机存储', '测试连接')
  await told(page, '写入、读取、删除均正常')
  await act(page, '本机存储', '编辑')
  await opened(page, /编辑系统配置/)
  await expect(page.getByLabel('密钥', { exact: true })).toHaveAttribute(
    'placeholder',
    '已设置，尾号7f3a，不修改请留空',
  )
  await expect(page.getByLabel('密钥', { exact: true })).toHaveValue('')
  await button(page, '保存').click()
  await told(page, '已保存配置')
  await expect(rowOf(page, '本机存储')).toContainText('已设置')
  await actInMore(page, '本机存储', '停用')
  await press(page, '停用')
  await told(page, '至少保留一个启用的默认配置')

  await button(page, '清除缓存').click()
  await press(page, '清除缓存')
  await told(page, /已清除1个服务实例的6类缓存/)
  const visitor = await page.context().browser()?.newPage()
  await visitor?.goto('login')
  await expect(visitor?.getByText('继教平台').first() ?? page.locator('none')).toBeVisible()
})

test('the address for receipts of short messages is made from the config', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.getByRole('banner').getByRole('button', { name: '配置', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '系统配置' })).toBeVisible()
  await button(page, '新增配置').click()
  await opened(page, '新增系统配置')
  await pick(page, '类别', '短信')
  await pick(page, '服务商', '阿里云')
  await type(page, { 名称: '短信通道', 密钥编号: 'LTAI', 签名: '继教' })
  await page.getByLabel('密钥', { exact: true }).fill('key-of-the-provider')
  await page.getByLabel('回执密钥', { exact: true }).fill('receipts-of-7f3a')
  await page.getByRole('switch', { name: '默认' }).click()
  await expect(page.getByRole('main').getByText('保存后重新打开即可复制', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await button(page, '保存').click()
  await told(page, '已新增配置')
  await act(page, '短信通道', '编辑')
  await opened(page, /编辑系统配置/)
  const address = page.getByRole('textbox', { name: '回执地址' })
  await expect(address).toHaveValue(/\/system\/callback\/sms\/aliyun\?config=\d+&secret=\*{8}$/)
  await page.getByLabel('回执密钥', { exact: true }).fill('receipts-of-9c1b')
  await expect(address).toHaveValue(/&secret=receipts-of-9c1b$/)
})

test('words are added, imported and tried', async ({ page }) => {
  await signInTo(page, ACCOUNT, '敏感词库')
  await button(page, '新增敏感词').click()
  await opened(page, '新增敏感词')
  await page.getByRole('main').getByRole('textbox', { name: '敏感词' }).fill('赌博\n代考包过\n')
  await button(page, '保存').click()
  await told(page, '已新增敏感词')
  await expect(rowOf(page, '代考包过')).toContainText('拒绝')

  await button(page, 'txt 导入').click()
  const words = {
    name: 'words.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`加微信\t广告\t替换\n${'长'.repeat(60)}\n`),
  }
  await dialog(page).locator('input[type=file]').setInputFiles(words)
  await press(page, '导入')
  await expect(dialog(page).getByText('敏感词不能超过50个字符')).toBeVisible()
  const right = { ...words, buffer: Buffer.from('加微信\t广告\t替换\n赌 博\n') }
  await press(page, '取消')
  await button(page, 'txt 导入').click()
  await dialog(page).locator('input[type=file]').setInputFiles(right)
  await press(page, '导入')
  await expect(dialog(page).getByText('共2行，导入1个词，跳过1行')).toBeVisible()
  await press(page, '完成')

  await button(page, '校验文本').click()
  await dialog(page).getByRole('textbox', { name: '文本' }).fill('远离赌 博，请加-微信')
  await press(page, '校验')
  await expect(dialog(page).getByText('命中2处，提交会被拒绝。')).toBeVisible()
  await expect(dialog(page).locator('mark')).toHaveText(['赌 博', '加-微信'])
  await expectAccessible(page)
  await press(page, '关闭')
  await act(page, '代考包过', '编辑')
  await choose(page, '处理方式', '转审核')
  await press(page, '保存')
  await told(page, '已保存敏感词')
  await expect(rowOf(page, '代考包过')).toContainText('转审核')
})

test('a banner has its time, and its list says whether it is shown', async ({ page }) => {
  await signInTo(page, ACCOUNT, '横幅管理')
  await button(page, '新增横幅').click()
  await opened(page, '新增横幅')
  await type(page, { 标题: '秋季招生', 链接: '/recruit' })
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page
    .getByRole('main')
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
  await expect(page.getByRole('main').getByRole('img', { name: '图片', exact: true })).toBeVisible()
  await button(page, '保存').click()
  await told(page, '已新增横幅')
  await expect(rowOf(page, '秋季招生')).toContainText('展示中')
  await act(page, '秋季招生', '停用')
  await told(page, '已停用“秋季招生”')
  await expect(rowOf(page, '秋季招生').getByText('停用', { exact: true })).toBeVisible()
})
