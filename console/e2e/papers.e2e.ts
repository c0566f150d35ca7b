import { expectAccessible } from './axe'
import { act, actInMore, callFromPage, choose, dialog, fill, openTab, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Papers put together by hand and by a rule, in one school, by an operator who looks into it. */

const OPERATOR = operatorOf('papers', '演示组卷')
const SCHOOL = '东湖示范学院（演示）'
const COURSE = '数据结构'
const PAPER = '故事试卷'
const BANK = 'SJTK'

const open = async (page: Page) => {
  await signInTo(page, OPERATOR, '试卷管理')
  await page.getByRole('combobox', { name: '院校', exact: true }).click()
  await page.getByRole('option', { name: SCHOOL, exact: true }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
}

/** A call for the school that the page shows; it must succeed. */
const called = async (page: Page, method: string, path: string, body?: unknown) => {
  const school = new URL(page.url()).searchParams.get('schoolId')
  const answer = await callFromPage(page, method, `${path}?schoolId=${school}`, body)
  expect(answer, path).toMatchObject({ code: 200 })
  return answer.data
}

/** A bank with four questions of two points each. */
const makeBank = async (page: Page) => {
  const courses = await called(page, 'POST', '/course/pc/collegeCurriculum/list', { keyword: COURSE })
  const { id: courseId } = courses.list.find(({ name }: { name: string }) => name === COURSE)
  const bank = { code: BANK, name: '组卷题库', courseId, usage: 'both' }
  const { id: bankId } = await called(page, 'POST', '/exam/pc/questionBank/save', bank)
  for (const word of ['甲', '乙', '丙', '丁']) {
    const question = {
      bankId,
      type: 'true_false',
      stem: `<p>判断${word}</p>`,
      answer: { value: true },
      defaultScore: 2,
    }
    await called(page, 'POST', '/exam/pc/exam/problem/save', question)
  }
}

const newPaper = async (page: Page, name: string, kind: string) => {
  await page.getByRole('button', { name: '新增试卷' }).click()
  await fill(page, { 试卷名称: name })
  await dialog(page).getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: COURSE, exact: true }).click()
  await choose(page, '用途', kind)
  await dialog(page).getByRole('spinbutton', { name: '目标总分' }).fill('6')
  await dialog(page).getByRole('spinbutton', { name: '及格分' }).fill('4')
  await dialog(page).getByRole('button', { name: '添加大题' }).click()
  await dialog(page).getByRole('combobox', { name: '大题1题型' }).click()
  await page.getByRole('option', { name: '判断题', exact: true }).click()
  await expect(dialog(page).getByRole('textbox', { name: '大题1标题' })).toHaveValue('一、判断题')
}

const total = (page: Page) => page.getByRole('status', { name: '合计' })

test('a paper by hand: sums go along, what is missing is told, and it is handed in', async ({ page }) => {
  await open(page)
  await makeBank(page)
  await expectAccessible(page)
  await newPaper(page, PAPER, '考试')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增试卷')
  await expect(page.getByRole('heading', { level: 1, name: '选题组卷' })).toBeVisible()
  await expect(total(page)).toContainText('已选 0题 / 0.0分 / 目标 6.0分')

  await page.getByRole('combobox', { name: '题库', exact: true }).click()
  await page.getByRole('option', { name: '组卷题库', exact: true }).click()
  for (const word of ['甲', '乙']) await act(page, `判断${word}`, '加入试卷')
  await expect(total(page)).toContainText('已选 2题 / 4.0分 / 目标 6.0分')
  await expect(total(page)).toContainText('还差2.0分')
  await expect(rowOf(page, '判断甲')).toContainText('已选')
  await expectAccessible(page)
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await told(page, '总分4.0，与目标总分6.0不一致')

  const basket = page.getByRole('complementary', { name: '试卷' })
  await basket.getByRole('spinbutton', { name: '第2题分值' }).fill('4')
  await page.keyboard.press('Enter')
  await expect(total(page)).toContainText('已选 2题 / 6.0分')
  await basket.getByRole('button', { name: '第2题上移' }).click()
  await expect(basket.getByRole('listitem').first()).toContainText('判断乙')
  await basket.getByRole('button', { name: '移出第1题' }).click()
  await expect(total(page)).toContainText('已选 1题 / 2.0分')

  await page.getByRole('button', { name: '随机补足' }).click()
  await choose(page, '题型', '判断题')
  await dialog(page).getByRole('spinbutton', { name: '题数' }).fill('2')
  await press(page, '补足')
  await told(page, '已补足2题')
  await expect(total(page)).toContainText('已选 3题 / 6.0分')

  await openTab(page, '管理试题')
  await page.getByRole('button', { name: '全选' }).click()
  await expect(page.getByText('已选3题')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '检查' }).click()
  await expect(dialog(page, /^检查/).getByText('没有发现问题，可以提交')).toBeVisible()
  await press(page, '关闭')
  await expect(dialog(page, /^检查/)).toHaveCount(0)
  await page.getByRole('button', { name: '预览' }).click()
  await expect(dialog(page, /^预览/).getByRole('article')).toContainText('一、判断题（3题，共6.0分）')
  await dialog(page, /^预览/).getByText('显示答案和解析').click()
  await expect(dialog(page, /^预览/).getByText('答案').first()).toBeVisible()
  await expectAccessible(page)
  await dialog(page, /^预览/).getByText('显示答案和解析').focus()
  await page.keyboard.press('Escape')
  await expect(dialog(page, /^预览/)).toHaveCount(0)
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await told(page, `已提交“${PAPER}”`)
  await expect(total(page)).toContainText('待审核')
})

