import { expectAccessible } from './axe'
import { act, choose, dialog, fill, openTab, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The operators' official account, which the demonstration has not configured: its menu, materials and replies. */

const ACCOUNT = operatorOf('wechat', '演示公众号')

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('the menu is put together as the phone shows it, and needs an account to be published', async ({ page }) => {
  await signInTo(page, ACCOUNT, '自定义菜单')
  await expect(page.getByText('请先在系统配置中设置公众号')).toBeVisible()
  await expect(page.getByRole('link', { name: '去设置' })).toBeVisible()
  const phone = page.getByRole('region', { name: '手机预览' })
  await phone.getByRole('button', { name: '招生报名' }).click()
  await expect(phone.getByRole('button', { name: '报名时间' })).toBeVisible()
  await expect(page.getByRole('button', { name: '新增一级菜单' })).toBeDisabled()
  await act(page, '学习中心', '新增下级')
  await fill(page, { 菜单名称: '成绩与证书的查询', 网页链接: 'https://www.example.com/score' })
  await press(page, '保存')
  await expect(dialog(page).getByText('二级菜单名称不能超过7个汉字')).toBeVisible()
  await fill(page, { 菜单名称: '成绩查询' })
  await press(page, '保存')
  await told(page, '已新增菜单')
  await expect(page.getByText('有未发布的修改')).toBeVisible()
  await phone.getByRole('button', { name: '学习中心' }).click()
  await phone.getByRole('button', { name: '成绩查询' }).click()
  await expect(dialog(page).getByRole('textbox', { name: '网页链接' })).toHaveValue('https://www.example.com/score')
  await press(page, '取消')
  await act(page, '成绩查询', '上移')
  await told(page, '已移动“成绩查询”')
  await expect(page.getByRole('button', { name: '发布', exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: '从微信拉取' })).toBeDisabled()
  await expectAccessible(page)
})

test('a picture becomes the cover of an article and stays while it is', async ({ page }) => {
  await signInTo(page, ACCOUNT, '素材库')
  await page.getByRole('button', { name: '上传图片' }).click()
  const file = dialog(page).locator('input[type=file]')
  await file.setInputFiles({ name: '封面.webp', mimeType: 'image/webp', buffer: PICTURE })
  await told(page, '不支持该文件格式')
  await file.setInputFiles({ name: '招生封面.png', mimeType: 'image/png', buffer: PICTURE })
  await expect(dialog(page).getByRole('textbox', { name: '名称' })).toHaveValue('招生封面')
  await expect(dialog(page).getByText('招生封面.png')).toBeVisible()
  await press(page, '保存')
  await told(page, '已新增素材')
  const cards = page.getByRole('list', { name: '图片素材' }).getByRole('listitem')
  const card = cards.filter({ hasText: '招生封面' })
  await expect(card).toContainText('未同步')
  await expectAccessible(page)
  await openTab(page, '图文')
  await page.getByRole('button', { name: '新增图文' }).click()
  await fill(page, { 名称: '招生简章', 第1篇标题: '2027年招生简章' })
  await press(page, '保存')
  await told(page, '请选择第1篇的封面')
  await choose(page, '第1篇封面', '招生封面')
  await fill(page, { 第1篇内容: '欢迎报考', 第1篇原文链接: 'https://www.example.com/recruit' })
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增素材')
  const article = page.getByRole('list', { name: '图文素材' }).getByRole('listitem').filter({ hasText: '招生简章' })
  await article.getByRole('button', { name: '预览', exact: true }).click()
  await expect(dialog(page).getByText('欢迎报考')).toBeVisible()
  await page.keyboard.press('Escape')
  await openTab(page, '图片')
  await card.getByRole('button', { name: '删除', exact: true }).click()
  await press(page, '删除')
  await told(page, '已被1篇图文引用，不能删除')
})

test('a keyword leads to one reply', async ({ page }) => {
  await signInTo(page, ACCOUNT, '自动回复')
  await expect(rowOf(page, '欢迎关注')).toContainText('启用')
  await openTab(page, '关键词回复')
  const answer = async (keyword: string, words: string, key?: string) => {
    await page.getByRole('button', { name: '新增关键词回复' }).click()
    await dialog(page).getByRole('combobox', { name: '关键词', exact: true }).click()
    await page.keyboard.type(keyword)
    if (key) await page.keyboard.press(key)
    // Whoever goes on to the next field means the keyword that stands there.
    await dialog(page).getByRole('textbox', { name: '回复内容' }).click()
    await fill(page, { 回复内容: words })
    await press(page, '保存')
  }
  await answer('宿舍', '学校提供集中宿舍。', 'Enter')
  await told(page, '已新增回复')
  await expect(rowOf(page, '宿舍')).toContainText('包含')
  await expectAccessible(page)
  await answer('学费', '请看招生简章。')
  await told(page, '关键词已存在：学费')
})
