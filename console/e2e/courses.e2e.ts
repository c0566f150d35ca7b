import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dialog,
  exported,
  fill,
  goTo,
  press,
  rowOf,
  signIn,
  signInTo,
  told,
} from './kit'
import { filledIn, textsIn } from './sheet'
import { expect, test } from './test'

/** Courses of the first school, as its 课程管理员. */

const ACCOUNT = 'demo01_kc'

test('types of courses: a second level, its limits, and why a used type stays', async ({ page }) => {
  await signInTo(page, ACCOUNT, '课程类型')
  await expect(rowOf(page, '公共基础课')).toContainText('GGJC')
  await expectAccessible(page)

  await page.getByRole('button', { name: '新增类型' }).click()
  await fill(page, { 名称: '创新创业类', 编码: 'CXCY' })
  await choose(page, '系统类别', '职业能力拓展课')
  await press(page, '保存')
  await told(page, '已新增类型')
  await act(page, 'CXCY', '新增下级')
  await fill(page, { 名称: '创业实训', 编码: 'CYSX' })
  await press(page, '保存')
  await told(page, '已新增类型')
  await expect(rowOf(page, 'CYSX')).toContainText('职业能力拓展课')
  await expect(rowOf(page, 'CYSX').getByRole('button', { name: '新增下级' })).toBeDisabled()

  await actInMore(page, 'GGJC', '删除')
  await expect(dialog(page).getByText('确定删除“公共基础课”吗？')).toBeVisible()
  await press(page, '删除')
  await told(page, /“公共基础课”已被引用，不能删除：\d+门课程/)
  await expect(dialog(page).getByRole('link', { name: /查看\d+门课程/ })).toBeVisible()
  await press(page, '知道了')
  await actInMore(page, 'CYSX', '删除')
  await press(page, '删除')
  await told(page, '已删除“创业实训”')
})

test('a course lives: refused, saved with a warning, edited, set with others, switched off, deleted', async ({
  page,
}) => {
  await signInTo(page, ACCOUNT, '院校课程')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: '新增课程' }).click()
  await fill(page, { 课程代码: 'E2E01', 课程名称: '数字素养导论' })
  await choose(page, '课程类型', '公共基础课')
  await fill(page, { 教材名称: '数字素养', ISBN书号: '978-7-04-039663-9' })
  await dialog(page).getByRole('spinbutton', { name: '学分' }).fill('4')
  await dialog(page).getByRole('spinbutton', { name: '面授学时' }).fill('48')
  await expect(dialog(page).getByRole('status')).toHaveText('48')
  await expectAccessible(page)
  await press(page, '保存')
  await expect(dialog(page).getByText('ISBN校验位不正确，请核对')).toBeVisible()
  await fill(page, { ISBN书号: '978-7-04-039663-8' })
  await press(page, '保存')
  await expect(page.getByText('已新增课程，请核对')).toBeVisible()
  await expect(page.getByText('每学分12.0学时，低于下限16')).toBeVisible()

  await page.getByRole('textbox', { name: '代码或名称' }).fill('E2E01')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, '数字素养导论')).toContainText('48 / 0 / 0 / 0')
  await act(page, '数字素养导论', '编辑')
  await dialog(page).getByRole('spinbutton', { name: '线上学时' }).fill('24')
  await press(page, '保存')
  await told(page, '已保存课程')
  await expect(rowOf(page, '数字素养导论')).toContainText('48 / 24 / 0 / 0')

  await rowOf(page, '数字素养导论').getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '批量设置' }).click()
  await expect(dialog(page).getByText('批量设置选中的1门课程')).toBeVisible()
  await choose(page, '考核方式', '开卷')
  await choose(page, '课程类型', '专业核心课')
  await press(page, '批量设置')
  await told(page, '批量设置：已完成1条')
  await expect(rowOf(page, '数字素养导论')).toContainText('开卷')
  await expect(rowOf(page, '数字素养导论')).toContainText('专业核心课')

  await actInMore(page, '数字素养导论', '停用')
  await expect(dialog(page).getByText('停用“数字素养导论”？')).toBeVisible()
  await press(page, '停用')
  await expect(rowOf(page, '数字素养导论').getByText('停用', { exact: true })).toBeVisible()
  await actInMore(page, '数字素养导论', '删除')
  await expect(dialog(page).getByText('确定删除“数字素养导论”吗？')).toBeVisible()
  await press(page, '删除')
  await told(page, '已删除“数字素养导论”')
})

