import { zipSync } from 'fflate'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  choose,
  dialog,
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
import { filledIn, textsIn } from './sheet'
import { expect, type Page, test } from './test'

/** The register and the accounts of the first school, as its 学籍管理员. One story goes on from the other. */

test.describe.configure({ mode: 'serial' })

const ACCOUNT = 'demo01_xj'
const NAMES = '甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉'
const people = [...NAMES].map((name, at) => ({
  姓名: `濮阳${name}`,
  证件号: idCardOf(at),
  手机: `138001390${String(at).padStart(2, '0')}`,
  考生号: `26110105${String(9000 + at)}`,
  学号: `2699${String(at).padStart(4, '0')}`,
  年级: '2026级',
  层次: '专升本',
  专业代码: '0101',
  学习形式: '非脱产',
  站点编码: '001',
  入学日期: '2026-03-01',
  学制: '2.5',
  学籍状态: '在籍',
}))

const search = async (page: Page, keyword: string) => {
  await page.getByRole('textbox', { name: '姓名或号码' }).fill(keyword)
  await page.keyboard.press('Enter')
}

test('twenty students are imported, after the sheet’s mistakes are told and mended', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await (await coming).path()
  const upload = page.locator('input[type=file]')

  const wrong = people.map((person, at) => {
    if (at === 3) return { ...person, 证件号: '440524188001010014' }
    if (at === 7) return { ...person, 专业代码: '9999' }
    return person
  })
  await upload.setInputFiles(filledIn(template, wrong))
  await expect(dialog(page).getByText(/没有写入任何数据/)).toBeVisible()
  const mistakes = dialog(page).getByRole('row')
  await expect(mistakes.filter({ hasText: '证件号' })).toContainText('身份证号中的出生日期无效')
  await expect(mistakes.filter({ hasText: '专业代码' })).toContainText('9')
  await press(page, '重新上传')
  // A number that 学信网 does not take is worth a second look and no mistake.
  const wide = people.map((person, at) => (at === 19 ? { ...person, 学号: '2699001900000000' } : person))
  await upload.setInputFiles(filledIn(template, wide))
  await expect(dialog(page).getByText('检查通过，共20行')).toBeVisible()
  await expect(dialog(page).getByText(/处请核对，不影响导入/)).toBeVisible()
  await expect(mistakes.filter({ hasText: '学号' })).toContainText('学信网只接收15位')
  await press(page, '确认导入20行')
  await expect(dialog(page).getByText('已导入20行')).toBeVisible()
  await press(page, '关闭')
})

test('a student is found by name and by number, and a masked value shows on click', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await search(page, '濮阳')
  await expect(page.getByText('共 20 条')).toBeVisible()
  await search(page, idCardOf(4))
  await expect(page.getByText('共 1 条')).toBeVisible()
  const row = rowOf(page, '濮阳戊')
  await expect(row).toContainText('26990004')
  await expect(row).not.toContainText(idCardOf(4))
  await row.getByRole('button', { name: '查看完整证件号' }).click()
  await expect(row).toContainText(idCardOf(4))
  await search(page, '26990005')
  await expect(rowOf(page, '濮阳己')).toBeVisible()
  await openTab(page, '待注册')
  await expect(page.getByRole('main').getByText('没有符合筛选条件的记录').last()).toBeVisible()
})

