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
import { expect, test } from './test'

/** Scenes, templates, switches and messages, as an operator of its own, who then enters a school. */
const ACCOUNT = operatorOf('messages', '演示消息')

test.describe.configure({ mode: 'serial' })

test('a scene of one’s own gets a template, and wrong variables are told', async ({ page }) => {
  await signInTo(page, ACCOUNT, '消息场景')
  await page.getByRole('button', { name: '新增场景' }).click()
  await fill(page, { 场景编码: 'tuition_due', 场景名称: '学费到期', 模块: '财务' })
  await press(page, '添加变量')
  await fill(page, { 变量名1: 'amount', 说明1: '金额', 示例1: '2800.00元' })
  await press(page, '保存')
  await told(page, '已新增场景')

  await goTo(page, '消息模板')
  await page.getByRole('button', { name: '新增模板' }).click()
  await dialog(page).getByRole('combobox', { name: '场景' }).click()
  await page.keyboard.type('学费到期')
  await page.getByRole('option', { name: /学费到期/ }).click()
  await choose(page, '渠道', '短信')
  await fill(page, { 标题: '缴费提醒', 内容: '{{name}}，请缴{{sum}}', 服务商模板号: 'SMS_1' })
  await press(page, '保存')
  await expect(dialog(page).getByText('模板包含未定义变量：sum')).toBeVisible()
  await fill(page, { 内容: '{{name}}，请缴{{amount}}' })
  await press(page, '保存')
  await told(page, '已新增模板')
  await page.getByRole('search').getByRole('textbox', { name: '场景', exact: true }).fill('学费到期')
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await rowOf(page, '学费到期').getByRole('button', { name: '预览' }).click()
  await expect(dialog(page).getByText('张晓梅，请缴2800.00元')).toBeVisible()
  await expect(dialog(page).getByText('共1条短信')).toBeVisible()
})

test('the matrix switches a channel and goes back to its default', async ({ page }) => {
  await signIn(page, ACCOUNT, 'user/msg/scene/list')
  await page.getByRole('textbox', { name: '场景编码或名称' }).fill('timetable_changed')
  const sms = page.getByRole('switch', { name: '调课通知 短信' })
  await expect(sms).toHaveAttribute('aria-checked', 'true')
  await sms.click()
  await told(page, '已保存')
  await expect(sms).toHaveAttribute('aria-checked', 'false')
  await rowOf(page, '调课通知').getByRole('button', { name: '恢复默认' }).click()
  await expect(sms).toHaveAttribute('aria-checked', 'true')
  await openTab(page, '短信配额')
  await expect(page.getByText('东湖示范学院（演示）').first()).toBeVisible()
})

test('inside a school a message is written, counted, sent, looked at and recalled', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await rowOf(page, '南岭示范大学').getByRole('button', { name: '进入院校' }).click()
  await fill(page, { 进入原因: '协助发送通知' })
  await press(page, '进入院校')
  await expect(page.getByText('平台代管')).toBeVisible()
  await goTo(page, '消息管理')
  await page.getByRole('button', { name: '新增消息' }).click()
  const form = page.getByRole('region', { name: '新增消息' })
  await expect(form.getByText('全部教师')).toBeVisible()
  await form.getByRole('textbox', { name: '标题' }).fill('春季缴费通知')
  await form.getByRole('textbox', { name: '内容' }).fill('请于3月15日前缴费。')
  await form.getByRole('button', { name: '预览接收人数' }).click()
  await expect(form.getByText(/共[\d,]+人，例如：/)).toBeVisible()
  await form.getByRole('button', { name: '保存' }).click()
  await told(page, '已保存草稿')
  await act(page, '春季缴费通知', '发送', /现在发送/)
  await told(page, '开始发送')
  await expect(rowOf(page, '春季缴费通知').getByText('已发送')).toBeVisible({ timeout: 20_000 })

  await actInMore(page, '春季缴费通知', '发送统计')
  await expect(page.getByText('100.0%')).toBeVisible()
  const hours = page.getByRole('region', { name: '按小时' })
  await hours.getByRole('button', { name: '查看数据' }).click()
  await expect(hours.getByRole('row', { name: /^\d{4}-\d{2}-\d{2} \d{2}:00 / }).first()).toBeVisible()
  await page.goBack()
  await actInMore(page, '春季缴费通知', '查看统计')
  await expect(page.getByText('站内信已发送').first()).toBeVisible()
  await goTo(page, '消息管理')
  await actInMore(page, '春季缴费通知', '撤回')
  await press(page, '撤回')
  await expect(rowOf(page, '春季缴费通知').getByText('已撤回')).toBeVisible()
})

