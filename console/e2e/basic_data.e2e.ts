import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dialog,
  drag,
  exportButton,
  exported,
  fill,
  goTo,
  idCardOf,
  openTab,
  press,
  rowOf,
  signIn,
  signInTo,
  told,
} from './kit'
import { filledIn } from './sheet'
import { type Download, expect, type Page, test } from './test'

/** Grades and sites of the second school, as its 院校管理员; where two people meet, also as its 教务管理员. */

const ACCOUNT = 'demo02_admin'
const COLLEAGUE = 'demo02_jw'

const downloaded = async (page: Page, button: string): Promise<Download> => {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  return coming
}

test('a grade lives: created, refused, edited, switched off, deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '年级管理')

  await page.getByRole('button', { name: '新增年级' }).click()
  await press(page, '保存')
  await expect(dialog(page).getByText('请输入年级编码')).toBeVisible()
  await expect(dialog(page).getByRole('textbox', { name: '年级编码' })).toBeFocused()
  await fill(page, { 年级编码: '2041' })
  await page.keyboard.press('Control+s')
  await told(page, '已新增年级')
  await expect(rowOf(page, '2041级')).toContainText('春季')

  await page.getByRole('button', { name: '新增年级' }).click()
  await fill(page, { 年级编码: '2041' })
  await press(page, '保存')
  await expect(dialog(page, '新增年级').getByRole('alert').filter({ hasText: '已存在' })).toBeVisible()
  await press(page, '取消')
  await expect(dialog(page).getByText('有未保存的内容，确定关闭吗？')).toBeVisible()
  await press(page, '关闭')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await act(page, '2041级', '编辑')
  await choose(page, '入学季', '秋季')
  await press(page, '保存')
  await told(page, '已保存年级')
  await expect(rowOf(page, '2041级')).toContainText('秋季')

  await act(page, '2041级', '停用', '停用“2041级”？')
  await expect(rowOf(page, '2041级').getByText('停用', { exact: true })).toBeVisible()
  await act(page, '2041级', '启用')
  await expect(rowOf(page, '2041级').getByRole('button', { name: '停用' })).toBeVisible()

  await act(page, '2041级', '删除', '确定删除“2041级”吗？')
  await told(page, '已删除“2041级”')
  await expect(rowOf(page, '2041级')).toHaveCount(0)
})

test('a grade with students is kept, and the reason is told', async ({ page }) => {
  await signInTo(page, ACCOUNT, '年级管理')
  const used = page.getByRole('row').nth(1)
  const name = await used.getByRole('button').first().innerText()
  await used.getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '批量删除' }).click()
  await expect(dialog(page).getByText('确定删除选中的1个年级吗？')).toBeVisible()
  await press(page, '批量删除')
  await expect(dialog(page).getByText('批量删除：成功0条，失败1条')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: name })).toContainText('引用')
  expect((await downloaded(page, '下载失败明细')).suggestedFilename()).toBe('批量删除失败明细.csv')
})

test('a site goes through its states, each with its reason', async ({ page }) => {
  await signInTo(page, ACCOUNT, '站点管理')
  await page.getByRole('button', { name: '新增站点' }).click()
  await fill(page, { 编码: 'E2E1', 名称: '城东教学点', 设点单位: '城东职业学校', 电话: '13800138001' })
  await choose(page, '类型', '校外教学点')
  await press(page, '保存')
  await told(page, '已新增站点')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('E2E1')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, '城东教学点')).toContainText('138****8001')

  const steps: readonly (readonly [action: string, reason: string, state: string])[] = [
    ['停招', '备案到期', '停招'],
    ['恢复', '重新备案', '在用'],
    ['撤销', '合作终止', '撤销'],
    ['重新启用', '恢复合作', '停招'],
  ]
  for (const [action, reason, state] of steps) {
    if (action === '撤销') await actInMore(page, '城东教学点', action)
    else await act(page, '城东教学点', action)
    await fill(page, { 原因: reason })
    await press(page, '保存')
    await told(page, `站点已${action}`)
    await expect(rowOf(page, '城东教学点').getByText(state, { exact: true })).toBeVisible()
  }
  await actInMore(page, '城东教学点', '删除')
  await expect(dialog(page).getByText('确定删除“城东教学点”吗？')).toBeVisible()
  await press(page, '删除')
  await expect(rowOf(page, '城东教学点')).toHaveCount(0)
})