test('an import takes new codes; with the box ticked it also updates', async ({ page }) => {
  await signInTo(page, ACCOUNT, '院校课程')
  await page.getByRole('button', { name: '导入' }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const path = await (await coming).path()
  const row = {
    课程代码: 'E2E11',
    课程名称: '应用统计',
    课程类型编码: 'ZYJC',
    学分: '3',
    面授学时: '54',
    考核类型: '考试',
  }
  const upload = page.locator('input[type=file]')
  await upload.setInputFiles(filledIn(path, [row]))
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '继续导入')
  await upload.setInputFiles(filledIn(path, [{ ...row, 课程名称: '应用统计学' }]))
  await expect(dialog(page).getByText('编码“E2E11”已存在')).toBeVisible()
  await press(page, '重新上传')
  await dialog(page).getByText('课程代码已存在时更新该课程').click()
  await upload.setInputFiles(filledIn(path, [{ ...row, 课程名称: '应用统计学' }]))
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '关闭')
  await page.getByRole('textbox', { name: '代码或名称' }).fill('E2E11')
  await page.getByRole('button', { name: '查询' }).click()
  await expect(rowOf(page, '应用统计学')).toContainText('54')
})

test('material: a record, its chapters and periods, published, copied', async ({ page }) => {
  await signInTo(page, ACCOUNT, '课程资源')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: '新增资源' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新增课程资源' })).toBeVisible()
  await page.getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: '数据结构', exact: true }).click()
  await page.getByRole('textbox', { name: '资源名称' }).fill('数据结构精讲')
  await page.getByRole('textbox', { name: '主讲' }).fill('李老师')
  await page.getByRole('button', { name: '保存并管理章节' }).click()
  await told(page, '已新增课程资源')
  await expect(page.getByRole('heading', { level: 1, name: '课程章节' })).toBeVisible()

  const chapters = page.getByRole('region', { name: '章节' })
  const periods = page.getByRole('region', { name: '课时' })
  for (const title of ['第一章 绪论', '第二章 线性表']) {
    await chapters.getByRole('button', { name: '新增章' }).click()
    await fill(page, { 标题: title })
    await press(page, '保存')
    await told(page, '已新增章')
  }
  await actInMore(page, '第一章 绪论', '新增节')
  await fill(page, { 标题: '1.1 基本概念' })
  await press(page, '保存')
  await told(page, '已新增节')
  await actInMore(page, '第二章 线性表', '上移')
  await told(page, '已移动“第二章 线性表”')
  await expect(chapters.getByRole('row').nth(1)).toContainText('第二章 线性表')

  await chapters.getByRole('button', { name: '1.1 基本概念', exact: true }).click()
  await periods.getByRole('button', { name: '新增课时' }).click()
  await fill(page, { 课时标题: '课程导学' })
  await choose(page, '类型', '外部链接')
  await press(page, '保存')
  await expect(dialog(page).getByText('请输入地址')).toBeVisible()
  await fill(page, { 地址: 'https://example.com/lesson' })
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已新增课时')
  await expect(periods.getByRole('row').filter({ hasText: '课程导学' })).toContainText('就绪')
  await expect(periods.getByText('2章 1课时')).toBeVisible()
  await expectAccessible(page)
  await actInMore(page, '1.1 基本概念', '删除')
  await press(page, '删除')
  await told(page, '“1.1 基本概念”已被引用，不能删除：1个课时')

  await goTo(page, '课程资源')
  await page.getByRole('textbox', { name: '资源名称' }).fill('数据结构精讲')
  await page.getByRole('button', { name: '查询' }).click()
  await actInMore(page, '数据结构精讲', '上架')
  await told(page, '已上架“数据结构精讲”')
  await actInMore(page, '数据结构精讲', '复制为新版本')
  await press(page, '复制为新版本')
  await told(page, '已复制“数据结构精讲”')
  await expect(rowOf(page, '第2版')).toContainText('草稿')
})