test('who handed a paper in does not pass it; a paper for homework needs no review, and its change is a new version', async ({
  page,
}) => {
  await open(page)
  await page.getByRole('textbox', { name: '编号或名称' }).fill(PAPER)
  await page.getByRole('button', { name: '查询' }).click()
  await actInMore(page, PAPER, '审核通过')
  await press(page, '审核通过')
  await told(page, '不能审核自己提交的试卷')
  await actInMore(page, PAPER, '退回')
  await fill(page, { 退回原因: '请核对分值' })
  await press(page, '退回')
  await told(page, `已退回“${PAPER}”`)
  await expect(rowOf(page, PAPER)).toContainText('已退回')

  await actInMore(page, PAPER, '复制')
  await dialog(page).getByRole('textbox', { name: '名称' }).fill('故事作业卷')
  await press(page, '复制')
  await told(page, '已复制试卷，状态为草稿')
  await page.getByRole('textbox', { name: '编号或名称' }).fill('故事作业卷')
  await page.getByRole('button', { name: '查询' }).click()
  await actInMore(page, '故事作业卷', '编辑')
  await choose(page, '用途', '作业')
  await press(page, '保存')
  await told(page, '已保存试卷')
  await actInMore(page, '故事作业卷', '提交')
  await told(page, '已提交“故事作业卷”')
  await expect(rowOf(page, '故事作业卷')).toContainText('已通过')

  await act(page, '故事作业卷', '选题')
  await page.getByRole('button', { name: '移出第1题' }).click()
  await expect(dialog(page).getByText('修改“故事作业卷”将生成第2版草稿')).toBeVisible()
  await press(page, '生成新版本')
  await expect(page.getByText('第2版')).toBeVisible()
  await expect(total(page)).toContainText('草稿')
})

test('a rule says what it draws and what is missing, and makes papers', async ({ page }) => {
  await open(page)
  await openTab(page, '组卷策略')
  await page.getByRole('button', { name: '新增策略' }).click()
  await fill(page, { 策略名称: '故事策略' })
  await dialog(page).getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: COURSE, exact: true }).click()
  await dialog(page).getByRole('spinbutton', { name: '目标总分' }).fill('6')
  await dialog(page).getByRole('combobox', { name: '第1项题型' }).click()
  await page.getByRole('option', { name: '判断题', exact: true }).click()
  await expect(dialog(page).getByText('共10题 / 20.0分 / 目标 6.0分')).toBeVisible()
  await press(page, '保存')
  await expect(dialog(page).getByText('各项合计20.0分，与目标总分6.0不一致')).toBeVisible()
  await dialog(page).getByRole('spinbutton', { name: '第1项题数' }).fill('3')
  await dialog(page).getByRole('spinbutton', { name: '第1项题数' }).blur()
  await dialog(page).getByRole('combobox', { name: '第1项题库' }).click()
  await page.getByRole('option', { name: '组卷题库', exact: true }).click()
  await page.keyboard.press('Tab')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增组卷策略')

  await act(page, '故事策略', '检查题量')
  await expect(dialog(page, /^检查题量/).getByText('题量充足，可以生成试卷')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await act(page, '故事策略', '生成试卷')
  await press(page, '生成')
  await told(page, /已生成1份试卷，随机种子\d+/)

  await openTab(page, '使用记录')
  await expect(page.getByRole('textbox', { name: '编号或名称' })).toBeVisible()
  await expectAccessible(page)
})