test('an import with errors writes nothing; the right one writes all', async ({ page }) => {
  await signInTo(page, ACCOUNT, '年级管理')
  await page.getByRole('button', { name: '导入' }).click()
  const template = await downloaded(page, '下载模板')
  expect(template.suggestedFilename()).toBe('年级导入模板.xlsx')
  const path = await template.path()
  const upload = page.locator('input[type=file]')

  await upload.setInputFiles(
    filledIn(path, [
      { 年级编码: '2051', 入学季: '春季' },
      { 年级编码: '二零五二', 入学季: '夏季' },
    ]),
  )
  await expect(dialog(page).getByText(/没有写入任何数据/)).toBeVisible()
  await expect(dialog(page).getByText('年级编码', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText('入学季', { exact: true })).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: /确认导入/ })).toHaveCount(0)
  await press(page, '重新上传')
  await upload.setInputFiles(
    filledIn(path, [
      { 年级编码: '2051', 入学季: '春季' },
      { 年级编码: '2052', 年级名称: '2052级', 入学季: '秋季' },
    ]),
  )
  await expect(dialog(page).getByText('检查通过，共2行')).toBeVisible()
  await expect(rowOf(page, '2051级')).toHaveCount(0)
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')
  await expect(rowOf(page, '2051级')).toContainText('春季')
  await expect(rowOf(page, '2052级')).toContainText('秋季')
})

test('an import is undone: what was used since stays and is told, the rest goes', async ({ page }) => {
  await signInTo(page, ACCOUNT, '年级管理')
  await page.getByRole('button', { name: '导入' }).click()
  const template = await (await downloaded(page, '下载模板')).path()
  await page.locator('input[type=file]').setInputFiles(
    filledIn(template, [
      { 年级编码: '2071', 入学季: '春季' },
      { 年级编码: '2072', 入学季: '春季' },
    ]),
  )
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')
  await act(page, '2071级', '停用', '停用“2071级”？')
  await expect(rowOf(page, '2071级').getByText('停用', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: '导入' }).click()
  await press(page, '导入记录')
  const runs = dialog(page, '导入记录')
  const newest = runs.getByRole('row').nth(1)
  await expect(newest).toContainText('年级')
  await expect(newest).toContainText('可撤销至')
  await expectAccessible(page)
  await newest.getByRole('button', { name: '撤销', exact: true }).click()
  await expect(dialog(page).getByText('共2条，可撤销1条，1条不能撤销')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: '2071级' })).toContainText('导入后已被')
  await expect(rowOf(page, '2072级')).toHaveCount(1)
  await expectAccessible(page)
  expect((await downloaded(page, '下载不能撤销的记录')).suggestedFilename()).toMatch(/\.(csv|xlsx)$/)
  await press(page, '撤销1条')
  await expect(dialog(page).getByText('共2条，已撤销1条，1条保留')).toBeVisible()
  await press(page, '关闭')
  await expect(newest).toContainText('部分撤销，1条保留')
  await runs.locator('.arco-drawer-close-icon').click()
  await expect(rowOf(page, '2072级')).toHaveCount(0)
  await expect(rowOf(page, '2071级')).toHaveCount(1)

  await page.getByRole('button', { name: '任务中心' }).click()
  await openTab(dialog(page, '任务中心'), '导入记录')
  await expect(dialog(page, '任务中心').getByRole('row').nth(1)).toContainText('部分撤销，1条保留')
})

test('an export has what the list shows, under a Chinese name', async ({ page }) => {
  await signInTo(page, ACCOUNT, '站点管理')
  const file = await exported(page, exportButton(page))
  expect(file.suggestedFilename()).toMatch(/^[\u4e00-\u9fff].*\.xlsx$/)
})

