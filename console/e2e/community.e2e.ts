import { expectAccessible } from './axe'
import { act, actInMore, choose, dataOf, dialog, fill, oneByOne, press, rowOf, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** The community of the operators' site: what learners write, who they are, and what is shown before the rest. */

const ACCOUNT = operatorOf('community', '演示社区')

test('a blog is let in, put on top and taken off, and a comment on it is decided', async ({ page }) => {
  await signInTo(page, ACCOUNT, '博客管理')
  await oneByOne(page)
  await act(page, '我的第一篇学习笔记', '审核')
  await expect(dialog(page).getByText('今天开始记录每天的学习。')).toBeVisible()
  await press(page, '不通过')
  await expect(dialog(page).getByText(/请.+审核意见/)).toBeVisible()
  await press(page, '通过')
  await told(page, '已通过“我的第一篇学习笔记”')
  await act(page, '我的第一篇学习笔记', '置顶')
  await told(page, '已置顶')
  await actInMore(page, '我的第一篇学习笔记', '推荐')
  await told(page, '已推荐')
  await actInMore(page, '我的第一篇学习笔记', '下架')
  await press(page, '下架')
  await told(page, '已下架')
  await expectAccessible(page)
  await act(page, '在职备考英语的三个月', '评论')
  const comment = dialog(page).getByRole('row').filter({ hasText: '请问听的是哪一套材料' })
  await expect(comment).toContainText('待审核')
  await comment.getByRole('button', { name: '审核', exact: true }).click()
  await expect(dialog(page, '审核评论').getByText('请问听的是哪一套材料')).toBeVisible()
  await press(page, '通过')
  await told(page, /^已通过“请问听的是/)
  // What waits is shown first, so the comment that was let in is gone.
  await expect(comment).toHaveCount(0)
  await expectAccessible(page)
})

test('labels that mean the same fall together', async ({ page }) => {
  await signInTo(page, ACCOUNT, '标签管理')
  await page.getByRole('button', { name: '新增标签' }).click()
  await fill(page, { 标签名称: '备考心得' })
  await press(page, '保存')
  await told(page, '已新增标签')
  await act(page, '学习方法', '合并')
  await dialog(page).getByRole('combobox', { name: '合并到', exact: true }).click()
  await page.getByRole('option', { name: /^备考心得/ }).click()
  await press(page, '合并')
  await told(page, '已合并标签')
  await expect(rowOf(page, '学习方法')).toHaveCount(0)
  await expect(rowOf(page, '备考心得')).toContainText('2')
  await expectAccessible(page)
})

test('an answer is accepted and a question closed', async ({ page }) => {
  await signInTo(page, ACCOUNT, '问答管理')
  await act(page, '免考需要什么材料', '关闭', '关闭“免考需要什么材料”？')
  await told(page, '已关闭')
  await act(page, '英语统考怎么准备', '回答')
  const answer = dialog(page).getByRole('row').filter({ hasText: '先背核心词汇' })
  await answer.getByRole('button', { name: '采纳', exact: true }).click()
  await told(page, '已采纳回答')
  await expect(answer).toContainText('已采纳')
  await expectAccessible(page)
})

test('whoever is switched off is seen no more until they are switched on', async ({ page }) => {
  await signInTo(page, ACCOUNT, '博主管理')
  const seen = async () => {
    const asked = { bloggerName: '阿泽', visible: true }
    return (await dataOf(page, 'POST', '/user/pc/community/blog/list', asked)).totalCount
  }
  await expect.poll(seen).toBe(2)
  await act(page, '阿泽', '停用')
  await press(page, '停用')
  await told(page, '已停用“阿泽”')
  await expect.poll(seen).toBe(0)
  await act(page, '阿泽', '启用')
  await told(page, '已启用“阿泽”')
  await expect.poll(seen).toBe(2)
  await act(page, '阿泽', '设置等级')
  await fill(page, { 等级: '3' })
  await press(page, '保存')
  await told(page, '已保存博主')
  await expectAccessible(page)
})

test('a shelf gets a blog, which leaves it again', async ({ page }) => {
  await signInTo(page, ACCOUNT, '文章专区')
  await page.getByRole('button', { name: '新增专区' }).click()
  await fill(page, { 标题: '每周精选' })
  await press(page, '保存')
  await told(page, '已新增专区')
  await act(page, '每周精选', '内容')
  await choose(page, '文章', '论文选题走过的弯路（阿泽）')
  await press(page, '添加')
  await told(page, '已添加文章')
  const row = dialog(page).getByRole('row').filter({ hasText: '论文选题走过的弯路' })
  await expect(row.getByText('正常')).toBeVisible()
  await expectAccessible(page)
  await row.getByRole('button', { name: '移除', exact: true }).click()
  await dialog(page).getByRole('button', { name: '移除', exact: true }).last().click()
  await told(page, '已移除“论文选题走过的弯路”')
})

test('a blogger stands at the side', async ({ page }) => {
  await signInTo(page, ACCOUNT, '社区推荐')
  await page.getByRole('button', { name: '新增推荐' }).click()
  await choose(page, '推荐对象', '博主')
  await choose(page, '内容', '小满')
  await choose(page, '位置', '侧栏')
  await press(page, '保存')
  await told(page, '已新增推荐')
  await expect(rowOf(page, '小满')).toContainText('侧栏')
  await expectAccessible(page)
})

test('a certificate is given and taken back', async ({ page }) => {
  await signInTo(page, ACCOUNT, '认证管理')
  await act(page, '注册会计师', '审核')
  await choose(page, '审核结果', '通过')
  await press(page, '完成审核')
  await told(page, '已审核')
  await expect(rowOf(page, '注册会计师')).toContainText('展示中')
  await expectAccessible(page)
  await act(page, '注册会计师', '撤销')
  await fill(page, { 原因: '证书已过有效期' })
  await press(page, '撤销')
  await told(page, '已撤销认证')
  await expect(rowOf(page, '注册会计师')).toContainText('已撤销')
})