test('an introduction keeps its marks, and nothing that was pasted or sent runs', async ({ page }) => {
  const name = '数据结构图文'
  await signInTo(page, ACCOUNT, '课程资源')
  await page.getByRole('button', { name: '新增资源' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '新增课程资源' })).toBeVisible()
  await page.getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('sjjg')
  await page.getByRole('option', { name: '数据结构', exact: true }).click()
  await page.getByRole('textbox', { name: '资源名称' }).fill(name)
  const text = page.getByRole('textbox', { name: '简介' })
  const tools = page.getByRole('toolbar', { name: '简介的格式' })
  const bold = tools.getByRole('button', { name: '加粗' })
  await text.click()
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.type('本课重点')
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Enter')
  await tools.getByRole('button', { name: '项目符号' }).click()
  await page.keyboard.type('线性表')
  await page.keyboard.press('Enter')
  await page.keyboard.type('树')
  await expectAccessible(page)

  await bold.focus()
  await page.keyboard.press('ArrowRight')
  await expect(tools.getByRole('button', { name: '斜体' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(tools.getByRole('button', { name: '重做' })).toBeFocused()

  const evil =
    '<p class="MsoNormal" style="color:red" onclick="window.ran=1">来自Word<script>window.ran=1</script><img src="x" onerror="window.ran=1"></p>'
  await text.click()
  await page.keyboard.press('Control+End')
  await text.evaluate((box, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', '来自Word')
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, evil)
  await expect(text).toContainText('来自Word')
  await expect(text.locator('script, [onclick], [onerror], [style*="red"], .MsoNormal')).toHaveCount(0)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '已新增课程资源')

  await page.getByRole('textbox', { name: '资源名称' }).fill(name)
  await page.getByRole('button', { name: '查询' }).click()
  await act(page, name, '编辑')
  await expect(text.locator('strong')).toHaveText('本课重点')
  await expect(text.locator('li').first()).toHaveText('线性表')
  await text.click()
  await page.keyboard.press('Control+End')
  await tools.getByRole('button', { name: '链接' }).click()
  await dialog(page, '链接').getByRole('textbox', { name: '链接地址' }).fill('javascript:alert(1)')
  await press(page, '确定')
  await expect(dialog(page, '链接').getByText('请输入以 http:// 或 https:// 开头的地址')).toBeVisible()
  await dialog(page, '链接').getByRole('textbox', { name: '链接地址' }).fill('https://example.com/dagang')
  await expectAccessible(page)
  await press(page, '确定')
  await expect(text.locator('a')).toHaveText('https://example.com/dagang')
  await page.getByRole('button', { name: '返回列表' }).click()
  await expect(dialog(page).getByText('有未保存的内容，确定关闭吗？')).toBeVisible()
  await press(page, '取消')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await told(page, '已保存课程资源')

  const { data } = await callFromPage(page, 'POST', '/course/pc/schoolCourse/list', { name })
  const { id, version, courseId } = data.list[0]
  const sent = { id, version, courseId, name, source: 'own', introduction: `<p><strong>直接提交</strong></p>${evil}` }
  expect((await callFromPage(page, 'PUT', '/course/pc/schoolCourse/edit', sent)).code).toBe(200)
  await page.reload()
  await rowOf(page, name).getByRole('button', { name, exact: true }).click()
  const detail = page.getByRole('dialog', { name })
  await expect(detail.locator('strong').filter({ hasText: '直接提交' })).toBeVisible()
  await expect(detail.locator('script, img, [onclick]')).toHaveCount(0)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await actInMore(page, name, '删除')
  await press(page, '删除')
  await told(page, `已删除“${name}”`)
})

test('knowledge points: three levels beside a course, put in order, looked for, deleted with their branch', async ({
  page,
}) => {
  await signInTo(page, ACCOUNT, '院校课程')
  await page.getByRole('textbox', { name: '代码或名称' }).fill('数据结构')
  await page.getByRole('button', { name: '查询' }).click()
  await actInMore(page, '数据结构', '知识点')
  const drawer = page.getByRole('dialog', { name: '知识点 数据结构' })
  await expect(drawer.getByText('还没有知识点，请先新增。')).toBeVisible()

  // A drawer takes the keyboard when it stands, also from a form that was opened above it before: nobody is that fast.
  await expect(drawer.getByLabel('查找知识点')).toBeFocused()
  await drawer.getByRole('button', { name: '新增知识点' }).click()
  // From now on it leaves it to the form, from the first letter on.
  await dialog(page).getByRole('textbox', { name: '名称' }).focus()
  await page.keyboard.type('线性表', { delay: 60 })
  await expect(dialog(page).getByRole('textbox', { name: '名称' })).toHaveValue('线性表')
  await fill(page, { 编码: 'XXB' })
  await press(page, '保存')
  await told(page, '已新增知识点')
  for (const [above, name, code] of [
    ['XXB', '链表', 'LIAN'],
    ['LIAN', '循环链表', 'XUNHUAN'],
  ] as const) {
    await act(page, above, '新增下级')
    await fill(page, { 名称: name, 编码: code })
    await press(page, '保存')
    await expect(rowOf(page, code)).toBeVisible()
  }
  await expect(rowOf(page, 'XUNHUAN').getByRole('button', { name: '新增下级' })).toBeDisabled()

  await drawer.getByRole('button', { name: '新增知识点' }).click()
  await fill(page, { 名称: '链表', 编码: 'ZHAN' })
  await press(page, '保存')
  await expect(dialog(page).getByText('名称“链表”已存在')).toBeVisible()
  await fill(page, { 名称: '栈' })
  await expectAccessible(page)
  await press(page, '保存')
  await expect(rowOf(page, 'ZHAN')).toBeVisible()
  await actInMore(page, 'ZHAN', '上移')
  await told(page, '已移动“栈”')
  await expect(drawer.getByRole('row').nth(1)).toContainText('ZHAN')

  await drawer.getByLabel('查找知识点').fill('xunhuan')
  await expect(rowOf(page, 'ZHAN')).toHaveCount(0)
  await expect(rowOf(page, 'LIAN')).toBeVisible()
  await drawer.getByLabel('查找知识点').fill('')
  await expect(rowOf(page, 'ZHAN')).toBeVisible()
  await expectAccessible(page)

  await actInMore(page, 'LIAN', '删除')
  await expect(dialog(page).getByText('确定删除“链表”吗？')).toBeVisible()
  await press(page, '删除')
  await told(page, '“链表”已被引用，不能删除：1个知识点')
  for (const code of ['LIAN', 'XUNHUAN']) await rowOf(page, code).getByRole('checkbox').press('Space')
  await drawer.getByRole('button', { name: '批量删除' }).click()
  await expect(dialog(page).getByText('确定删除选中的2个知识点吗？')).toBeVisible()
  await press(page, '批量删除')
  await told(page, '批量删除：已完成2条')
  await expect(rowOf(page, 'LIAN')).toHaveCount(0)
  const coming = exported(page, drawer.getByRole('button', { name: '导出' }))
  expect(textsIn(await (await coming).path())).toEqual([
    ['名称', '编码', '上级知识点', '层级', '排序'],
    ['栈', 'ZHAN'],
    ['线性表', 'XXB'],
  ])
})

test('periods come by a sheet whose template knows the chapters', async ({ page }) => {
  await signIn(page, ACCOUNT)
  const media = await callFromPage(page, 'POST', '/system/pc/media/list', { state: 'ready', pageSize: 1 })
  await goTo(page, '课程资源')
  await page.getByRole('textbox', { name: '资源名称' }).fill('（录播）')
  await page.getByRole('button', { name: '查询' }).click()
  const record = page.getByRole('row').nth(1)
  await expect(record).toContainText('（录播）')
  await record.getByRole('button', { name: '章节', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '课程章节' })).toBeVisible()
  const periods = page.getByRole('region', { name: '课时' })
  await periods.getByRole('button', { name: '导入' }).click()
  const coming = page.waitForEvent('download')
  await press(page, '下载模板')
  const template = await coming
  expect(template.suggestedFilename()).toBe('课时导入模板.xlsx')
  const path = await template.path()
  const row = {
    章标题: '第1章 绪论',
    节标题: '1.1 导学',
    课时标题: '学习指南',
    类型: '视频',
    通道: '对象存储',
    媒体ID: String(media.data.list[0].vid),
    必修: '否',
  }
  const upload = page.locator('input[type=file]')
  await upload.setInputFiles(filledIn(path, [{ ...row, 节标题: '1.9 附录' }]))
  await expect(dialog(page).getByText('“第1章 绪论”下没有节“1.9 附录”，请先新增或导入章节')).toBeVisible()
  await press(page, '重新上传')
  await upload.setInputFiles(filledIn(path, [row]))
  await press(page, '确认导入1行')
  await expect(dialog(page).getByText('已导入1行')).toBeVisible()
  await press(page, '关闭')
  const guide = periods.getByRole('row').filter({ hasText: '学习指南' })
  await expect(guide).toContainText('否')
  // Films of the demonstration have no bytes, which the preview says.
  await actInMore(page, '学习指南', '预览')
  await expect(dialog(page, '预览 学习指南').getByText('文件不存在或已被删除')).toBeVisible()
})

test('a large syllabus goes on where the network broke, also after the page was closed', async ({ page }) => {
  const file = join(mkdtempSync(join(tmpdir(), 'upload-')), '教学大纲.pdf')
  // Three parts: 16, 16 and 8 MiB.
  writeFileSync(file, Buffer.alloc(40 << 20, 'Chengjiao'))
  let isLost = true
  const sent: string[] = []
  await page.route('**/admin/files/**', (route) => {
    const part = new URL(route.request().url()).searchParams.get('part') ?? ''
    if (isLost && part === '2') return route.abort('connectionfailed')
    sent.push(part)
    return route.continue()
  })
  const chooseFile = async () => {
    await dialog(page).locator('input[type=file][aria-label="教学大纲"]').setInputFiles(file)
  }
  await signInTo(page, ACCOUNT, '院校课程')
  await page.getByRole('button', { name: '新增课程' }).click()
  await chooseFile()
  await expect(dialog(page).getByRole('button', { name: '暂停' })).toBeVisible()
  // After some tries it gives up; the other parts have arrived.
  await expect(dialog(page).getByRole('alert')).toContainText('网络连接失败，请检查网络后重试', { timeout: 40_000 })
  expect(sent.sort()).toEqual(['1', '3'])

  sent.length = 0
  await page.reload()
  await page.getByRole('button', { name: '新增课程' }).click()
  await fill(page, { 课程代码: 'E2E40', 课程名称: '大纲课程' })
  await choose(page, '课程类型', '公共基础课')
  await chooseFile()
  await expect(dialog(page).getByText('已上传的60%将继续上传')).toBeVisible()
  await press(page, '暂停')
  await expect(dialog(page).getByText('已暂停')).toBeVisible()
  isLost = false
  await press(page, '继续')
  await expect(dialog(page).getByText('教学大纲.pdf')).toBeVisible({ timeout: 20_000 })
  expect(sent).toEqual(['2'])
  await dialog(page).getByRole('spinbutton', { name: '学分' }).fill('4')
  await dialog(page).getByRole('spinbutton', { name: '面授学时' }).fill('64')
  await press(page, '保存')
  await told(page, '已新增课程')
})

test('an address without digits is no course', async ({ page }) => {
  await signIn(page, ACCOUNT, 'login')
  await page.goto('schoolPC/basicData/course/record/list/abc')
  await expect(page.getByText('抱歉，您访问的页面不存在')).toBeVisible()
})

test('a course of the operator becomes a draft of the school', async ({ page }) => {
  await signInTo(page, ACCOUNT, '课程资源')
  await page.getByRole('button', { name: '引用平台课程' }).click()
  await dialog(page).getByRole('combobox', { name: '课程', exact: true }).click()
  await page.keyboard.type('数据结构')
  await page.getByRole('option', { name: '数据结构', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: '搜索平台课程' }).fill('xwyy')
  await dialog(page)
    .getByText(/^学位英语考前辅导/)
    .click()
  await expect(dialog(page).getByRole('region', { name: '章节课时' })).toContainText('2.1 时态与语态')
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已引用平台课程，资源为草稿')
  await expect(rowOf(page, '学位英语考前辅导')).toContainText('草稿')
  await expect(rowOf(page, '学位英语考前辅导')).toContainText('4 / 4')
})