test('two people edit one grade: the second sees it and keeps what was typed', async ({
  page,
  elsewhere: colleague,
}) => {
  await signInTo(page, ACCOUNT, '年级管理')
  await page.getByRole('button', { name: '新增年级' }).click()
  await fill(page, { 年级编码: '2061', 年级名称: '2061级' })
  await press(page, '保存')
  await told(page, '已新增年级')

  await signInTo(colleague, COLLEAGUE, '年级管理')
  await act(colleague, '2061级', '编辑')
  await act(page, '2061级', '编辑')
  await choose(colleague, '入学季', '秋季')
  await press(colleague, '保存')
  await told(colleague, '已保存年级')

  await fill(page, { 备注: '函授站合办' })
  await press(page, '保存')
  await expect(dialog(page).getByText(/数据已被教务管理员于.*修改/)).toBeVisible()
  await press(page, '重新载入')
  await expect(dialog(page).getByRole('combobox', { name: '入学季' })).toContainText('秋季')
  await expect(dialog(page).getByRole('textbox', { name: '备注' })).toHaveValue('函授站合办')
  await press(page, '保存')
  await told(page, '已保存年级')
  await expect(rowOf(page, '2061级')).toContainText('秋季')
})

test('closing a tab with something unsaved asks first', async ({ page }) => {
  await signInTo(page, ACCOUNT, '层次管理')
  await page.getByRole('button', { name: '新增层次' }).click()
  await fill(page, { 名称: '第二学历' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '查找菜单' }).fill('站点管理')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '站点管理' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: '关闭层次管理' }).click()
  await expect(dialog(page).getByText('有未保存的内容，确定关闭吗？')).toBeVisible()
  await press(page, '取消')
  await page.getByRole('button', { name: '层次管理', exact: true }).click()
  await expect(dialog(page, '新增层次').getByRole('textbox', { name: '名称', exact: true })).toHaveValue('第二学历')
  await press(page, '取消')
  await press(page, '关闭')
  await page.getByRole('button', { name: '关闭层次管理' }).click()
  await expect(page.getByRole('button', { name: '层次管理', exact: true })).toHaveCount(0)
})

test('units of one superior are put in order by dragging and by 上移, 下移', async ({ page, elsewhere: colleague }) => {
  await signInTo(page, ACCOUNT, '机构管理')
  for (const [name, code] of [
    ['甲中心', 'E2EA'],
    ['乙中心', 'E2EB'],
    ['丙中心', 'E2EC'],
  ] as const) {
    await page.getByRole('button', { name: '新增机构' }).click()
    await fill(page, { 名称: name, 编码: code })
    await choose(page, '类型', '中心')
    await press(page, '保存')
    await told(page, '已新增机构')
  }
  const names = () => page.getByRole('row').filter({ hasText: '中心' }).filter({ hasText: 'E2E' }).allInnerTexts()
  const order = async () => (await names()).map((row) => row.trim().charAt(0)).join('')
  await expect.poll(order).toBe('甲乙丙')
  await actInMore(page, '丙中心', '上移')
  await told(page, '已移动“丙中心”')
  await expect.poll(order).toBe('甲丙乙')
  await drag(rowOf(page, '乙中心'), rowOf(page, '甲中心'))
  await told(page, '已移动“乙中心”')
  await expect.poll(order).toBe('乙甲丙')
  await page.reload()
  await expect.poll(order).toBe('乙甲丙')

  // Somebody else edited it meanwhile: the move is refused, and the tree is loaded anew.
  await signInTo(colleague, COLLEAGUE, '机构管理')
  await act(colleague, '丙中心', '编辑')
  await fill(colleague, { 负责人: '孙宁' })
  await press(colleague, '保存')
  await told(colleague, '已保存机构')
  await actInMore(page, '丙中心', '上移')
  await told(page, /数据已被教务管理员于.*修改/)
  await expect(rowOf(page, '丙中心')).toContainText('孙宁')
  await expect.poll(order).toBe('乙甲丙')

  await page.getByRole('textbox', { name: '编码或名称' }).fill('中心')
  await page.keyboard.press('Enter')
  await rowOf(page, '丙中心').getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('button', { name: '上移', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '重置' }).click()
})

