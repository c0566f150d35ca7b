import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, fill, oneByOne, openTab, press, rowOf, signIn, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Exams of the operators' online-education site: questions, exams, their audit and marks, and classes. */

const ACCOUNT = operatorOf('quizzes', '演示考试')

const write = async (page: Page, label: string, words: string) => {
  const text = dialog(page).getByRole('textbox', { name: label, exact: true })
  await text.click()
  await page.keyboard.type(words)
  await expect(text).toContainText(words)
}

/** Another page of the operators has the same name. */
const signInToExams = async (page: Page) => {
  await signIn(page, ACCOUNT, 'exam/list')
  await expect(page.getByRole('heading', { level: 1, name: '试卷管理' })).toBeVisible()
}

test('a category has its questions in a drawer', async ({ page }) => {
  await signInTo(page, ACCOUNT, '试题分类')
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增分类' }).click()
  await fill(page, { 名称: '故事试题' })
  await press(page, '保存')
  await told(page, '已新增分类')
  await act(page, '故事试题', '试题')
  const list = dialog(page, '试题 故事试题')
  await expect(list.getByText('该分类还没有试题')).toBeVisible()
  await list.getByRole('button', { name: '新增试题' }).click()
  await choose(page, '题型', '判断题')
  await write(page, '题干', '货币是商品。')
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择正确或错误')).toBeVisible()
  await dialog(page).getByText('正确', { exact: true }).first().click()
  await press(page, '保存')
  await told(page, '已新增试题')
  const row = list.getByRole('row').filter({ hasText: '货币是商品。' })
  await expect(row).toContainText('判断题')
  await row.locator('.arco-checkbox').click()
  await list.getByRole('button', { name: '批量删除（1）' }).click()
  await press(page, '删除')
  await told(page, '已删除1道试题')
  await expect(list.getByText('该分类还没有试题')).toBeVisible()
})

test('an exam is composed, published and put on sale', async ({ page }) => {
  await signInToExams(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增试卷' }).click()
  await fill(page, { 试卷名称: '故事试卷', 总分: '30', 及格分: '18' })
  await openTab(dialog(page), '组卷')
  await dialog(page).getByRole('button', { name: '添加大题' }).click()
  await fill(page, { 第1大题标题: '一、选择题' })
  await dialog(page).getByRole('button', { name: '第1大题选题' }).click()
  const picker = dialog(page, '选择试题')
  await picker.getByRole('row').filter({ hasText: 'She ___ to the library' }).locator('.arco-checkbox').click()
  await press(page, '加入1题')
  await fill(page, { 第1题分值: '20' })
  await press(page, '保存')
  await expect(dialog(page).getByText('题目分值合计20，与总分30不一致')).toBeVisible()
  await dialog(page).getByRole('button', { name: '设为总分' }).click()
  await expect(dialog(page).getByText('题目分值合计20，与总分30不一致')).toBeHidden()
  await fill(page, { 第1题分值: '30' })
  await dialog(page).getByRole('button', { name: '设为总分' }).click()
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增试卷')
  await act(page, '故事试卷', '上架')
  await told(page, '已上架“故事试卷”')
  await page.getByRole('button', { name: '故事试卷' }).click()
  await expect(dialog(page).getByText('She ___ to the library every Saturday.')).toBeVisible()
})

test('a version is compared and approved', async ({ page }) => {
  await signInTo(page, ACCOUNT, '试卷审核')
  await expect(rowOf(page, '学位英语模拟卷二')).toContainText('待审核')
  await oneByOne(page)
  await act(page, '学位英语模拟卷二', '审核')
  await expect(dialog(page).getByText('一、选择题').first()).toBeVisible()
  await press(page, '通过')
  await told(page, '已通过“学位英语模拟卷二”')
  await expect(rowOf(page, '学位英语模拟卷二')).toBeHidden()
  await page.getByRole('tab', { name: /^通过/ }).click()
  await expect(rowOf(page, '学位英语模拟卷二')).toContainText('通过')
  await expectAccessible(page)
})

test('an attempt that waits is marked', async ({ page }) => {
  await signInToExams(page)
  await act(page, '学位英语模拟卷一', '考试记录')
  const list = dialog(page, '考试记录 学位英语模拟卷一')
  const waiting = list.getByRole('row').filter({ hasText: '待批改' }).first()
  await waiting.getByRole('button', { name: '批改' }).click()
  await fill(page, { '第6.2题得分': '11' })
  await expectAccessible(page)
  await press(page, '完成批改')
  await told(page, '已批改')
  // The list begins with what waits.
  await choose(page, '状态', '已完成')
  const marked = list.getByRole('row').filter({ hasText: '95/100' })
  await expect(marked).toContainText('及格')
  // To be read it offers nothing to type.
  await marked.getByRole('button', { name: '查看' }).last().click()
  await expect(dialog(page).getByText('第6.2题作答')).toBeVisible()
  await expect(dialog(page).getByRole('spinbutton')).toHaveCount(0)
})

test('a class gets another code, and lets in who waits', async ({ page }) => {
  await signInTo(page, ACCOUNT, '考试班级')
  await expect(rowOf(page, '学位英语冲刺班')).toContainText('2/200')
  await act(page, '学位英语冲刺班', '成员')
  const list = dialog(page, '成员 学位英语冲刺班')
  await list.getByRole('row').filter({ hasText: '待审核' }).getByRole('button', { name: '通过' }).click()
  await told(page, /已加入/)
  await dialog(page).locator('.arco-drawer-close-icon').click()
  await expect(rowOf(page, '学位英语冲刺班')).toContainText('3/200')
  await actInMore(page, '学位英语冲刺班', '换邀请码')
  await press(page, '换邀请码')
  await told(page, /新的邀请码：[A-Z0-9]{6}/)
  await expectAccessible(page)
})
