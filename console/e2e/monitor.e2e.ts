import { expectAccessible } from './axe'
import { openTab, signInTo, told } from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** 数据库监控, as an operator of this file. */

const ACCOUNT = operatorOf('monitor', '演示监控')

test('the monitor shows pools, schools, sessions and jobs, and runs one at once', async ({ page }) => {
  await signInTo(page, ACCOUNT, '数据库监控')
  const cards = page.getByRole('list', { name: '数据库概览' })
  await expect(cards.getByText('连接池大小')).toBeVisible()
  await expect(cards.getByText('获取连接P95')).toBeVisible()
  await expectAccessible(page)

  await openTab(page, '院校')
  await expect(page).toHaveURL(/tab=school/)
  await expect(page.getByRole('row').filter({ hasText: '东湖示范学院' })).toContainText('student')

  await openTab(page, '会话与锁')
  await expect(page.getByRole('columnheader', { name: '进程号' })).toBeVisible()

  await openTab(page, '任务')
  const job = page.getByRole('row').filter({ hasText: '汇总院校数据' })
  await expect(job.getByRole('button', { name: '立即执行' })).toBeEnabled()
  await job.getByRole('button', { name: '立即执行' }).click()
  await told(page, '已开始执行')
  await expect(job).toContainText('已汇总', { timeout: 20_000 })
  await expectAccessible(page)
})