test('a unit gets one below it, is switched off from below, and goes', async ({ page }) => {
  await signInTo(page, ACCOUNT, '机构管理')
  await page.getByRole('button', { name: '新增机构' }).click()
  await fill(page, { 名称: '城东学院', 编码: 'E2ED' })
  await press(page, '保存')
  await told(page, '已新增机构')
  await act(page, '城东学院', '新增下级')
  await fill(page, { 名称: '城东办公室', 编码: 'E2EE' })
  await choose(page, '类型', '部门')
  await press(page, '保存')
  await expect(rowOf(page, '城东办公室')).toBeVisible()
  await actInMore(page, '城东学院', '停用')
  await press(page, '停用')
  await told(page, '请先停用下级机构')
  await actInMore(page, '城东办公室', '停用')
  await press(page, '停用')
  await expect(rowOf(page, '城东办公室').getByText('停用', { exact: true })).toBeVisible()
  await actInMore(page, '城东学院', '停用')
  await press(page, '停用')
  await expect(rowOf(page, '城东学院').getByText('停用', { exact: true })).toBeVisible()
  for (const unit of ['城东办公室', '城东学院']) {
    await actInMore(page, unit, '删除')
    await press(page, '删除')
    await told(page, `已删除“${unit}”`)
  }
})

test('a semester becomes the current one, is closed, and opened again with a reason', async ({ page }) => {
  await signInTo(page, ACCOUNT, '学期管理')
  await page.getByRole('button', { name: '新增学期' }).click()
  await fill(page, { 学期编码: '2041-1', 开始日期: '2041-03-01', 结束日期: '20410715' })
  await press(page, '保存')
  await told(page, '已新增学期')
  const name = '2041年春季学期'
  const before = await page.getByRole('row').filter({ hasText: '当前学期' }).getByRole('button').first().innerText()
  await act(page, name, '设为当前', `把“${name}”设为当前学期？`)
  await told(page, `当前学期为“${name}”`)
  await act(page, before, '设为当前', /设为当前学期/)
  await told(page, `当前学期为“${before}”`)
  await actInMore(page, name, '关闭')
  await press(page, '关闭')
  await told(page, `已关闭“${name}”`)
  await actInMore(page, name, '重新打开')
  await fill(page, { 原因: '补录成绩' })
  await press(page, '保存')
  await told(page, `已重新打开“${name}”`)
  await actInMore(page, name, '删除')
  await press(page, '删除')
  await told(page, `已删除“${name}”`)
})

test('a level, a major of it and a class of both live and go', async ({ page }) => {
  await signInTo(page, ACCOUNT, '层次管理')
  await page.getByRole('button', { name: '新增层次' }).click()
  await fill(page, { 编码: 'E2E', 名称: '第二专科' })
  await choose(page, '起点层次', '高起专')
  await press(page, '保存')
  await told(page, '已新增层次')
  await act(page, '第二专科', '停用', '停用“第二专科”？')
  await act(page, '第二专科', '启用')
  await expect(rowOf(page, '第二专科').getByRole('button', { name: '停用' })).toBeVisible()

  await goTo(page, '国家专业库')
  await page.getByRole('textbox', { name: '代码或名称' }).fill('530302')
  await page.keyboard.press('Enter')
  await expect(page.getByText('共 1 条')).toBeVisible()
  const national = rowOf(page, '大数据与会计')
  await national.getByRole('button', { name: '引用为学校专业' }).click()
  await choose(page, '层次', '第二专科')
  await fill(page, { 校内专业代码: 'E2EM', 名称: '城东会计' })
  await dialog(page).getByRole('spinbutton', { name: '毕业总学分' }).fill('80')
  await press(page, '保存')
  await told(page, '已新增专业')

  await goTo(page, '班级管理')
  await page.getByRole('button', { name: '新增班级' }).click()
  await fill(page, { 编码: 'E2EC' })
  await choose(page, '年级', '2026级')
  await choose(page, '层次', '第二专科')
  await choose(page, '专业', '城东会计')
  await dialog(page).getByRole('combobox', { name: '站点' }).click()
  await page.getByRole('option').first().click()
  await press(page, '保存')
  await told(page, '已新增班级')
  await page.getByRole('textbox', { name: '编码或名称' }).fill('E2EC')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: '班级管理' }).getByText('共 1 条')).toBeVisible()
  await act(page, 'E2EC', '编辑')
  await dialog(page).getByRole('spinbutton', { name: '容量' }).fill('35')
  await press(page, '保存')
  await expect(rowOf(page, 'E2EC')).toContainText('0 / 35')
  await actInMore(page, 'E2EC', '删除')
  await press(page, '删除')
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
  for (const [menu, row] of [
    ['学校专业', '城东会计'],
    ['层次管理', '第二专科'],
  ] as const) {
    await goTo(page, menu)
    await page.getByRole('textbox', { name: '编码或名称' }).fill(row)
    await page.keyboard.press('Enter')
    await act(page, row, '删除', `确定删除“${row}”吗？`)
    await told(page, `已删除“${row}”`)
  }
})