test('a student’s file tells all, row by row', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await search(page, '濮阳')
  await expect(page.getByText('共 20 条')).toBeVisible()
  await page.getByRole('button', { name: '濮阳酉', exact: true }).click()
  const file = dialog(page, '濮阳酉')
  await expect(file.getByRole('region', { name: '基本信息' })).toContainText('1990-03-07')
  await expect(file.getByRole('region', { name: '学籍信息' })).toContainText('2028-07-10')
  await expect(file.getByText('未上传')).toHaveCount(3)
  // The words above lead to a part, which asks for its rows when it is seen.
  const parts = file.getByRole('navigation', { name: '学籍详情' })
  await parts.getByRole('button', { name: '异动记录' }).click()
  await expect(file.getByRole('region', { name: '异动记录' })).toContainText('学籍管理员')
  await parts.getByRole('button', { name: '操作日志' }).click()
  await expect(file.getByRole('list', { name: '操作日志' })).toContainText(/(导入|新增).*学籍管理员/)
  await page.keyboard.press('ArrowDown')
  await expect(dialog(page, '濮阳申')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('of a known student the contact is edited, the key fields are not', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await search(page, '濮阳甲')
  await act(page, '濮阳甲', '编辑')
  const form = dialog(page, '编辑学生 濮阳甲')
  await expect(form.getByRole('textbox', { name: '姓名', exact: true })).toBeDisabled()
  await expect(form.getByRole('textbox', { name: '证件号', exact: true })).toBeDisabled()
  await form.getByRole('button', { name: '联系方式' }).click()
  await expect(form.getByRole('heading', { name: '联系方式' })).toBeInViewport()
  await fill(page, { 手机: '12345', 工作单位: '城东职业学校' })
  await form.getByRole('button', { name: '基本信息' }).click()
  await press(page, '保存')
  // The refused field stands further down; the form goes there by itself.
  await expect(form.getByText('应为11位手机号').first()).toBeInViewport()
  await fill(page, { 手机: '13900139000' })
  await press(page, '保存')
  await told(page, '已保存学生')
  await expect(rowOf(page, '濮阳甲')).toContainText('139****9000')
})

test('the number of a new student fills gender and birthday, and the server has the last word', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await page.getByRole('button', { name: '新增学生' }).click()
  await fill(page, { 姓名: '濮阳新', 证件号: '110105194912310021' })
  await expect(dialog(page).getByText('身份证号校验位错误，应为X')).toBeVisible()
  await fill(page, { 证件号: '11010519491231002X' })
  await expect(dialog(page).getByRole('combobox', { name: '性别' })).toContainText('女')
  await expect(dialog(page).getByRole('textbox', { name: '出生日期' })).toHaveValue('1949-12-31')
  await press(page, '保存')
  await expect(dialog(page).getByText('请选择年级')).toBeInViewport()
  await press(page, '取消')
  await press(page, '关闭')
})

test('each status has its tab, and who is a student no more a screen', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await openTab(page, '休学')
  await expect(page.getByRole('columnheader', { name: '休学至' })).toBeVisible()
  await openTab(page, '超学制')
  await expect(page.getByRole('columnheader', { name: '最长学习期限' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText([
    /^全部 [\d,]+$/,
    /^待注册 \d+$/,
    /^在籍 [\d,]+$/,
    /^休学 \d+$/,
    /^超学制 \d+$/,
    '信息更正',
  ])
  await goTo(page, '退学与转出')
  await expect(page.getByRole('columnheader', { name: '生效日期' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: '退学' }).first()).toBeVisible()
  await expectAccessible(page)
  await goTo(page, '毕(结)业学生')
  await expect(page.getByRole('columnheader', { name: '毕业日期' })).toBeVisible()
  await search(page, '濮阳')
  await expect(page.getByRole('main').getByText('没有符合筛选条件的记录').last()).toBeVisible()
})

test('the register is counted beside its list, and its sums are the list’s', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await page.getByRole('button', { name: '更多', exact: true }).first().click()
  await page.getByRole('button', { name: '在籍统计' }).click()
  const figures = dialog(page, '在籍统计')
  const lead = await figures.getByText(/^共[\d,]+人/).textContent()
  const total = /共([\d,]+)人/.exec(lead ?? '')?.[1] ?? 'nobody'
  await expect(page.getByText(`共 ${total} 条`)).toBeVisible()
  for (const way of ['站点', '年级', '层次', '学习形式']) {
    await openTab(figures, `按${way}`)
    const sums = figures
      .getByRole('table', { name: `在籍统计：${way}` })
      .getByRole('row')
      .last()
    await expect(sums).toContainText(total)
  }
  await expectAccessible(page)
  await openTab(figures, '明细')
  await expect(figures.getByRole('columnheader', { name: '学习形式' })).toBeVisible()
})

/** A day of China, so many days from now. */
const day = (days: number) =>
  new Date(Date.now() + 8 * 3600 * 1000 + days * 24 * 3600 * 1000).toISOString().slice(0, 10)

/** The last day of the month before. */
const lastMonthEnd = () => {
  const end = new Date(`${day(0).slice(0, 7)}-01T00:00:00Z`)
  end.setUTCDate(0)
  return end.toISOString().slice(0, 10)
}

test('the register of a day is told, in a list and in a student’s file', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await page.getByRole('button', { name: '更多', exact: true }).first().click()
  await page.getByRole('button', { name: '某日学籍' }).click()
  const then = dialog(page, '某日学籍')
  const on = then.getByRole('textbox', { name: '日期', exact: true })
  await expect(on).toHaveValue(lastMonthEnd())
  await expect(then.getByRole('columnheader', { name: '之后的变动次数' })).toBeVisible()
  const keyword = then.getByRole('textbox', { name: '关键字' })
  await keyword.fill('濮阳')
  await keyword.press('Enter')
  await on.fill(day(0))
  await on.press('Tab')
  await expect(then.getByText('共 20 条')).toBeVisible()
  const row = then.getByRole('row').filter({ hasText: '濮阳丑' })
  await expect(row).toContainText('26990011')
  await expect(row).toContainText('在籍')
  await expect(row).toContainText('2026-03-01')
  await expect(row).not.toContainText(idCardOf(11))
  // The days of other months in the calendar are pale, as Arco draws them.
  await expect(page.locator('.arco-picker-container:visible')).toHaveCount(0)
  await expectAccessible(page)
  const rows = textsIn(await (await exported(page, then.getByRole('button', { name: '导出', exact: true }))).path())
  expect(rows[0]).toContain('之后的变动次数')
  expect(rows).toHaveLength(21)

  // Nobody of them had entered, and of tomorrow nothing is known.
  await on.fill('2026-02-28')
  await on.press('Tab')
  await expect(then.getByText('没有符合筛选条件的记录')).toBeVisible()
  await on.fill(day(1))
  await on.press('Tab')
  await expect(then.getByText('日期不能晚于今天')).toBeVisible()
  await expect(then.getByRole('button', { name: '导出', exact: true })).toBeDisabled()
  await page.locator('.arco-drawer-close-icon').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await search(page, '濮阳丑')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await page.getByRole('button', { name: '濮阳丑', exact: true }).click()
  const file = dialog(page, '濮阳丑')
  await file.getByRole('navigation', { name: '学籍详情' }).getByRole('button', { name: '异动记录' }).click()
  const history = file.getByRole('region', { name: '异动记录' })
  const asked = history.getByRole('textbox', { name: '查看某日学籍' })
  await asked.fill('2026-03-01')
  await asked.press('Tab')
  await expect(history.getByText('2026-03-01结束时')).toBeVisible()
  await expect(history.getByText('之后的变动次数')).toBeVisible()
  await expectAccessible(page)
  await asked.fill('2026-02-28')
  await asked.press('Tab')
  await expect(history.getByText('2026-02-28该生还没有学籍')).toBeVisible()
})

