import { expectAccessible } from './axe'
import { callFromPage, dialog, goTo, press, rowOf, signIn, signInTo, told } from './kit'
import { expect, type Page, test } from './test'

/** A list under all conditions, as 学籍管理员 of the second school: no network, no rows, keyboard, phone, zoom, paper. */

const ACCOUNT = 'demo02_xj'
const LIST = '**/admin/apis/adult/pc/studentRoll/list'
const PHONE = { width: 390, height: 844 }

const register = async (page: Page) => {
  await signInTo(page, ACCOUNT, '在籍学生')
  await expect(page.getByText(/^共 [\d,]+ 条$/)).toBeVisible()
}
/** Nothing is wider than the window, as soon as the page has taken its new shape. */
const fits = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0)

test('while a list loads there is a skeleton; after a lost network it says so and tries again', async ({ page }) => {
  await signIn(page, ACCOUNT)
  let lost = true
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route(LIST, async (route) => {
    if (lost) return route.abort('connectionfailed')
    await held
    return route.continue()
  })
  await goTo(page, '在籍学生')
  // The words at the top go after some seconds; those in the list stay.
  await told(page, '网络连接失败，请检查网络后重试')
  await expect(page.getByText('列表没有加载成功')).toBeVisible()
  lost = false
  await page.reload()
  await expect(page.locator('.table-skeleton')).toBeVisible()
  answer()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByText('列表没有加载成功')).toHaveCount(0)

  lost = true
  await page.getByRole('button', { name: '刷新列表' }).click()
  await expect(page.getByText('列表没有加载成功')).toBeVisible()
  lost = false
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
})

