import { expectAccessible } from './axe'
import { act, actInMore, choose, dialog, fill, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, type Page, test } from './test'

/** Banks and questions of a school, by an operator who looks into it. */

const OPERATOR = operatorOf('question_bank', '演示题库')
const SCHOOL = '东湖示范学院（演示）'
const COURSE = '数据结构'
const BANK = '故事题库'

const open = async (page: Page, menu: string) => {
  await signInTo(page, OPERATOR, menu)
  await page.getByRole('combobox', { name: '院校', exact: true }).click()
  await page.getByRole('option', { name: SCHOOL, exact: true }).click()
  await expect(page).toHaveURL(/schoolId=\d+/)
}

/** To the questions of the bank of these stories. */
const openBank = async (page: Page) => {
  await open(page, '题库管理')
  await page.getByRole('textbox', { name: '编码或名称' }).fill(BANK)
  await page.getByRole('button', { name: '查询' }).click()
  await act(page, BANK, '试题')
  await expect(page.getByRole('heading', { level: 1, name: '试题列表' })).toBeVisible()
}

const add = async (page: Page, type: string) => {
  await page.getByRole('button', { name: '新增试题' }).click()
  await page.getByRole('menuitem', { name: type, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新增试题' })).toBeVisible()
}

const write = async (page: Page, label: string, words: string) => {
  const text = page.getByRole('textbox', { name: label, exact: true })
  await text.click()
  await page.keyboard.type(words)
  await expect(text).toContainText(words)
}

const save = (page: Page, button = '保存') => page.getByRole('button', { name: button, exact: true }).click()

test('a bank of a course, with the figures of its questions', async ({ page }) => {
  await open(page, '题库管理')
  await expectAccessible(page)
  await page.getByRole('button', { name: '新增题库' }).click()
  await fill(page, { 题库名称: BANK, 题库编码: 'GSTK' })
  await dialog(page).getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: COURSE, exact: true }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择用途')).toBeVisible()
  await choose(page, '用途', '通用')
  await choose(page, '可见范围', '创建人及成员')
  await expect(dialog(page).getByRole('combobox', { name: '成员' })).toBeVisible()
  await choose(page, '可见范围', '全校')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增题库')
  await page.getByRole('button', { name: '新增题库' }).click()
  await fill(page, { 题库名称: '另一题库', 题库编码: 'gstk' })
  await dialog(page).getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: COURSE, exact: true }).click()
  await choose(page, '用途', '通用')
  await press(page, '保存')
  await expect(dialog(page).getByText('编码“gstk”已存在')).toBeVisible()
  await press(page, '取消')
  await press(page, '关闭')
  await rowOf(page, BANK).getByRole('button', { name: BANK, exact: true }).click()
  await dialog(page, BANK).getByRole('tab', { name: '题量分布' }).click()
  await expect(dialog(page, BANK).getByText('这个题库还没有试题。')).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a single choice: options are added, put in order and removed, what is right goes with its option', async ({
  page,
}) => {
  await openBank(page)
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
  await expectAccessible(page)
  await add(page, '单选题')
  await save(page)
  await expect(page.getByText('请输入题干')).toBeVisible()
  await write(page, '题干', '栈的特点是')
  await write(page, '选项A', '先进先出')
  await write(page, '选项B', '后进先出')
  await write(page, '选项C', '先进先出')
  await save(page)
  await expect(page.getByText('请填写选项D')).toBeVisible()
  await page.getByRole('button', { name: '删除选项D' }).click()
  await save(page)
  await expect(page.getByText('选项A与C内容相同')).toBeVisible()
  await page.getByRole('button', { name: '删除选项C' }).click()
  await save(page)
  await expect(page.getByText('请选择1个正确选项')).toBeVisible()
  await page.getByRole('radio', { name: '选项B正确' }).check()
  await page.getByRole('button', { name: '选项B上移' }).click()
  await expect(page.getByRole('radio', { name: '选项A正确' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: '选项A' })).toContainText('后进先出')
  const preview = page.getByRole('complementary', { name: '预览' })
  await expect(preview).toContainText('栈的特点是')
  await expect(preview.getByRole('radio', { name: 'A 后进先出' })).toBeVisible()

  // A formula is drawn where it stands and in the preview.
  await page.getByRole('textbox', { name: '题干' }).click()
  await page.keyboard.press('Control+End')
  await page.getByRole('toolbar', { name: '题干的插入' }).getByRole('button', { name: '公式' }).click()
  await dialog(page, '公式').getByRole('textbox', { name: '公式（TeX）' }).fill('x^2')
  await expect(dialog(page, '公式').getByRole('status', { name: '公式预览' }).locator('msup')).toBeVisible()
  await press(page, '插入')
  await expect(preview.locator('msup')).toBeVisible()
  await expectAccessible(page)
  await save(page)
  await told(page, '已新增试题')
  await expect(page.getByRole('heading', { level: 1, name: '试题列表' })).toBeVisible()
  const row = rowOf(page, '栈的特点是')
  await expect(row).toContainText('单选题')
  await row.getByRole('button', { name: /栈的特点是/ }).click()
  const file = dialog(page, /栈的特点是/)
  await expect(file.getByText('答案')).toBeVisible()
  await expect(file.locator('.question-solution dd').first()).toHaveText('A')
  await file.getByRole('tab', { name: '修订记录' }).click()
  await expect(file.getByRole('list', { name: '操作日志' })).toContainText('演示题库')
  await file.getByRole('tab', { name: '使用情况' }).click()
  await expect(file.getByText('还没有试卷使用这道题')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await act(page, '栈的特点是', '编辑')
  await expect(page.getByRole('textbox', { name: '选项A' })).toContainText('后进先出')
  await page.getByRole('combobox', { name: '题型', exact: true }).click()
  await page.getByRole('option', { name: '多选题', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: '选项A正确' })).toBeChecked()
  await save(page)
  await expect(page.getByText('多选题至少有2个正确选项')).toBeVisible()
  await page.getByRole('checkbox', { name: '选项B正确' }).check()
  await save(page)
  await told(page, '已保存试题')
  await expect(rowOf(page, '栈的特点是')).toContainText('多选题')
})

