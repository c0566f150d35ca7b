import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, fill, helpTo, openTab, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** The help centre: what operators write for the staff of schools, how it is read, and what a school asks. */

const OPERATOR = operatorOf('support', '演示客服')
const SCHOOL = '南岭示范大学'
const CATEGORY = '故事分类'
const ARTICLE = '如何办理故事业务'
const QUESTION = '如何批量导入故事数据'
const ANSWER = '请先在基础数据中新增编码。'

test.describe.configure({ mode: 'serial' })

/** A heading and a paragraph below it, at the end of the text. */
const write = async (page: Page, heading: string, words: string) => {
  await press(page, '标题')
  await page.keyboard.type(heading)
  await page.keyboard.press('Enter')
  await page.keyboard.type(words)
}

const text = (page: Page) => dialog(page).getByRole('textbox', { name: '正文', exact: true })

test('an article is written below a category, published, found and read', async ({ page }) => {
  await signInTo(page, OPERATOR, '院校帮助')
  await page.getByRole('button', { name: '新增分类' }).click()
  await fill(page, { 名称: CATEGORY })
  await press(page, '保存')
  await told(page, '已新增分类')
  const tree = page.getByRole('navigation', { name: '帮助分类' })
  await tree.getByRole('button', { name: new RegExp(`^${CATEGORY}`) }).click()
  await expect(page).toHaveURL(/categoryId=\d+/)
  await expect(page.getByRole('region', { name: '已应用的筛选' })).toContainText(CATEGORY)
  await expectAccessible(page)

  await page.getByRole('button', { name: '新增文章' }).click()
  await fill(page, { 标题: ARTICLE })
  await text(page).click()
  await write(page, '准备材料', '身份证和录取通知书。')
  await page.keyboard.press('Enter')
  await write(page, '现场办理', '到教务办公室办理。')
  await expect(text(page).getByRole('heading', { name: '现场办理' })).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增草稿')
  await expect(rowOf(page, ARTICLE)).toContainText('草稿')
  await act(page, ARTICLE, '发布')
  await press(page, '发布')
  await told(page, '已办理1篇')
  await expect(rowOf(page, ARTICLE)).toContainText('已发布')

  await page.goto('schoolSupport')
  await expect(page.getByRole('heading', { level: 1, name: /帮助中心$/ })).toBeVisible()
  await page.getByRole('textbox', { name: '搜索帮助' }).fill('故事 录取通知书')
  await page.keyboard.press('Enter')
  const hits = page.getByRole('region', { name: '搜索“故事 录取通知书”' })
  await expect(hits.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await hits.getByRole('link', { name: ARTICLE }).click()
  const article = page.getByRole('article')
  await expect(article.getByText('身份证和录取通知书。')).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${ARTICLE} - `))
  await article.getByRole('navigation', { name: '目录' }).getByRole('button', { name: '现场办理' }).click()
  await article.getByRole('button', { name: '有用', exact: true }).click()
  await expect(article.getByText('感谢您的评价')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.setViewportSize({ width: 1366, height: 768 })
  await page.goBack()
  await expect(hits).toBeVisible()
})

test('an edit waits to be published, and an old version comes back', async ({ page }) => {
  await signInTo(page, OPERATOR, '院校帮助')
  await act(page, ARTICLE, '编辑')
  await expect(text(page)).toContainText('准备材料')
  await fill(page, { 标题: `${ARTICLE}二` })
  await press(page, '保存')
  await told(page, /^已保存/)
  await expect(rowOf(page, `${ARTICLE}二`)).toContainText('有未发布的修改')
  await actInMore(page, `${ARTICLE}二`, '版本')
  await press(page, '版本1')
  await expect(dialog(page).getByRole('heading', { name: ARTICLE, exact: true })).toBeVisible()
  await expectAccessible(page)
  await press(page, '恢复为草稿')
  await press(page, '恢复为草稿')
  await told(page, /^已恢复为草稿/)
  await expect(rowOf(page, `${ARTICLE}二`)).toHaveCount(0)
  await expect(rowOf(page, ARTICLE)).toContainText('已发布')
})

test('a school asks, is answered, and says whether that helped', async ({ page, elsewhere: office }) => {
  await helpTo(page, OPERATOR, SCHOOL, '院校帮助')
  await openTab(page, '咨询')
  await page.getByRole('button', { name: '新增咨询' }).click()
  await fill(page, { 标题: QUESTION, 内容: '导入时提示编码不存在。' })
  await expectAccessible(page)
  await press(page, '提交')
  await told(page, /^已提交/)
  await expect(rowOf(page, QUESTION)).toContainText('待回复')

  // A tab is one identity's.
  await signInTo(office, OPERATOR, '院校帮助')
  await openTab(office, '咨询')
  await expect(rowOf(office, QUESTION)).toContainText(SCHOOL)
  await act(office, QUESTION, '回复')
  await press(office, '回复')
  await expect(dialog(office).getByText('请输入内容')).toBeVisible()
  await fill(office, { 内容: ANSWER })
  await press(office, '回复')
  await told(office, /^已回复/)
  await expect(rowOf(office, QUESTION)).toContainText('已回复')
  await actInMore(office, QUESTION, '转为文章')
  await expect(text(office)).toContainText(ANSWER)
  await choose(office, '分类', CATEGORY)
  await press(office, '保存')
  await told(office, '已新增草稿')
  await expect(rowOf(office, QUESTION)).toContainText('已转为文章')

  await helpTo(page, OPERATOR, SCHOOL, '院校帮助')
  await openTab(page, '咨询')
  await rowOf(page, QUESTION).getByRole('button', { name: QUESTION, exact: true }).click()
  await expect(dialog(page, QUESTION).getByText(ANSWER)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await act(page, QUESTION, '关闭')
  await dialog(page).getByRole('radio', { name: '满意', exact: true }).press('Space')
  await press(page, '关闭咨询')
  await told(page, `已关闭“${QUESTION}”`)
  await expect(rowOf(page, QUESTION)).toContainText('满意')
})

test('a school hides an article of the platform from its people, and shows it again', async ({
  page,
  elsewhere: office,
}) => {
  const hidden = '如何申请缓考'
  await helpTo(page, OPERATOR, SCHOOL, '学生帮助')
  await page.getByRole('search').getByRole('combobox', { name: '来源' }).click()
  await page.getByRole('option', { name: '平台', exact: true }).click()
  await act(page, hidden, '隐藏', /^对本校人员隐藏/)
  await told(page, `已隐藏“${hidden}”`)
  await expect(rowOf(page, hidden)).toContainText('已隐藏')

  await page.goto('schoolSupport?audience=student')
  const hits = page.getByRole('region', { name: '全部文章' })
  await expect(hits.getByRole('link', { name: '成绩有疑问怎么办' })).toBeVisible()
  await expect(hits.getByRole('link', { name: hidden })).toHaveCount(0)

  await signInTo(office, OPERATOR, '学生帮助')
  await expect(rowOf(office, hidden)).toContainText('已被1所院校隐藏')
  await openTab(office, '统计')
  await expect(office.getByRole('region', { name: '每日阅读' })).toBeVisible()
  await expectAccessible(office)
  await openTab(office, '咨询')
  await expect(office.getByRole('region', { name: '各院校咨询' })).toBeVisible()

  await helpTo(page, OPERATOR, SCHOOL, '学生帮助')
  await page.getByRole('search').getByRole('combobox', { name: '来源' }).click()
  await page.getByRole('option', { name: '平台', exact: true }).click()
  await act(page, hidden, '取消隐藏')
  await told(page, `已取消隐藏“${hidden}”`)
})

test('without a help centre its page says so', async ({ page }) => {
  await signInTo(page, OPERATOR, '院校帮助')
  // The flags are everybody's in this deployment, so the server's answer is given here; what it answers is told in its own stories.
  await page.route(/\/system\/pc\/api\/support\/tree/, (route) =>
    route.fulfill({ json: { code: 409, msg: '帮助中心未开放', data: null } }),
  )
  await page.goto('schoolSupport')
  await expect(page.getByText('帮助中心未开放', { exact: true })).toBeVisible()
  await expect(page.getByText('如需开放，请联系系统管理员。')).toBeVisible()
  await expectAccessible(page)
})