test('an account is reset and switched off; who has one gets no second', async ({ page }) => {
  await signInTo(page, ACCOUNT, '学生账号')
  await search(page, '濮阳')
  await expect(page.getByText('共 20 条')).toBeVisible()
  await actInMore(page, '濮阳乙', '重置密码')
  await expect(dialog(page).getByText('重置“濮阳乙”的密码？')).toBeVisible()
  await press(page, '重置密码')
  await told(page, '已重置“濮阳乙”的密码')
  await act(page, '濮阳乙', '停用', '停用“濮阳乙”的账号？')
  await expect(rowOf(page, '濮阳乙').getByRole('button', { name: '启用' })).toBeVisible()
  await act(page, '濮阳乙', '启用')
  await expect(rowOf(page, '濮阳乙').getByRole('button', { name: '停用' })).toBeVisible()

  for (const name of ['濮阳丙', '濮阳丁']) await rowOf(page, name).getByRole('checkbox').press('Space')
  const bulk = (action: string) => page.getByRole('status').getByRole('button', { name: action, exact: true })
  await bulk('停用').click()
  await press(page, '停用')
  await told(page, '停用：已完成2条')
  await expect(rowOf(page, '濮阳丁').getByRole('button', { name: '启用' })).toBeVisible()

  // The import made their accounts: each row is told by itself.
  for (const name of ['濮阳丙', '濮阳丁']) await rowOf(page, name).getByRole('checkbox').press('Space')
  await bulk('生成账号').click()
  await press(page, '生成账号')
  await expect(dialog(page).getByText('生成账号：成功0条，失败2条')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: '濮阳丁' })).toContainText('已有账号')
  await press(page, '知道了')
})

test('accounts are unlocked and their passwords reset together, and each refusal is told', async ({ page }) => {
  await signInTo(page, ACCOUNT, '学生账号')
  await search(page, '濮阳')
  await expect(page.getByText('共 20 条')).toBeVisible()
  const tick = async () => {
    for (const name of ['濮阳戊', '濮阳己']) await rowOf(page, name).getByRole('checkbox').press('Space')
  }
  const bulk = (action: string) => page.getByRole('status').getByRole('button', { name: action, exact: true })
  await tick()
  await bulk('重置密码').click()
  await expect(dialog(page).getByText('重置选中的2个账号的密码？')).toBeVisible()
  await press(page, '重置密码')
  await told(page, '重置密码：已完成2条')
  await tick()
  await bulk('解锁').click()
  await press(page, '解锁')
  await told(page, '解锁：已完成2条')
})