test('blanks are counted in the stem, sub-questions have editors of their own', async ({ page }) => {
  await openBank(page)
  await add(page, '填空题')
  await write(page, '题干', '线性表有____和____两种存储。')
  await page.getByRole('textbox', { name: '第1空答案' }).fill('顺序|顺序存储')
  await save(page)
  await expect(page.getByText('题干有2个空，答案有1个')).toBeVisible()
  await page.getByRole('button', { name: '添加空' }).click()
  await page.getByRole('textbox', { name: '第2空答案' }).fill('链式')
  await page.getByRole('spinbutton', { name: '第2空分值' }).fill('0.5')
  await page.getByRole('spinbutton', { name: '第2空分值' }).blur()
  await save(page)
  await expect(page.getByText('各空分值合计1.5，与分值2.0不一致')).toBeVisible()
  await page.getByRole('spinbutton', { name: '第2空分值' }).fill('1')
  await page.getByRole('spinbutton', { name: '第2空分值' }).blur()
  await expectAccessible(page)
  await save(page, '保存并新增下一题')
  await told(page, '已新增试题')

  // The next one is of the same type; a parent asks for questions of its own.
  await expect(page.getByRole('textbox', { name: '题干', exact: true })).toHaveText('')
  await page.getByRole('combobox', { name: '题型', exact: true }).click()
  await page.getByRole('option', { name: '综合题', exact: true }).click()
  // The list that closes has the next one's words, too.
  await expect(page.getByRole('option', { name: '综合题', exact: true })).toHaveCount(0)
  await write(page, '题干', '阅读材料，回答问题。')
  await page.getByRole('combobox', { name: '第1小题题型' }).click()
  await page.getByRole('option', { name: '判断题', exact: true }).click()
  await write(page, '第1小题题干', '队列是先进先出的。')
  await save(page)
  await expect(page.getByText('第1小题：请选择正确或错误')).toBeVisible()
  await page.getByText('正确', { exact: true }).first().click()
  await page.getByRole('button', { name: '添加小题' }).click()
  await expect(page.getByText('2小题，合计4.0分')).toBeVisible()
  await page.getByRole('button', { name: '删除第2小题' }).click()
  await expectAccessible(page)
  await save(page)
  await told(page, '已新增试题')
  await expect(rowOf(page, '阅读材料')).toContainText('1小题')
})