test('a push is written, sent and recalled; what single persons were told is a list of its own', async ({ page }) => {
  await signIn(page, ACCOUNT, 'user/msg/app/list')
  await page.getByRole('button', { name: '新增App消息' }).click()
  await fill(page, { 标题: '期末考试安排', 内容: '请查看考试时间和地点。' })
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route(/available\/list\?.*keyword=/, async (route) => {
    await held
    return route.continue()
  })
  const school = page.getByRole('option', { name: /东湖示范学院/ })
  await dialog(page).getByRole('combobox', { name: '院校' }).click()
  await expect(school).toBeVisible()
  const asked = page.waitForRequest(/available\/list\?.*keyword=/)
  await page.keyboard.type('东湖')
  await asked
  // While the answer is on its way, what was offered stays and can be taken.
  await school.click()
  answer()
  await expect(
    dialog(page)
      .getByText(/东湖示范学院/)
      .first(),
  ).toBeVisible()
  await dialog(page).getByRole('textbox', { name: '内容' }).click()
  await choose(page, '跳转类型', '网址')
  await fill(page, { 跳转目标: 'www.example.com' })
  await press(page, '保存')
  await expect(dialog(page).getByText('跳转目标应为以 http:// 或 https:// 开头的网址')).toBeVisible()
  await fill(page, { 跳转目标: 'https://www.example.com/exam' })
  await press(page, '保存')
  await told(page, '已保存草稿')
  await act(page, '期末考试安排', '发送', /现在发送/)
  await told(page, '开始发送')
  await expect(rowOf(page, '期末考试安排').getByText('已发送')).toBeVisible({ timeout: 20_000 })
  await actInMore(page, '期末考试安排', '撤回')
  await press(page, '撤回')
  await expect(rowOf(page, '期末考试安排').getByText('已撤回')).toBeVisible()
})

/** A day of China as people type it. */
const dayAfter = (days: number) => new Date(Date.now() + (days * 24 + 8) * 3_600_000).toISOString().slice(0, 10)

test('the end of a school’s service is told behind the badge, and read there', async ({ page }) => {
  await signIn(page, ACCOUNT, 'sys/school/list')
  await page.getByRole('button', { name: '消息', exact: true }).click()
  await expect(dialog(page, '我的消息').getByText('还没有消息。')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: '我的消息' })).toHaveCount(0)

  const end = dayAfter(30)
  await act(page, '东湖示范学院', '编辑')
  await fill(page, { 服务到期: end })
  await press(page, '保存')
  await told(page, '已保存院校资料')
  const started = await callFromPage(page, 'POST', '/data/pc/druid/job/run', { name: 'school.expiry' })
  expect(started.code).toBe(200)
  // Schools that other stories opened are on trial: theirs ends soon as well.
  const near = { expiry: 'within_30_days' }
  const { data } = await callFromPage(page, 'POST', '/system/pc/sys/school/list', near)
  const badge = page.getByRole('button', { name: `消息，${data.totalCount}条未读` })
  await expect(async () => {
    await page.reload()
    await expect(badge).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 30_000 })

  await badge.click()
  const inbox = dialog(page, '我的消息')
  await inbox.getByText('只看未读').click()
  const letter = inbox.getByRole('button', { name: /^服务即将到期/ })
  await expect(letter).toHaveCount(data.totalCount)
  await expect(letter.first().getByText('未读')).toBeVisible()
  await expectAccessible(page)
  const ends: string[] = []
  for (let left = data.totalCount; left > 0; left -= 1) {
    await letter.first().click()
    const text = inbox.getByText(/的服务将于/)
    await expect(text).toBeVisible()
    ends.push(await text.innerText())
    // One letter is read like another.
    if (ends.length === 1) await expectAccessible(page)
    await inbox.getByRole('button', { name: '返回列表' }).click()
    await expect(letter).toHaveCount(left - 1)
  }
  expect(ends).toContain(`东湖示范学院（演示）的服务将于${end}到期，还有30天，请及时续期。`)
  await expect(page.getByRole('button', { name: /^消息，\d+条未读$/ })).toHaveCount(0)
  await expect(inbox.getByText('没有未读消息。')).toBeVisible()
  await inbox.getByText('只看未读').click()
  await expect(letter).toHaveCount(data.totalCount)
  await expect(letter.getByText('未读')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: '我的消息' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '消息', exact: true })).toBeVisible()

  await goTo(page, '用户消息')
  await expect(rowOf(page, '服务即将到期').first()).toBeVisible()
})