test('ticks on two pages are meant together, and all that the list found goes on as a job', async ({ page }) => {
  await signIn(page, ACCOUNT, 'schoolPC/userManagerment/studentList?keyword=濮阳&pageSize=10')
  await expect(page.getByText('共 20 条')).toBeVisible()
  const bulk = (action: string) => page.getByRole('status').getByRole('button', { name: action, exact: true })
  const tick = (name: string) => page.getByRole('checkbox', { name: `选择${name}` }).press('Space')
  await tick('濮阳酉')
  await page.getByRole('listitem').filter({ hasText: /^2$/ }).click()
  await expect(page).toHaveURL(/pageCurrent=2/)
  await tick('濮阳甲')
  await expect(page.getByText('已选 2 条')).toBeVisible()
  await bulk('停用').click()
  await press(page, '停用')
  await told(page, '停用：已完成2条')
  await tick('濮阳甲')
  await bulk('选择全部 20 条').click()
  await bulk('启用').click()
  await press(page, '启用')
  await told(page, '已转为后台任务，进度和结果在任务中心查看')
  await page.getByRole('button', { name: '任务中心' }).click()
  const jobs = dialog(page, '任务中心')
  await expect(jobs.getByText('启用停用学生账号（20条）')).toBeVisible()
  await expect(jobs.getByText('共20条，成功20条，失败0条')).toBeVisible()
})

test('photos come in a zip: checked first, what does not fit is told, the rest is seen', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await page.getByRole('button', { name: '更多', exact: true }).first().click()
  await page.getByRole('button', { name: '导入照片' }).click()
  // A picture of the right measures, drawn by the browser.
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 300
    canvas.height = 400
    const pen = canvas.getContext('2d')
    pen?.fillRect(50, 50, 200, 300)
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
  })
  const picture = Buffer.from(drawn, 'base64')
  const zip = zipSync({
    '26990000.jpg': picture,
    [`${idCardOf(1)}.jpg`]: picture,
    'nobody.jpg': picture,
    '26990002.jpg': new Uint8Array([1, 2, 3]),
  })
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: '照片.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) })
  await expect(dialog(page).getByText('检查完成：可导入2张，2张不能导入')).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: 'nobody.jpg' })).toContainText('没有对应的学生')
  await expect(dialog(page).getByRole('row').filter({ hasText: '26990002.jpg' })).toContainText('图片无法识别')
  await press(page, '确认导入2张')
  await expect(dialog(page).getByText('已导入2张，2张没有导入')).toBeVisible()
  await press(page, '关闭')
  await search(page, '濮阳甲')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await rowOf(page, '濮阳甲').getByRole('button', { name: '濮阳甲', exact: true }).click()
  const file = dialog(page, '濮阳甲')
  await expect(file.getByText('未上传')).toHaveCount(2)
  await expect(file.getByRole('img', { name: /入学照片/ })).toBeVisible()
})

test('how a student is reached is edited with the account', async ({ page }) => {
  await signInTo(page, ACCOUNT, '学生账号')
  await search(page, '濮阳庚')
  await act(page, '濮阳庚', '联系方式')
  await expect(dialog(page).getByRole('textbox', { name: '手机' })).toHaveValue('138****9006')
  await fill(page, { 邮箱: 'geng@example.com', 手机: '13900139006' })
  await press(page, '保存')
  await told(page, '已保存联系方式')
  await expect(rowOf(page, '濮阳庚')).toContainText('139****9006')
})

test('both lists are exported under Chinese names', async ({ page }) => {
  await signIn(page, ACCOUNT)
  for (const menu of ['在籍学生', '学生账号']) {
    await goTo(page, menu)
    await search(page, '濮阳')
    const coming = exported(page, exportButton(page))
    expect((await coming).suggestedFilename()).toMatch(/^[\u4e00-\u9fff].*\.xlsx$/)
  }
})

/** A tool under 更多, whose menu may still be closing. */
const openTool = async (page: Page, name: string) => {
  const tool = page.getByRole('button', { name, exact: true })
  await expect(async () => {
    if (!(await tool.isVisible())) await page.getByRole('button', { name: '更多', exact: true }).first().click()
    await tool.click({ timeout: 1_000 })
  }).toPass()
}

/** The template that the dialog gives. */
const templateOf = async (page: Page) => {
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  return (await coming).path()
}

