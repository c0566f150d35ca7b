import type { Page } from '@playwright/test'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  choose,
  dataOf,
  dialog,
  exportButton,
  exported,
  fill,
  goTo,
  openTab,
  press,
  rowOf,
  signInTo,
  told,
} from './kit'
import { operatorOf } from './session'
import { expect, test } from './test'

/** What the operators' site sells: orders and their money, coupons, and by whom it is paid. */

const ACCOUNT = operatorOf('orders', '演示订单')

const moment = async (page: Page, label: string, at: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(at)
  await box.press('Enter')
}

/** A learner, and a membership that they may buy. */
const market = async (page: Page, phone: string, nickname: string, setName: string) => {
  const { id } = await dataOf(page, 'POST', '/user/pc/ext/save', { phone, nickname, gender: 'female' })
  const set = {
    setName,
    months: 12,
    priceOriginal: 39_900,
    price: 29_900,
    discountRate: 0.85,
    benefits: '课程按85%付款',
  }
  await dataOf(page, 'POST', '/system/pc/vip/set/save', set)
  return id as number
}

test('an order is opened by hand, paid, refunded in part and told in its file', async ({ page }) => {
  await signInTo(page, ACCOUNT, '订单管理')
  await market(page, '13900007601', '许清和', '订单年度会员')
  await page.getByRole('button', { name: '手工开单' }).click()
  await dialog(page).getByRole('combobox', { name: '学员', exact: true }).click()
  await page.keyboard.type('13900007601')
  await page.getByRole('option', { name: /许清和/ }).click()
  await choose(page, '商品类型', '会员')
  await dialog(page).getByRole('combobox', { name: '商品', exact: true }).click()
  await page.getByRole('option', { name: /订单年度会员/ }).click()
  await expect(dialog(page).getByRole('spinbutton', { name: '应付金额' })).toHaveValue('299.00')
  await fill(page, { 应付金额: '280' })
  await press(page, '开单')
  await told(page, '已开单')
  await expect(rowOf(page, '许清和')).toContainText('待支付')
  await expect(rowOf(page, '许清和')).toContainText('280.00')
  await expect(rowOf(page, '许清和').getByRole('button', { name: '关闭', exact: true })).toBeVisible()
  await expect(rowOf(page, '许清和').getByRole('link', { name: '许清和' })).toBeVisible()
  await expect(page.getByRole('tab', { name: /^待支付 \d+$/ })).toBeVisible()

  await act(page, '许清和', '线下收款')
  await fill(page, { 交易流水号: 'E2E-7601' })
  await moment(page, '收款时间', '2026-01-05 09:30:00')
  await press(page, '登记收款')
  await told(page, '已登记收款')
  await expect(rowOf(page, '许清和')).toContainText('已支付')

  await act(page, '许清和', '退款')
  await fill(page, { 退款金额: '300', 退款原因: '学员申请' })
  await press(page, '退款')
  await expect(dialog(page).getByText('退款金额不能超过可退金额280.00元')).toBeVisible()
  await fill(page, { 退款金额: '80' })
  await press(page, '退款')
  await told(page, '已退款')
  await expect(rowOf(page, '许清和')).toContainText('80.00')

  await rowOf(page, '许清和').getByText('订单年度会员').click()
  const file = dialog(page)
  await expect(file.getByText('后台定价')).toBeVisible()
  await expect(file.getByRole('link', { name: '许清和' })).toBeVisible()
  await expect(file.getByRole('link', { name: '订单年度会员' })).toBeVisible()
  await openTab(file, '退款')
  await expect(file.getByText('退款成功')).toBeVisible()
  await openTab(file, '到账')
  await expect(file.getByText('E2E-7601').last()).toBeVisible()
  await openTab(file, '操作日志')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const sheet = await exported(page, exportButton(page))
  expect(sheet.suggestedFilename()).toContain('订单')
})

test('a coupon is made, given to a learner and no longer received', async ({ page }) => {
  await signInTo(page, ACCOUNT, '优惠券')
  await market(page, '13900007602', '沈若溪', '优惠年度会员')
  await page.getByRole('button', { name: '新增优惠券' }).click()
  await fill(page, { 名称: '春季满减券', 使用门槛: '150', 优惠金额: '20', 发放总量: '100' })
  await moment(page, '领取开始时间', '2026-01-01 00:00:00')
  await moment(page, '领取截止时间', '2099-01-01 00:00:00')
  await press(page, '保存')
  await told(page, '已新增优惠券')
  await expect(rowOf(page, '春季满减券')).toContainText('满150.00元减20.00元')
  await expectAccessible(page)

  await act(page, '春季满减券', '发放')
  await dialog(page).getByRole('combobox', { name: '学员', exact: true }).click()
  await page.keyboard.type('13900007602')
  await page.getByRole('option', { name: /沈若溪/ }).click()
  await page.keyboard.press('Escape')
  await press(page, '发放')
  await told(page, '已发放1张')
  await dialog(page).locator('.arco-drawer-close-icon').click()

  await actInMore(page, '春季满减券', '停止领取')
  await press(page, '停止领取')
  await told(page, '已停止领取“春季满减券”')
  await actInMore(page, '春季满减券', '领取记录')
  await expect(dialog(page).getByRole('row').filter({ hasText: '沈若溪' })).toContainText('后台发放')
  await expectAccessible(page)
})

test('a rule of payment names a channel, which then is not deleted', async ({ page }) => {
  await signInTo(page, ACCOUNT, '支付通道')
  await page.getByRole('button', { name: '新增支付通道' }).click()
  await fill(page, { 通道编码: 'e2e_bank', 通道名称: '对公转账' })
  await choose(page, '服务商', '线下收款')
  await press(page, '保存')
  await expect(dialog(page).getByText('支付方式与服务商不符，请重新选择')).toBeVisible()
  // Both lists of choices have it, and the first one fades.
  await expect(page.getByRole('option')).toHaveCount(0)
  await choose(page, '支付方式', '线下收款')
  await press(page, '保存')
  await told(page, '已新增支付通道')

  await goTo(page, '支付规则')
  await page.getByRole('button', { name: '新增支付规则' }).click()
  await choose(page, '终端', '小程序')
  await choose(page, '支付方式', '线下收款')
  await dialog(page).getByRole('combobox', { name: '支付通道', exact: true }).click()
  await page.getByRole('option', { name: /对公转账/ }).click()
  await fill(page, { 优先级: '99' })
  await press(page, '保存')
  await told(page, '已新增支付规则')
  await expect(rowOf(page, '对公转账')).toContainText('不可用')
  await expectAccessible(page)

  await goTo(page, '支付通道')
  await actInMore(page, '对公转账', '删除')
  await press(page, '删除')
  await expect(page.getByText(/支付规则引用，不能删除|引用，不能删除/).first()).toBeVisible()
})
