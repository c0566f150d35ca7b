import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  callFromPage,
  choose,
  dataOf,
  dialog,
  fill,
  goTo,
  oneByOne,
  openTab,
  press,
  rowOf,
  signInTo,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** Recorded courses of the operators' online-education site, and their audit. */

const ACCOUNT = operatorOf('catalogue_courses', '演示课程')

test('a course is typed, handed in, rejected, approved, put on the shelf and shared', async ({ page }) => {
  await signInTo(page, ACCOUNT, '录播课程')
  await expect(rowOf(page, '学位英语考前辅导')).toContainText('苏明远')
  await expectAccessible(page)

  // What the form cannot upload here: a picture and a video.
  const known = await callFromPage(page, 'POST', '/course/pc/course/record/list', { courseName: '学位英语考前辅导' })
  const { categoryId, lecturerId, cover } = known.data.list[0]
  const media = await callFromPage(page, 'POST', '/system/pc/media/list', { title: '2.2 从句' })
  const made = await callFromPage(page, 'POST', '/course/pc/course/record/save', {
    courseName: '计算机应用基础',
    categoryId,
    lecturerId,
    cover,
    isFree: true,
    submission: 'draft',
    chapters: [],
  })
  expect(made.code).toBe(200)
  await page.reload()

  await act(page, '计算机应用基础', '编辑')
  await fill(page, { 课程名称: '计算机应用基础（新）' })
  await choose(page, '保存方式', '提交审核')
  await openTab(dialog(page), '章节课时')
  await dialog(page).getByRole('button', { name: '添加章节' }).click()
  await fill(page, { 第1章名称: '第一章 操作系统', 第1章第1课时名称: '1.1 桌面' })
  await press(page, '保存')
  await expect(dialog(page).getByText(/第1章第1课时：.*不能为空/)).toBeVisible()
  await dialog(page).getByRole('combobox', { name: '第1章第1课时音视频' }).click()
  await page.getByRole('option', { name: String(media.data.list[0].title), exact: true }).click()
  await expectAccessible(page)
  await openTab(dialog(page), '附件')
  await expect(dialog(page).getByRole('button', { name: '上传第1章第1课时附件' })).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  await told(page, '已保存录播课程')
  await expect(rowOf(page, '计算机应用基础（新）')).toContainText('待审核')
  await expect(rowOf(page, '计算机应用基础（新）').getByRole('button', { name: '编辑' })).toBeDisabled()

  await oneByOne(page)
  await goTo(page, '录播审核')
  await expect(page.getByRole('row').nth(1)).toContainText('计算机应用基础（新）')
  await expectAccessible(page)
  await act(page, '计算机应用基础（新）', '审核')
  await expect(dialog(page).getByRole('row').filter({ hasText: '章节课时' })).toContainText('1.1 桌面')
  await openTab(dialog(page), '预览')
  await expect(dialog(page).getByRole('region', { name: '预览' })).toContainText('1.1 桌面')
  await expectAccessible(page)
  await press(page, '不通过')
  await expect(dialog(page).getByText('请输入审核意见')).toBeVisible()
  await fill(page, { 审核意见: '请补充课程介绍' })
  await press(page, '不通过')
  await told(page, '已审核为不通过“计算机应用基础（新）”')
  await expect(dialog(page)).toHaveCount(0)
  await expect(rowOf(page, '计算机应用基础（新）')).toHaveCount(0)
  await openTab(page, '不通过')
  await expect(rowOf(page, '计算机应用基础（新）')).toContainText('请补充课程介绍')

  await goTo(page, '录播课程')
  await act(page, '计算机应用基础（新）', '编辑')
  await choose(page, '保存方式', '直接发布')
  await press(page, '保存')
  await told(page, '已保存录播课程')
  await act(page, '计算机应用基础（新）', '上架')
  await told(page, '已上架“计算机应用基础（新）”')
  await actInMore(page, '计算机应用基础（新）', '供院校使用')
  await told(page, '院校可引用“计算机应用基础（新）”')
  await act(page, '计算机应用基础（新）', '下架', '下架“计算机应用基础（新）”？')
  await told(page, '已下架“计算机应用基础（新）”')
  await actInMore(page, '计算机应用基础（新）', '删除')
  await press(page, '删除')
  await told(page, '已删除“计算机应用基础（新）”')

  // A course begins with another's content, without its numbers.
  await actInMore(page, '学位英语考前辅导', '复制')
  await fill(page, { 课程名称: '学位英语冲刺' })
  await choose(page, '保存方式', '存为草稿')
  await press(page, '保存')
  await told(page, '已新增录播课程')
  await expect(rowOf(page, '学位英语冲刺')).toContainText('草稿')
  await actInMore(page, '学位英语冲刺', '删除')
  await press(page, '删除')
  await told(page, '已删除“学位英语冲刺”')
})

test('an audit goes on to the next that waits, by keys alone', async ({ page }) => {
  await signInTo(page, ACCOUNT, '直播课程')
  const known = await dataOf(page, 'POST', '/course/pc/course/record/list', { courseName: '学位英语考前辅导' })
  const { lecturerId, cover } = known.list[0]
  const lives = await dataOf(page, 'POST', '/course/pc/course/live/list', { courseName: '学位英语直播班' })
  const { categoryId } = lives.list[0]
  for (const courseName of ['连审直播甲', '连审直播乙', '连审直播丙']) {
    const course = { courseName, categoryId, lecturerId, cover, isFree: true, submission: 'review', chapters: [] }
    await dataOf(page, 'POST', '/course/pc/course/live/save', course)
  }
  await goTo(page, '直播审核')
  await page.getByRole('textbox', { name: '课程名称', exact: true }).fill('连审直播')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: '待审核 3', exact: true })).toBeVisible()

  // What was handed in last stands first.
  await act(page, '连审直播丙', '审核')
  await expect(dialog(page, '审核 连审直播丙').getByText('第 1 / 3 条')).toBeVisible()
  await expect(dialog(page).getByRole('table').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('n')
  await expect(dialog(page, '审核 连审直播乙').getByText('第 2 / 3 条')).toBeVisible()
  await expect(dialog(page).getByRole('table').first()).toBeVisible()
  await page.keyboard.press('a')
  await told(page, '已通过“连审直播乙”')
  await expect(dialog(page, '审核 连审直播甲').getByText('第 3 / 3 条')).toBeVisible()
  await page.keyboard.press('r')
  await expect(dialog(page).getByRole('textbox', { name: '审核意见' })).toBeFocused()
  await page.keyboard.type('请补充章节')
  await press(page, '不通过')
  await told(page, '已审核为不通过“连审直播甲”')
  // Round the page to the one that was skipped.
  await expect(dialog(page, '审核 连审直播丙')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('tab', { name: '待审核 1', exact: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: '不通过 1', exact: true })).toBeVisible()
})
