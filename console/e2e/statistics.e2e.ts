import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  choose,
  dataOf,
  dialog,
  exportButton,
  fill,
  goTo,
  helpAt,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Page, test } from './test'

/** Statistics of the second school, and over all of them (05 A). */

const OPERATOR = operatorOf('statistics', '演示统计')
const SOUTH = '南岭示范大学'

const at = (path: string, search: object = {}) => `${path.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** The file of what is shown, without a question before it. */
const fileOf = async (page: Page) => {
  const coming = page.waitForEvent('download')
  await exportButton(page).click()
  return coming
}

test('courses, their classes, their students, and what a student studied', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await goTo(page, '视频学习统计')
  const sums = rowOf(page, '合计')
  await expect(sums).toHaveCount(1)
  await expect(page.getByText(/^数据截至 /)).toBeVisible()
  await expectAccessible(page)
  const course = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /的应学人次$/ }) })
    .first()
  await course.getByRole('link', { name: /的应学人次$/ }).click()
  await expect(page.getByRole('tab', { name: '按班级' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('region', { name: '已应用的筛选' })).toContainText('课程')
  await page
    .getByRole('link', { name: /的应学人次$/ })
    .first()
    .click()
  await expect(page.getByRole('tab', { name: '按学生' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('columnheader', { name: '最近学习' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '学习记录', exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: '学习记录' })).toBeVisible()
})

test('a file says what its columns are, and charts have their figures', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at(paths.videoStatistics, { level: 'class' }))
  await expect(rowOf(page, '合计')).toHaveCount(1)
  const said = textsIn(await (await fileOf(page)).path())
  expect(said.flat()).toContain('数据截至')
  expect(said.some(([what, words]) => what === '平均进度' && words?.includes('÷应学人次'))).toBe(true)
  await openTab(page, '汇总图表')
  await expect(page.getByRole('list', { name: '主要数据' })).toContainText('应学人次')
  const figure = page.getByRole('region', { name: '进度分布' })
  await figure.getByRole('button', { name: '查看数据' }).click()
  await expect(figure.getByRole('columnheader', { name: '人次' })).toBeVisible()
  await figure.getByRole('button', { name: '查看图表' }).click()
  await expect(figure.locator('svg').first()).toBeAttached()
  const coming = page.waitForEvent('download')
  await figure.getByRole('button', { name: '下载图片' }).click()
  expect((await coming).suggestedFilename()).toBe('进度分布.png')
  await expectAccessible(page)
  await page.getByRole('button', { name: '刷新数据' }).click()
  await told(page, /已更新|数据已是最新|数据刚刚更新过/)
})

test('homework, examinations and sign-ins are told by their levels', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at(paths.workStatistics))
  await openTab(page, '按作业')
  await expect(page.getByRole('columnheader', { name: '按时率' })).toBeVisible()
  await openAt(page, at(paths.examStatistics))
  await expect(page.getByRole('columnheader', { name: '参考率' })).toBeVisible()
  await openTab(page, '汇总图表')
  await expect(page.getByRole('region', { name: '分数段' })).toBeVisible()
  await expectAccessible(page)
  await openAt(page, at(paths.loginStatistics))
  await expect(rowOf(page, '合计')).toHaveCount(1)
  await openTab(page, '按学生')
  await expect(page.getByRole('columnheader', { name: '未登录天数' })).toBeVisible()
  await openTab(page, '汇总图表')
  await expect(page.getByRole('region', { name: '星期与时段', exact: true })).toContainText('周一')
  await expectAccessible(page)
})

test('the register comes out, and a report is printed', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at(paths.statistics))
  await expect(rowOf(page, '在籍学生').first()).toBeVisible()
  await expectAccessible(page)
  await openTab(page, '学籍统计')
  await expect(page.getByRole('columnheader', { name: '期末', exact: true })).toBeVisible()
  await openTab(page, '年报表')
  await openTab(page, '打印')
  await expect(page.getByRole('button', { name: '打印', exact: true })).toBeEnabled()
  await expectAccessible(page)
})

test('a link of a poster is made, scanned, switched off and deleted', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH, at(paths.sources))
  // Where the school's own client is, which the code leads to.
  const SETTING = '/system/pc/sys/school/setting'
  const { version } = await dataOf(page, 'GET', `${SETTING}/view?group=recruitment`)
  const clientUrls = { student: 'https://xs.example.cn', teacher: '', site: '' }
  await dataOf(page, 'PUT', `${SETTING}/edit`, { group: 'recruitment', version, value: { clientUrls } })
  await openTab(page, '推广链接')
  await page.getByRole('button', { name: '新增推广链接' }).click()
  await fill(page, { 名称: '演示地铁站海报' })
  await choose(page, '来源渠道', '海报二维码')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增推广链接')
  await act(page, '演示地铁站海报', '二维码')
  await expect(dialog(page).getByRole('img', { name: '演示地铁站海报的二维码' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await actInMore(page, '演示地铁站海报', '停用')
  await press(page, '停用')
  await told(page, '已停用“演示地铁站海报”')
  await actInMore(page, '演示地铁站海报', '删除')
  await press(page, '删除')
  await told(page, '已删除“演示地铁站海报”')
  await expect(rowOf(page, '演示地铁站海报')).toHaveCount(0)
})

test('operators see a row of each school and choose one', async ({ page }) => {
  await signIn(page, OPERATOR, at(platformPaths.videoStatistics))
  await expect(rowOf(page, '合计')).toHaveCount(1)
  await expectAccessible(page)
  await act(page, SOUTH, '选定院校')
  await expect(page.getByRole('tab', { name: '按课程' })).toBeVisible()
  await openAt(page, at(platformPaths.statistics))
  await expect(page.getByRole('tab', { name: '概况' })).toBeVisible()
})