const TEXT = `1. [单选题] 二叉树第i层最多有几个结点
A. 2的i次方
B. 2的i-1次方
【答案】B
【难度】较难

2. [判断题] 图可以没有边。
【答案】对
`

test('a text of questions is checked before it is written, and repeated ones are left out', async ({ page }) => {
  await openBank(page)
  const upload = (text: string) =>
    dialog(page, '导入试题')
      .locator('input[type=file]')
      .setInputFiles({ name: '试题.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: '更多' }).first().click()
  await page.getByRole('button', { name: '文本导入' }).click()
  await expect(dialog(page).getByRole('region', { name: '文本格式示例' })).toContainText('【答案】')
  await expectAccessible(page)
  await upload(TEXT.replace('【答案】对\n', ''))
  await expect(dialog(page).getByText('没有写入任何数据')).toBeVisible()
  await expect(dialog(page).getByRole('cell', { name: '答案' }).first()).toBeVisible()
  await press(page, '重新上传')
  await upload(TEXT)
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '继续导入')
  await upload(TEXT)
  await expect(
    dialog(page)
      .getByText(/与题库第\d+题重复/)
      .first(),
  ).toBeVisible()
  await press(page, '重新上传')
  await dialog(page).getByText('跳过重复的试题').click()
  await upload(`${TEXT}\n3. [判断题] 树是特殊的图。\n【答案】对\n`)
  await expect(dialog(page).getByText('跳过重复的2行')).toBeVisible()
  await press(page, '确认导入3行')
  await expect(dialog(page).getByText('已导入1行，跳过重复的2行')).toBeVisible()
  await press(page, '关闭')
  await expect(rowOf(page, '树是特殊的图')).toBeVisible()
})

test('several questions are set, switched off, copied and deleted', async ({ page }) => {
  await openBank(page)
  await rowOf(page, '图可以没有边').getByRole('checkbox').press('Space')
  await rowOf(page, '树是特殊的图').getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: '批量设置' }).click()
  await choose(page, '难度', '难')
  await press(page, '保存')
  await told(page, '已设置')
  await expect(rowOf(page, '图可以没有边')).toContainText('难')

  await actInMore(page, '图可以没有边', '停用')
  await press(page, '停用')
  await told(page, /已停用试题/)
  await page.getByRole('tab', { name: /^停用/ }).click()
  await expect(rowOf(page, '图可以没有边')).toBeVisible()
  await expect(rowOf(page, '树是特殊的图')).toHaveCount(0)
  await page.getByRole('tab', { name: /^全部/ }).click()

  await actInMore(page, '树是特殊的图', '复制')
  await expect(page.getByRole('textbox', { name: '题干', exact: true })).toContainText('树是特殊的图')
  await save(page)
  await expect(page.getByText(/与题库第\d+题重复/).first()).toBeVisible()
  await page.getByRole('button', { name: '返回列表' }).click()

  await actInMore(page, '树是特殊的图', '删除')
  await press(page, '删除')
  await told(page, /已删除试题/)
  await expect(rowOf(page, '树是特殊的图')).toHaveCount(0)
})
