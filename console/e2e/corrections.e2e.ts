import { expectAccessible } from './axe'
import { act, dialog, fill, goTo, openTab, press, rowOf, signIn, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** A student's name is corrected: one asks, another decides. Two operators who help in the first school. */

const ASKS = operatorOf('corrections', '演示更正')
const DECIDES = operatorOf('corrections_audit', '演示更正审核')

const enterSchool = async (page: Page, operator: string) => {
  await signIn(page, operator, 'sys/school/list')
  await act(page, '东湖示范学院', '进入院校')
  await fill(page, { 进入原因: '协助办理信息更正' })
  await press(page, '进入院校')
  await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
  await goTo(page, '在籍学生')
}

test('a name is corrected by two people, and the file tells of it', async ({ page, elsewhere: other }) => {
  await enterSchool(page, ASKS)
  await openTab(page, /^待注册/)
  const student = page.getByRole('row').nth(1)
  await expect(student).toContainText('待注册')
  const name = await student.getByRole('button').first().innerText()
  const corrected = `${name}玫`
  await student.getByRole('button', { name: '申请更正' }).click()
  await expect(dialog(page, `申请信息更正 ${name}`)).toBeVisible()
  await fill(page, { 说明: '姓名与户口簿不一致' })
  await press(page, '保存')
  await expect(dialog(page).getByText('没有需要更正的内容，请填写更正后的信息')).toBeVisible()
  await fill(page, { 姓名: corrected })
  await press(page, '保存')
  await told(page, '已提交信息更正')

  await openTab(page, '信息更正')
  const asked = rowOf(page, '姓名与户口簿不一致')
  await expect(asked).toContainText('待学校')
  await expect(asked.getByRole('button', { name: '审核' })).toBeDisabled()
  await expectAccessible(page)

  await enterSchool(other, DECIDES)
  await openTab(other, '信息更正')
  await rowOf(other, '姓名与户口簿不一致').getByRole('button', { name: '审核' }).click()
  const values = dialog(other).getByRole('table', { name: '更正内容' }).getByRole('row', { name: /^姓名/ })
  await expect(values).toContainText(`${name}${corrected}`)
  await expectAccessible(other)
  await press(other, '保存')
  await told(other, '已审核')
  await expect(rowOf(other, '姓名与户口簿不一致')).toContainText('已更正')

  await openTab(other, '全部')
  await other.getByRole('textbox', { name: '姓名或号码' }).fill(corrected)
  await other.keyboard.press('Enter')
  await expect(other.getByRole('region', { name: '已应用的筛选' })).toContainText(corrected)
  await rowOf(other, corrected).getByRole('button', { name: corrected }).click()
  const records = other.getByRole('region', { name: '更正记录' })
  await records.scrollIntoViewIfNeeded()
  await expect(records.getByRole('row').filter({ hasText: '录取信息有误' })).toContainText('已更正')
})