test('a grade is sent to 学信网, what it answers is taken back, and who owes money is marked', async ({ page }) => {
  const [first, second] = [
    {
      ...people[0],
      姓名: '子车甲',
      证件号: idCardOf(30),
      手机: '13800139030',
      考生号: '261101059030',
      学号: '26990030',
    },
    {
      ...people[0],
      姓名: '子车乙',
      证件号: idCardOf(31),
      手机: '13800139031',
      考生号: '261101059031',
      学号: '26990031',
    },
  ]
  await signInTo(page, ACCOUNT, '在籍学生')
  const upload = page.locator('input[type=file]')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  const entered = [first, second].map((person) => ({ ...person, 学籍状态: '待注册' }))
  await upload.setInputFiles(filledIn(await templateOf(page), entered))
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')

  await page.getByRole('button', { name: '学信网导出' }).click()
  const form = dialog(page, '学信网导出')
  await press(page, '导出')
  await expect(form.getByText('请选择年级').last()).toBeVisible()
  await choose(page, '年级', '2026级')
  await expectAccessible(page)
  await press(page, '导出')
  await expect(dialog(page).getByText(/^已导出\d+人，未导出\d+人$/)).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: '子车甲' })).toContainText('没有照片')
  await expectAccessible(page)
  const coming = page.waitForEvent('download')
  await dialog(page).getByRole('link', { name: '下载文件' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/2026级新生注册_\d+\.xlsx$/)
  expect(textsIn(await file.path())[0]).toContain('KSH')
  await press(page, '打开任务中心')
  await expect(
    dialog(page, '任务中心')
      .getByText(/^学信网导出（2026级，\d+人）$/)
      .first(),
  ).toBeVisible()
  await page.locator('.arco-drawer-close-icon').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await openTool(page, '导入注册结果')
  const results = await templateOf(page)
  const answered = (person: typeof first, more: Record<string, string>) => ({
    考生号: person.考生号,
    姓名: person.姓名,
    身份证号: person.证件号,
    ...more,
  })
  const refused = answered(second, { 注册结果: '未注册', 说明: '照片不合格' })
  await upload.setInputFiles(filledIn(results, [answered(first, { 姓名: '子车丙', 注册结果: '已注册' }), refused]))
  await expect(dialog(page).getByText(/没有写入任何数据/)).toBeVisible()
  await expect(dialog(page).getByRole('row').filter({ hasText: '姓名' }).last()).toContainText('不一致')
  await press(page, '重新上传')
  await upload.setInputFiles(filledIn(results, [answered(first, { 注册结果: '已注册' }), refused]))
  await press(page, '确认导入2行')
  await expect(dialog(page).getByText('已导入2行')).toBeVisible()
  await press(page, '关闭')
  await search(page, '子车')
  await expect(page.getByText('共 2 条')).toBeVisible()
  await expect(rowOf(page, '子车甲')).toContainText('已注册')
  await expect(rowOf(page, '子车乙')).toContainText('未通过')

  await openTool(page, '导入欠费标记')
  const marked = { 学号: first.学号, 姓名: first.姓名, 欠费: '是' }
  await upload.setInputFiles(filledIn(await templateOf(page), [marked]))
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '关闭')
  await page.getByRole('button', { name: '子车甲', exact: true }).click()
  await expect(dialog(page, '子车甲').getByText('欠费').first()).toBeVisible()
  await page.keyboard.press('Escape')
})

test('the sheet of a student is printed', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await search(page, '子车甲')
  await actInMore(page, '子车甲', '打印学籍登记表')
  const paper = dialog(page, '打印学籍登记表 子车甲')
  const sheet = paper.getByRole('table')
  for (const words of ['2028-07-10', '学籍变动', '站点意见', '院校意见']) await expect(sheet).toContainText(words)
  await expect(sheet).not.toContainText(idCardOf(30))
  await paper.getByRole('button', { name: '显示完整信息' }).click()
  await expect(sheet).toContainText(idCardOf(30))
  await expect(paper.getByRole('button', { name: '打印', exact: true })).toBeEnabled()
  await expectAccessible(page)
})

test('the register, a file and a form can be read by everybody', async ({ page }) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await search(page, '濮阳酉')
  await expect(page.getByText('共 1 条')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '濮阳酉', exact: true }).click()
  await expect(dialog(page, '濮阳酉').getByRole('region', { name: '基本信息' })).toContainText('1990-03-07')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await act(page, '濮阳酉', '编辑')
  await expect(dialog(page, '编辑学生 濮阳酉')).toBeVisible()
  await expectAccessible(page)
})
