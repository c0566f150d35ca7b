import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dataOf,
  dialog,
  exportButton,
  exported,
  fill,
  press,
  rowOf,
  signInTo,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The operators' public site and what it is decorated with. */

const ACCOUNT = operatorOf('site_content', '演示网站')

test('the bar of the app is put together, put in order and switched', async ({ page }) => {
  await signInTo(page, ACCOUNT, '移动导航')
  for (const title of ['题库练习', '我的学习']) {
    await page.getByRole('button', { name: '新增导航' }).click()
    await fill(page, { 标题: title, 链接: '/practice' })
    await press(page, '保存')
    await told(page, '已新增导航')
    await expect(rowOf(page, title)).toBeVisible()
  }
  await actInMore(page, '题库练习', '上移')
  await told(page, '已移动“题库练习”')
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /题库练习|我的学习/ })
      .first(),
  ).toContainText('题库练习')
  await act(page, '我的学习', '停用')
  await press(page, '停用')
  await told(page, '已停用“我的学习”')
  const home = await dataOf(page, 'GET', '/system/client/site/home?terminal=app')
  const titles = home.navs.map(({ navTitle }: { navTitle: string }) => navTitle)
  expect(titles).toContain('题库练习')
  expect(titles).not.toContain('我的学习')
  await expectAccessible(page)
  await actInMore(page, '我的学习', '删除')
  await press(page, '删除')
  await told(page, '已删除“我的学习”')
})

test('an advertisement at the top opens, and a second one at the same time is refused', async ({ page }) => {
  await signInTo(page, ACCOUNT, '顶部广告')
  await expect(rowOf(page, '春季招生进行中').getByText('展示中')).toBeVisible()
  await act(page, '春季招生进行中', '编辑')
  await expect(dialog(page).getByRole('textbox', { name: '标题' })).toHaveValue('春季招生进行中')
  await press(page, '取消')
  const { list } = await dataOf(page, 'POST', '/system/pc/adv/top/list', { terminal: 'pc' })
  const [{ beginsAt, endsAt }] = list
  const overlapping = { terminal: 'pc', advTitle: '重叠', advImg: '/a.png', beginsAt, endsAt }
  const answer = await callFromPage(page, 'POST', '/system/pc/adv/top/save', overlapping)
  expect(answer).toMatchObject({ code: 409, msg: '该时段已有顶部广告' })
})

test('a shelf gets a lecturer, who leaves it again', async ({ page }) => {
  await signInTo(page, ACCOUNT, '首页专区')
  await page.getByRole('button', { name: '新增专区' }).click()
  await fill(page, { 标题: '特聘教授' })
  await choose(page, '类型', '讲师')
  await press(page, '保存')
  await told(page, '已新增专区')
  await act(page, '特聘教授', '专区内容')
  await choose(page, '内容', '苏明远')
  await press(page, '添加')
  await told(page, '已添加内容')
  const row = dialog(page).getByRole('row').filter({ hasText: '苏明远' })
  await expect(row.getByText('正常')).toBeVisible()
  await row.getByRole('button', { name: '移除', exact: true }).click()
  await dialog(page).getByRole('button', { name: '移除', exact: true }).last().click()
  await told(page, '已移除“苏明远”')
})

test('a shelf of exams offers those on sale, one of blogs those that were approved', async ({ page }) => {
  await signInTo(page, ACCOUNT, '首页专区')
  for (const [title, kind, content] of [
    ['考前冲刺', '试卷', '学位英语模拟卷一'],
    ['学员文章', '博客', '会计学的学习顺序'],
  ] as const) {
    await page.getByRole('button', { name: '新增专区' }).click()
    await fill(page, { 标题: title })
    await choose(page, '类型', kind)
    await press(page, '保存')
    await told(page, '已新增专区')
    await act(page, title, '专区内容')
    await choose(page, '内容', content)
    await press(page, '添加')
    await told(page, '已添加内容')
    await expect(dialog(page).getByRole('row').filter({ hasText: content }).getByText('正常')).toBeVisible()
    await page.reload()
  }
})

test('the foot of the site has columns with links and articles', async ({ page }) => {
  await signInTo(page, ACCOUNT, '底部导航')
  await page.getByRole('button', { name: '新增导航' }).click()
  await fill(page, { 标题: '法律声明' })
  await press(page, '保存')
  await told(page, '已新增导航')
  await act(page, '法律声明', '新增下级')
  await fill(page, { 标题: '隐私政策' })
  await press(page, '保存')
  await expect(dialog(page).getByText('请填写链接或文章内容（二选一）')).toBeVisible()
  await fill(page, { 链接: '/privacy' })
  await press(page, '保存')
  await expect(rowOf(page, '隐私政策')).toContainText('/privacy')
  await actInMore(page, '法律声明', '删除')
  await press(page, '删除')
  await told(page, '已被1条底部导航引用，不能删除')
  await expectAccessible(page)
})

test('a poster shows what it will be like', async ({ page }) => {
  await signInTo(page, ACCOUNT, '分享海报模板')
  await act(page, '课程海报', '编辑')
  const preview = dialog(page).getByRole('img', { name: '海报预览' })
  await expect(preview).toContainText('学位英语考前辅导')
  await dialog(page).getByRole('button', { name: '删除元素3' }).click()
  await expect(preview).not.toContainText('二维码')
  await press(page, '取消')
})

test('links, schools, categories and words stand in lists of their own', async ({ page }) => {
  await signInTo(page, ACCOUNT, '友情链接')
  await page.getByRole('button', { name: '新增友情链接' }).click()
  await fill(page, { 名称: '省教育考试院', 链接: 'https://www.example.edu.cn/' })
  await press(page, '保存')
  await told(page, '已新增友情链接')
  const file = await exported(page, exportButton(page))
  expect(file.suggestedFilename()).toContain('友情链接')
  await signInTo(page, ACCOUNT, '院校专区')
  await expect(page.getByRole('row').filter({ hasText: '成就每一位在职学习者' }).first()).toBeVisible()
  await signInTo(page, ACCOUNT, '首页分类')
  await expect(rowOf(page, '考前辅导').first()).toBeVisible()
  await signInTo(page, ACCOUNT, '搜索词')
  await page.getByRole('button', { name: '新增搜索词' }).click()
  await fill(page, { 搜索词: '免考拿证' })
  await press(page, '保存')
  await expect(dialog(page).getByText('内容包含敏感词，请修改后提交')).toBeVisible()
  await fill(page, { 搜索词: '专升本' })
  await press(page, '保存')
  await told(page, '已保存搜索词')
})