test('班级人数 tells how full the classes are, who has none, and leads to them', async ({ page }) => {
  await signIn(page, ACCOUNT)
  // A newcomer beside an old hand has no class.
  const roll = '/adult/pc/studentRoll'
  const { data: known } = await callFromPage(page, 'POST', `${roll}/list`, { pageSize: 1, studyForm: 'non_full_time' })
  const { data: beside } = await callFromPage(page, 'GET', `${roll}/view?id=${known.list[0].id}`)
  const { gradeId, levelId, majorId, siteId, studyForm, schoolingYears, enrolledOn } = beside
  const person = { name: '欧阳晚', idCardNo: idCardOf(77), studentNo: 'E2E0001', phone: '13800139077' }
  const place = { gradeId, levelId, majorId, siteId, studyForm, schoolingYears, enrolledOn }
  const body = { ...person, ...place, status: 'registered', source: 'legacy' }
  expect(await callFromPage(page, 'POST', `${roll}/save`, body)).toMatchObject({ code: 200 })

  await goTo(page, '学生账号')
  await openTab(page, '班级人数')
  await expect(page).toHaveURL(/tab=classes/)
  const group = page.getByRole('row').nth(1)
  const figure = /(\d+) \/ \d+/
  await expect(group).toContainText(figure)
  const count = figure.exec(await group.innerText())?.[1] ?? ''
  await expect(page.getByText(/未分班 [1-9]\d* 人/)).toBeVisible()
  await page.getByRole('button', { name: '按专业查看' }).click()
  const major = dialog(page, '未分班人数').getByRole('row').filter({ hasText: beside.majorName }).first()
  await major.getByRole('button', { name: '查看学生' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '在籍学生' })).toBeVisible()
  await expect(rowOf(page, '欧阳晚')).toBeVisible()

  await page
    .getByRole('navigation', { name: '已打开的页面' })
    .getByRole('button', { name: '学生账号', exact: true })
    .click()
  await group.getByRole('button', { name: '查看学生' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '在籍学生' })).toBeVisible()
  await expect(page.getByText(`共 ${count} 条`)).toBeVisible()
})