test('an empty list says why and offers the way out', async ({ page }) => {
  await register(page)
  await page.getByRole('textbox', { name: '姓名或号码' }).fill('没有这个人')
  await page.keyboard.press('Enter')
  await expect(page.getByText('没有符合筛选条件的记录')).toBeVisible()
  await page.getByRole('button', { name: '清除筛选' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('textbox', { name: '姓名或号码' })).toHaveValue('')
})

test('a student is found by Ctrl+K, by name, number and first letters, and the file opens', async ({ page }) => {
  await register(page)
  const first = page.getByRole('row').nth(1)
  const name = (await first.getByRole('button').first().innerText()).trim()
  // Beneath the name.
  const number = (await first.getByRole('cell').nth(1).innerText()).trim().split(/\s+/).pop() ?? ''
  for (const typed of [name, number]) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    const students = page.getByRole('group', { name: '学生' })
    await expect(students.getByRole('option').filter({ hasText: number })).toBeVisible()
    expect(await students.getByRole('option').count()).toBeLessThanOrEqual(8)
    await students.getByRole('option').filter({ hasText: number }).click()
    await expect(dialog(page, name).getByRole('region', { name: '基本信息' })).toContainText(name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // Two letters are how many names begin; the list is cut, and the first is opened by Enter alone.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zh')
  await expect(page.getByRole('group', { name: '学生' }).getByRole('option')).toHaveCount(8)
  for (const _ of await page.getByRole('group', { name: '菜单' }).getByRole('option').all()) {
    await page.keyboard.press('ArrowDown')
  }
  const wanted = await page.getByRole('option', { selected: true }).locator('span').first().innerText()
  await page.keyboard.press('Enter')
  await expect(dialog(page, wanted)).toBeVisible()
  await expect(page).toHaveURL(/open=\d+/)
  await page.reload()
  await expect(dialog(page, wanted)).toBeVisible()
})

test('by keyboard alone: open a file, go through the rows, close, edit, save', async ({ page }) => {
  await register(page)
  const names = page.locator('.row-name')
  const [first, second] = [await names.nth(0).innerText(), await names.nth(1).innerText()]
  await names.nth(0).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page, first)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(dialog(page, second)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(names.nth(1)).toBeFocused()

  const edit = rowOf(page, second).first().getByRole('button', { name: '编辑' })
  for (let tabs = 0; tabs < 6 && !(await edit.evaluate((button) => button === document.activeElement)); tabs += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(edit).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page, `编辑学生 ${second}`)).toBeVisible()
  await dialog(page).getByRole('textbox', { name: '工作单位' }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('湖滨小学')
  await page.keyboard.press('Control+s')
  await told(page, '已保存学生')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(edit).toBeFocused()
})

test('on a phone the register is cards, with selection, actions, filters and pager', async ({ page }) => {
  await signIn(page, ACCOUNT)
  await page.setViewportSize(PHONE)
  await page.goto('schoolPC/userManagerment/studentList')
  const cards = page.locator('.cards').getByRole('listitem')
  await expect(cards).toHaveCount(20)
  await expect(page.getByRole('table')).toHaveCount(0)
  await fits(page)
  const name = await cards.first().getByRole('button').first().innerText()
  await cards.first().getByRole('checkbox').press('Space')
  await cards.nth(1).getByRole('checkbox').press('Space')
  await expect(page.getByText('已选 2 条')).toBeVisible()
  await page.getByRole('button', { name: '取消选择' }).click()
  await page.getByRole('checkbox', { name: '选择本页' }).press('Space')
  await expect(page.getByText('已选 20 条')).toBeVisible()
  await page.getByRole('button', { name: '取消选择' }).click()

  await cards.first().getByRole('button', { name: '更多' }).click()
  await expect(page.getByRole('menuitem').filter({ hasText: '重置密码' })).toBeVisible()
  await page.keyboard.press('Escape')
  await cards.first().getByRole('button', { name, exact: true }).click()
  await expect(dialog(page, name)).toBeVisible()
  await fits(page)
  await page.keyboard.press('Escape')

  await page.getByRole('listitem').filter({ hasText: /^2$/ }).click()
  await expect(page).toHaveURL(/pageCurrent=2/)
  await expect(cards.first().getByRole('button').first()).not.toHaveText(name)
  await page.getByRole('button', { name: '展开', exact: true }).click()
  await expect(page.getByRole('combobox', { name: '账号状态' })).toBeVisible()
  await expectAccessible(page)
})

test('at 200 % nothing is lost: the menu folds, and form and list stay within the window', async ({ page }) => {
  await register(page)
  // 200 % of a screen of 1366 by 768 leaves so many CSS pixels.
  await page.setViewportSize({ width: 683, height: 384 })
  await fits(page)
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await expect(dialog(page).getByRole('region', { name: '学籍信息' })).toBeVisible()
  await fits(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '新增学生' }).click()
  await expect(dialog(page, '新增学生').getByRole('textbox', { name: '姓名', exact: true })).toBeInViewport()
  await expect(dialog(page).getByRole('button', { name: '保存', exact: true })).toBeInViewport()
  await press(page, '取消')
})

test('long work goes on in the job centre, which says how it went and gives the file', async ({ page }) => {
  await register(page)
  const begun = await callFromPage(page, 'POST', '/adult/pc/studentRoll/export?job=true', { scope: 'all' })
  expect(begun).toMatchObject({ code: 200 })
  await page.getByRole('button', { name: '任务中心' }).click()
  const job = dialog(page, '任务中心').getByRole('article').first()
  await expect(job.getByText('已完成')).toBeVisible({ timeout: 30_000 })
  await expect(job).toContainText('学籍管理员')
  await expect(job.getByRole('progressbar')).toHaveCount(0)
  const coming = page.waitForEvent('download')
  await job.getByRole('button', { name: '下载结果' }).click()
  expect((await coming).suggestedFilename()).toMatch(/\.xlsx$/)
  const centre = dialog(page, '任务中心')
  await centre.getByRole('textbox', { name: '任务名称' }).fill('没有人做过的事')
  await expect(centre.getByText('没有符合条件的任务。')).toBeVisible()
  await centre.getByRole('textbox', { name: '任务名称' }).fill('学籍')
  await centre.getByRole('combobox', { name: '任务状态' }).click()
  await page.getByRole('option', { name: '已完成' }).click()
  await expect(job.getByText('已完成')).toBeVisible()
  await expectAccessible(page)
})

test('on paper there is the table alone, whole, with its headings', async ({ page }) => {
  await register(page)
  await page.emulateMedia({ media: 'print' })
  for (const hidden of [
    page.getByRole('navigation', { name: '主菜单' }),
    page.getByRole('navigation', { name: '已打开的页面' }),
    page.getByRole('search', { name: '筛选' }),
    page.getByRole('button', { name: '新增学生' }),
  ]) {
    await expect(hidden).toBeHidden()
  }
  await expect(page.getByRole('heading', { level: 1, name: '在籍学生' })).toBeVisible()
  // All twenty rows stand on the paper: nothing scrolls.
  const clipped = await page.evaluate(
    () =>
      [...document.querySelectorAll('.page, .table-box, .arco-table-body')].filter(
        (box) =>
          box.clientHeight > 0 &&
          box.scrollHeight > box.clientHeight + 1 &&
          getComputedStyle(box).overflowY !== 'visible',
      ).length,
  )
  expect(clipped).toBe(0)
  const pdf = await page.pdf({ format: 'A4', landscape: true })
  expect(pdf.byteLength).toBeGreaterThan(10_000)
})