test('a year is shown as it would be in the next one, and then made', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callFromPage(page, method, `/adult/pc/${path}`, body)
    expect(answer.code, JSON.stringify(answer)).toBe(200)
    return answer.data
  }
  // A year of its own, far from the demonstration's.
  const { list: majors } = await call('POST', 'major/list', { pageSize: 1, enabled: true })
  const { list: sites } = await call('POST', 'site/list', { pageSize: 1, status: 'active' })
  const [{ id: majorId, levelId }] = majors
  const [{ id: siteId }] = sites
  const { id: gradeId } = await call('POST', 'grade/save', { code: '2081', entrySeason: 'spring' })
  await call('POST', 'semester/save', { code: '2081-1', startsOn: '2081-03-03', endsOn: '2081-07-13' })
  await call('POST', 'class/save', { code: 'E2ER', gradeId, levelId, majorId, siteId, capacity: 40 })

  await goTo(page, '年级管理')
  const begin = async () => {
    await page.getByRole('button', { name: '年度结转' }).click()
    await choose(page, '来源年级', '2081级')
  }
  const part = (name: string) => dialog(page, '年度结转').getByRole('region', { name, exact: true })
  const line = (name: string) => part(name).getByRole('row').nth(1)
  await begin()
  await expect(line('年级')).toContainText('2082级')
  await expect(line('学期')).toContainText('2082年春季学期')
  await expect(line('学期')).toContainText('2082-03-02')
  await expect(line('班级')).toContainText(/2082级.*1班/)
  for (const name of ['年级', '学期', '班级']) await expect(line(name)).toContainText('将新建')
  await expectAccessible(page)

  // A class goes with its grade.
  await part('年级').getByRole('checkbox', { name: '选择2082级' }).press('Space')
  await expect(dialog(page).getByText('将新建年级0个、学期1个、班级0个')).toBeVisible()
  await part('班级')
    .getByRole('checkbox', { name: /^选择2082级/ })
    .press('Space')
  await expect(dialog(page).getByText('将新建年级1个、学期1个、班级1个')).toBeVisible()
  await press(page, '执行结转')
  await expect(dialog(page).getByText('已结转到2082年：新建年级1个、学期1个、班级1个')).toBeVisible()
  await press(page, '查看班级')
  await expect(page.getByRole('heading', { level: 1, name: '班级管理' })).toBeVisible()
  await expect(rowOf(page, '2082级')).toHaveCount(1)
  await expect(rowOf(page, '2082级')).toContainText('0 / 40')

  await goTo(page, '年级管理')
  await expect(rowOf(page, '2082级')).toContainText('春季')
  await begin()
  for (const name of ['年级', '学期', '班级']) await expect(line(name)).toContainText('已存在')
  await expect(dialog(page).getByRole('button', { name: '执行结转' })).toBeDisabled()
  await press(page, '取消')

  for (const grade of ['2082级', '2081级']) {
    const { list: grades } = await call('POST', 'grade/list', { keyword: grade })
    const { list: classes } = await call('POST', 'class/list', { gradeId: grades[0].id })
    for (const { id } of classes) await call('DELETE', `class/delete?id=${id}`)
    await call('DELETE', `grade/delete?id=${grades[0].id}`)
  }
  for (const year of [2082, 2081]) {
    const { list: semesters } = await call('POST', 'semester/list', { year })
    for (const { id } of semesters) await call('DELETE', `semester/delete?id=${id}`)
  }
})

/** An edit replaces the whole record (00 §4): a form that left a field out would empty it without a word. */
test('a form that is saved as it was opened empties nothing', async ({ page }) => {
  const saved: string[] = []
  await page.route(/\/edit$/, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/admin/apis', '')
    const view = `${path.replace(/\/edit$/, '/view')}?id=${route.request().postDataJSON().id}`
    const record = async () => {
      const { data } = await callFromPage(page, 'GET', view)
      const { version, updatedAt, ...rest } = data
      return rest
    }
    const before = await record()
    const answer = await route.fetch()
    expect((await answer.json()).code, path).toBe(200)
    expect(await record(), path).toEqual(before)
    saved.push(path)
    await route.fulfill({ response: answer })
  })
  await signIn(page, ACCOUNT)
  const lists = [
    '年级管理',
    '层次管理',
    '站点管理',
    '学校专业',
    '班级管理',
    '院校课程',
    '教师管理',
    '在籍学生',
    '预报名批次',
  ]
  for (const list of lists) {
    await goTo(page, list)
    const edit = page.getByRole('button', { name: '编辑', exact: true }).first()
    await expect(edit).toBeVisible()
    await edit.click()
    await expect(dialog(page).getByRole('button', { name: '保存', exact: true })).toBeEnabled()
    await press(page, '保存')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  expect(saved).toHaveLength(lists.length)
})
