import { counted, countHand } from './clicks'
import {
  act,
  actInMore,
  choose,
  dataOf,
  dialog,
  fill,
  helpAt,
  idCardOf,
  isIn,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { learnerOf, operatorOf, PASSWORD } from './session'
import { filledIn } from './sheet'
import { expect, type Page, test } from './test'

/**
 * The commonest tasks of a registrar and an operator, done with as few clicks as the console allows, each with the most that it
 * may take. They begin at the home page unless their name says otherwise. `make bench BENCH=clicks` prints what they took.
 */

test.describe.configure({ mode: 'serial' })
// As people have it, whose time is measured.
test.use({ looksAhead: true })

const SCHOOL = '南岭示范大学'
const OPERATOR = operatorOf('clicks', '演示计数')
const LEAVER = operatorOf('clicks_own', '演示改密')
const BATCH = '计数演练批次'
const PEOPLE = [...'甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥']
const nameOf = (at: number) => `钟离${PEOPLE[at]}`
/** Numbers that no other story has. */
const cardOf = (at: number) => idCardOf(at - 100)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

/** Home, with nothing open beside it. */
const home = async (page: Page) => {
  await page.goto('dashboard')
  await expect(page.getByRole('heading', { level: 1, name: '首页' })).toBeVisible()
}

/** To a page by Ctrl+K, its name and one press. */
const to = async (page: Page, menu: string) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '查找菜单' }).fill(menu)
  await page.getByRole('option', { name: menu }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: menu })).toBeVisible()
}

/** A student by Ctrl+K and Enter, wherever one is. */
const find = async (page: Page, keyword: string, name: string) => {
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: '查找菜单' })
  await box.fill(keyword)
  await expect(page.getByRole('group', { name: '学生' }).getByRole('option').first()).toContainText(name)
  await box.press('Enter')
  await expect(dialog(page, name)).toBeVisible()
}

/** A customer of the operators' site, or what they bought, by Ctrl+K and the first that is found. */
const findOnSite = async (page: Page, group: '学员' | '订单', keyword: string, title: string) => {
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: '查找菜单' })
  await box.fill(keyword)
  await expect(page.getByRole('group', { name: group }).getByRole('option').first()).toContainText(title)
  await box.press('Enter')
  await expect(dialog(page, title)).toBeVisible()
}

const save = (page: Page) => page.keyboard.press('Control+s')

/** A choice that is found by what is typed into it. */
const chooseTyped = async (page: Page, label: string, typed: string, words: RegExp) => {
  await dialog(page).getByRole('combobox', { name: label, exact: true }).click()
  await page.keyboard.insertText(typed)
  await page.getByRole('option', { name: words }).first().click()
}

/** A moment, typed as its day. */
const typeDay = async (page: Page, label: string, day: string) => {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(day)
  await box.press('Tab')
}

const search = async (page: Page, keyword: string) => {
  await page.getByRole('textbox', { name: /^(姓名或号码|关键字)$/ }).fill(keyword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`keyword=${encodeURIComponent(keyword)}`))
}

/** A line of a list, not of what is open beside it. */
const lineOf = (page: Page, words: string) => page.locator('tr[data-row]').filter({ hasText: words })

const tickAll = (page: Page) => page.locator('thead .arco-checkbox').first().click()

test('the register: found, corrected, printed, divided, exported', async ({ page }) => {
  await countHand(page)
  await helpAt(page, OPERATOR, SCHOOL)
  // Of another grade than that whose classes other stories divide.
  const asked = { scope: 'registered', assigned: true }
  const newest = await call(page, 'POST', 'studentRoll/list', { ...asked, pageSize: 1 })
  const oldest = { ...asked, pageSize: 100, pageCurrent: Math.ceil(newest.totalCount / 100) }
  const student = (await call(page, 'POST', 'studentRoll/list', oldest)).list.at(-1)
  const { name, studentNo, className, gradeName } = student
  expect(gradeName).not.toBe(newest.list[0].gradeName)
  // Whoever helps a school sees no whole numbers, so this one is of somebody who comes now.
  const seen = await call(page, 'GET', `studentRoll/view?id=${student.id}`)
  const { gradeId, levelId, majorId, siteId, classId, studyForm, schoolingYears, enrolledOn } = seen
  const known = { name: '计数甲', idCardNo: cardOf(30), studentNo: 'CLK0001', phone: '13900138400' }
  const place = { gradeId, levelId, majorId, siteId, classId, studyForm, schoolingYears, enrolledOn }
  await call(page, 'POST', 'studentRoll/save', { ...place, ...known, status: 'registered', source: 'legacy' })

  await home(page)
  await counted(page, '按姓名查找学生', { clicks: 0, keys: 2 }, () => find(page, name, name))
  await home(page)
  await counted(page, '按完整证件号查找学生', { clicks: 0, keys: 2 }, () => find(page, known.idCardNo, known.name))
  await home(page)
  await counted(page, '更正手机', { clicks: 3, keys: 2 }, async () => {
    await find(page, studentNo, name)
    await dialog(page).getByRole('button', { name: '修改手机' }).click()
    await fill(page, { 手机: '13800138001' })
    await dialog(page).getByRole('button', { name: '保存手机' }).click()
    await told(page, '已修改手机')
  })

  await home(page)
  const roster = () => page.getByRole('dialog', { name: /^花名册/ })
  /** The first class in which somebody sits. */
  const seated = () =>
    page
      .locator('tr[data-row]')
      .filter({ hasText: /[1-9]\d* \/ \d/ })
      .first()
  await counted(page, '查看班级花名册', { clicks: 2, keys: 1 }, async () => {
    await to(page, '班级管理')
    await seated().getByRole('button', { name: '花名册', exact: true }).click()
    await expect(roster().getByRole('table')).toBeVisible()
  })
  await home(page)
  await counted(page, '打印班级花名册', { clicks: 3, keys: 1 }, async () => {
    await to(page, '班级管理')
    await seated().getByRole('button', { name: '花名册', exact: true }).click()
    await expect(roster().getByRole('table')).toBeVisible()
    await roster().getByRole('button', { name: '打印', exact: true }).click()
  })

  await home(page)
  await to(page, '在籍学生')
  await search(page, studentNo)
  await expect(lineOf(page, studentNo)).toContainText(className)
  // The card that was found is open beside its list.
  await dialog(page).locator('.arco-drawer-close-icon').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await counted(page, '批量移出班级（从名单起）', { clicks: 3, keys: 0 }, async () => {
    await tickAll(page)
    await page.getByRole('button', { name: '移出班级' }).click()
    await press(page, '移出班级')
    await told(page, '移出班级：已完成1条')
  })
  await expect(lineOf(page, studentNo)).not.toContainText(className)
  await counted(page, '自动分班（从名单起）', { clicks: 5, keys: 0 }, async () => {
    await page.getByRole('button', { name: '自动分班' }).click()
    await dialog(page).getByRole('combobox', { name: '年级', exact: true }).click()
    await page.getByRole('option', { name: gradeName, exact: true }).click()
    await press(page, '预览')
    await press(page, '确认分班')
    await expect(dialog(page).getByText(/已为\d+名学生分班/)).toBeVisible()
  })
  await press(page, '撤销本次分班')
  await press(page, '撤销')
  await expect(dialog(page).getByText(/已撤销\d+名学生的分班/)).toBeVisible()
  await press(page, '关闭')
  await counted(page, '手工分班（从名单起）', { clicks: 5, keys: 0 }, async () => {
    await tickAll(page)
    await page.getByRole('status').getByRole('button', { name: '分班', exact: true }).click()
    await dialog(page).getByRole('combobox', { name: '班级', exact: true }).click()
    await page.keyboard.insertText(className)
    await page.getByRole('option', { name: className }).first().click()
    await press(page, '保存')
    await expect(lineOf(page, studentNo)).toContainText(className)
  })
  await home(page)
  await counted(page, '导出筛选后的名单', { clicks: 3, keys: 2 }, async () => {
    await to(page, '在籍学生')
    await search(page, studentNo)
    await page.getByRole('button', { name: '导出', exact: true }).click()
    const coming = page.waitForEvent('download')
    await dialog(page)
      .getByRole('button', { name: /^导出\d+条$/ })
      .click()
    await coming
  })
})

test('recruitment: a batch, a person, an audit, the bin', async ({ page }) => {
  await countHand(page)
  await helpAt(page, OPERATOR, SCHOOL)
  await home(page)
  await counted(page, '开放一个预报名批次', { clicks: 9, keys: 6 }, async () => {
    await to(page, '预报名批次')
    await page.getByRole('button', { name: '新增批次' }).click()
    await fill(page, { 批次编码: 'CLICKS-1', 名称: BATCH })
    await choose(page, '年级', '2026级')
    await choose(page, '招生层次', '专升本')
    await page.keyboard.press('Tab')
    for (const [label, day] of [
      ['开始时间', '2025-01-01'],
      ['结束时间', '2099-01-01'],
    ] as const) {
      const box = dialog(page).getByRole('textbox', { name: label, exact: true })
      await box.fill(day)
      await box.press('Tab')
    }
    await dialog(page).getByText('提交后审核').click()
    await page.keyboard.press('Control+s')
    await dialog(page)
      .getByRole('button', { name: /^加入全部\d+个专业$/ })
      .click()
    await page.keyboard.press('Control+s')
    await told(page, '已保存专业站点')
  })

  const { list } = await call(page, 'POST', 'preRegistrationBatch/list', { keyword: BATCH })
  const batchId = list[0].id
  const { majors, sites } = await call(page, 'GET', `preRegistration/offer?batchId=${batchId}`)
  const [major] = majors
  await home(page)
  await counted(page, '登记一名预报名人员', { clicks: 10, keys: 2 }, async () => {
    await to(page, '预报名列表')
    await page.getByRole('button', { name: '新增预报名' }).click()
    await fill(page, { 姓名: nameOf(0), 证件号: cardOf(0), 手机: '13900138200' })
    await choose(page, '批次', BATCH)
    await choose(page, '层次', '专升本')
    await dialog(page).getByRole('combobox', { name: '专业', exact: true }).click()
    await page
      .getByRole('option', { name: new RegExp(`^${major.name}（`) })
      .first()
      .click()
    await choose(page, '站点', sites[0].name)
    await page.keyboard.press('Control+s')
    await told(page, '已新增预报名')
  })

  for (let at = 1; at < PEOPLE.length; at += 1) {
    await call(page, 'POST', 'preRegistration/save', {
      batchId,
      name: nameOf(at),
      idCardNo: cardOf(at),
      phone: `139001382${String(at).padStart(2, '0')}`,
      levelId: major.levelId,
      majorId: major.id,
      siteId: sites[0].id,
    })
  }
  const open = async () => {
    await home(page)
    await page.goto(`./schoolPC/recruitStudents/preRegistration/preRegistrationList?batchId=${batchId}&status=pending`)
    await expect(page.getByText(/^共 [\d,]+ 条$/)).toBeVisible()
  }
  await open()
  await counted(page, '逐个审核十人（从待审核名单起）', { clicks: 1, keys: 12 }, async () => {
    const names = await page.locator('tr[data-row] .row-name').allInnerTexts()
    await rowOf(page, names[0] ?? '')
      .getByRole('button', { name: '审核', exact: true })
      .click()
    for (const name of names.slice(0, 10)) {
      await expect(dialog(page, `审核预报名 ${name}`).getByRole('list', { name: '照片和材料' })).toBeVisible()
      await page.keyboard.press('a')
      await told(page, new RegExp(`^已通过“${name}”`))
    }
  })

  await open()
  await expect(page.getByText('共 12 条')).toBeVisible()
  await counted(page, '退回一人（从待审核名单起）', { clicks: 3, keys: 0 }, async () => {
    await rowOf(page, nameOf(0)).getByRole('button', { name: '审核', exact: true }).click()
    await press(page, '照片不清晰')
    await press(page, '退回')
    await told(page, `已退回“${nameOf(0)}”`)
  })

  await open()
  await counted(page, '批量审核（从待审核名单起）', { clicks: 3, keys: 0 }, async () => {
    await tickAll(page)
    await page.getByRole('status').getByRole('button', { name: '批量通过', exact: true }).click()
    await press(page, '批量通过')
    await told(page, '批量通过：已完成11条')
  })

  await page.goto(`./schoolPC/recruitStudents/preRegistration/preRegistrationList?keyword=${nameOf(1)}`)
  await rowOf(page, nameOf(1)).getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem').getByRole('button', { name: '删除', exact: true }).click()
  await press(page, '删除')
  await told(page, `已删除“${nameOf(1)}”的预报名`)
  await home(page)
  await counted(page, '从回收站恢复', { clicks: 3, keys: 2 }, async () => {
    await to(page, '预报名回收站')
    await search(page, nameOf(1))
    await rowOf(page, nameOf(1)).getByRole('button', { name: '恢复', exact: true }).click()
    await press(page, '恢复')
    await told(page, `已恢复“${nameOf(1)}”的预报名`)
  })
})

test('one’s own: messages, an import with its mistakes, a password', async ({ page }) => {
  await countHand(page)
  await helpAt(page, OPERATOR, SCHOOL)
  const [unit] = await call(page, 'POST', 'organize/list', {})
  await home(page)
  await counted(page, '查看消息', { clicks: 1, keys: 0 }, async () => {
    await page.getByRole('button', { name: /^消息/ }).click()
    await expect(dialog(page, '我的消息')).toBeVisible()
  })
  await home(page)
  const chosen = async (rows: readonly Record<string, string>[], template: string) => {
    const chooser = page.waitForEvent('filechooser')
    await dialog(page)
      .getByText(/只支持 \.xlsx 文件/)
      .locator('..')
      .click()
    await (await chooser).setFiles(filledIn(template, rows))
  }
  await counted(page, '导入，改正错误后再次导入', { clicks: 8, keys: 1 }, async () => {
    await to(page, '教师管理')
    await page.getByRole('button', { name: '导入', exact: true }).click()
    const coming = page.waitForEvent('download')
    await press(page, '下载模板')
    const template = await (await coming).path()
    const people = PEOPLE.slice(0, 20).map((each, at) => ({
      工号: `DJ${String(at).padStart(3, '0')}`,
      姓名: `端木${each}`,
      手机: `139001383${String(at).padStart(2, '0')}`,
      机构: unit.code,
    }))
    const wrong = people.map((person, at) => (at % 4 === 0 ? { ...person, 手机: '139' } : person))
    await chosen(wrong, template)
    await expect(dialog(page).getByText(/没有写入任何数据/)).toBeVisible()
    await press(page, '重新上传')
    await chosen(people, template)
    await press(page, '确认导入20行')
    await expect(dialog(page).getByText('已导入20行')).toBeVisible()
    await press(page, '关闭')
  })

  await signIn(page, LEAVER)
  await home(page)
  await counted(page, '修改自己的密码', { clicks: 3, keys: 0 }, async () => {
    await page.getByRole('button', { name: /演示改密/ }).click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    await dialog(page).getByLabel('原密码').fill(PASSWORD)
    await dialog(page).getByLabel('新密码').fill('Clicks@2026')
    await dialog(page).getByLabel('确认密码').fill('Clicks@2026')
    await press(page, '确定')
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  })
})

test('an operator: a school is opened, another one entered', async ({ page }) => {
  await countHand(page)
  await signIn(page, OPERATOR)
  await home(page)
  await counted(page, '开通一所院校', { clicks: 7, keys: 1 }, async () => {
    await to(page, '院校列表')
    await page.getByRole('button', { name: '新增院校' }).click()
    await fill(page, { 院校代码: 'jishu', 院校名称: '计数学院' })
    for (const _ of [1, 2, 3]) await press(page, '下一步')
    await press(page, '开通院校')
    await expect(dialog(page).getByText('院校已开通，管理员可以登录了')).toBeVisible({ timeout: 30_000 })
    await press(page, '完成')
  })
  await home(page)
  await counted(page, '进入院校', { clicks: 3, keys: 1 }, async () => {
    await to(page, '院校列表')
    await rowOf(page, SCHOOL).getByRole('button', { name: '进入院校', exact: true }).click()
    await fill(page, { 进入原因: '协助办理' })
    await press(page, '进入院校')
    await expect(page.getByRole('status').filter({ hasText: '您正以平台人员身份代管' })).toBeVisible()
    await isIn(page)
  })
})

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('what the site sells: customers, orders, coupons', async ({ page }) => {
  await countHand(page)
  await signIn(page, OPERATOR)
  await home(page)
  await counted(page, '登记学员并开通会员', { clicks: 5, keys: 3 }, async () => {
    await to(page, '学员管理')
    await page.getByRole('button', { name: '新增学员' }).click()
    await fill(page, { 手机号: '13900138501', 昵称: '计数学员甲' })
    await save(page)
    await told(page, '已新增学员')
    await act(page, '计数学员甲', '开通会员')
    await dialog(page).getByRole('combobox', { name: '会员设置' }).click()
    await page.getByRole('option', { name: /^月度会员/ }).click()
    await save(page)
    await told(page, '已开通会员')
  })
  await home(page)
  await counted(page, '按手机号查找平台学员', { clicks: 0, keys: 2 }, () =>
    findOnSite(page, '学员', '13900138501', '计数学员甲'),
  )

  const sets = await dataOf(page, 'POST', '/system/pc/vip/set/list', { setName: '年度会员' })
  const productId = sets.list.find(({ setName }: { setName: string }) => setName === '年度会员').id
  const order = async (phone: string, nickname: string) => {
    const { id } = await dataOf(page, 'POST', '/user/pc/ext/save', { phone, nickname, gender: 'male' })
    const sold = { learnerId: id, productType: 'vip', productId, pricePaid: 28_000 }
    const made = await dataOf(page, 'POST', '/user/pc/order/info/save', sold)
    return (await dataOf(page, 'GET', `/user/pc/order/info/view?id=${made.id}`)).orderNo as string
  }
  const bought = await order('13900138502', '计数学员乙')
  const left = await order('13900138503', '计数学员丙')
  const received = '收款流水CLICKS1'
  await home(page)
  await counted(page, '登记一笔线下收款', { clicks: 1, keys: 4 }, async () => {
    await findOnSite(page, '订单', bought, bought)
    await dialog(page).getByRole('button', { name: '线下收款', exact: true }).click()
    await fill(page, { 交易流水号: received })
    await typeDay(page, '收款时间', '2026-01-05')
    await save(page)
    await told(page, '已登记收款')
  })
  await home(page)
  await counted(page, '按手机号查找订单，查看到账', { clicks: 2, keys: 1 }, async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: '查找菜单' }).fill('13900138502')
    await page.getByRole('group', { name: '订单' }).getByRole('option', { name: bought }).click()
    await openTab(dialog(page, bought), '到账')
    await expect(dialog(page).getByRole('row').filter({ hasText: received })).toContainText('280.00')
  })
  await home(page)
  await counted(page, '全额退款', { clicks: 2, keys: 2 }, async () => {
    await findOnSite(page, '订单', bought, bought)
    await dialog(page).getByRole('button', { name: '退款', exact: true }).click()
    await fill(page, { 退款原因: '学员申请' })
    await press(page, '退款')
    await told(page, '已退款')
  })
  await home(page)
  await counted(page, '关闭一笔待支付订单', { clicks: 2, keys: 2 }, async () => {
    await findOnSite(page, '订单', left, left)
    await press(page, '关闭')
    await expect(dialog(page).getByText(`关闭订单“${left}”？`)).toBeVisible()
    await press(page, '关闭')
    await told(page, '已关闭订单')
  })
  await home(page)
  await counted(page, '新增优惠券并发给一名学员', { clicks: 6, keys: 4 }, async () => {
    await to(page, '优惠券')
    await page.getByRole('button', { name: '新增优惠券' }).click()
    await fill(page, { 名称: '计数满减券', 使用门槛: '150', 优惠金额: '20', 发放总量: '100' })
    await typeDay(page, '领取开始时间', '2026-01-01')
    await typeDay(page, '领取截止时间', '2099-01-01')
    await save(page)
    await told(page, '已新增优惠券')
    await act(page, '计数满减券', '发放')
    await chooseTyped(page, '学员', '13900138501', /计数学员甲/)
    await press(page, '发放')
    await told(page, '已发放1张')
  })
  const { list } = await dataOf(page, 'POST', '/user/pc/coupon/list', { couponName: '计数满减券' })
  // The last day is within it.
  expect(new Date(list[0].receiveEndsAt)).toEqual(new Date('2099-01-01T23:59:59+08:00'))
})

test('what the site teaches: lessons, audits, exams, its home page', async ({ page }) => {
  await countHand(page)
  await signIn(page, OPERATOR)
  const known = await dataOf(page, 'POST', '/course/pc/course/record/list', { courseName: '学位英语考前辅导' })
  const { categoryId, lecturerId, cover } = known.list[0]
  const { list: media } = await dataOf(page, 'POST', '/system/pc/media/list', { title: '2.1 时态与语态' })
  await dataOf(page, 'POST', '/course/pc/course/record/save', {
    courseName: '计数录播课程',
    categoryId,
    lecturerId,
    cover,
    isFree: true,
    submission: 'publish',
    chapters: [{ chapterName: '第一章 总论', periods: [{ periodName: '1.1 导言', mediaAssetId: media[0].id }] }],
  })
  await home(page)
  await counted(page, '给课程增加一个带附件的课时', { clicks: 8, keys: 2 }, async () => {
    await to(page, '录播课程')
    await act(page, '计数录播课程', '编辑')
    await openTab(dialog(page), '章节课时')
    await dialog(page).getByRole('button', { name: '第1章添加课时' }).click()
    await fill(page, { 第1章第2课时名称: '1.2 时态' })
    await choose(page, '第1章第2课时音视频', String(media[0].title))
    await openTab(dialog(page), '附件')
    const chooser = page.waitForEvent('filechooser')
    await dialog(page).getByRole('button', { name: '上传第1章第2课时附件' }).click()
    const notes = { name: '讲义.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
    await (await chooser).setFiles(notes)
    await expect(dialog(page).getByRole('button', { name: '删除讲义.pdf' })).toBeVisible()
    await save(page)
    await told(page, '已保存录播课程')
  })

  const lives = await dataOf(page, 'POST', '/course/pc/course/live/list', { courseName: '学位英语直播班' })
  await dataOf(page, 'POST', '/course/pc/course/live/save', {
    courseName: '计数直播课程',
    categoryId: lives.list[0].categoryId,
    lecturerId,
    cover,
    isFree: true,
    submission: 'review',
    chapters: [],
  })
  await home(page)
  await counted(page, '通过一个课程的审核', { clicks: 2, keys: 2 }, async () => {
    await to(page, '直播审核')
    await act(page, '计数直播课程', '审核')
    await expect(dialog(page, '审核 计数直播课程').getByRole('table').first()).toBeVisible()
    await page.keyboard.press('a')
    await told(page, '已通过“计数直播课程”')
  })

  const problems = await dataOf(page, 'POST', '/exam/pc/online/problem/list', { keyword: 'to the library' })
  await dataOf(page, 'POST', '/exam/pc/info/save', {
    examName: '计数试卷',
    isFree: true,
    durationMinutes: 90,
    totalScore: 10,
    passScore: 6,
    sections: [{ title: '一、选择题', problems: [{ problemId: problems.list[0].id, score: 10 }] }],
    submission: 'publish',
  })
  await home(page)
  // Schools have a page of the same name.
  await page.goto('./exam/list')
  await expect(page.getByRole('heading', { level: 1, name: '试卷管理' })).toBeVisible()
  await counted(page, '上架一份试卷（从名单起）', { clicks: 1, keys: 1 }, async () => {
    await page.getByRole('textbox', { name: '试卷名称', exact: true }).fill('计数试卷')
    await page.keyboard.press('Enter')
    await lineOf(page, '计数试卷').getByRole('button', { name: '上架', exact: true }).click()
    await told(page, '已上架“计数试卷”')
  })

  const period = { beginsAt: '2026-01-01T00:00:00+08:00', endsAt: '2099-01-01T00:00:00+08:00' }
  for (const [at, advTitle] of ['计数轮播甲', '计数轮播乙'].entries()) {
    const picture = { terminal: 'app', advTitle, advImg: '/a.png', sort: 900 + at, enabled: true, ...period }
    await dataOf(page, 'POST', '/system/pc/adv/carousel/save', picture)
  }
  await home(page)
  await counted(page, '调整首页轮播的顺序', { clicks: 3, keys: 1 }, async () => {
    await to(page, '移动轮播')
    await actInMore(page, '计数轮播乙', '上移')
    await told(page, '已移动“计数轮播乙”')
  })
  await home(page)
  await counted(page, '更换首页轮播的图片', { clicks: 3, keys: 2 }, async () => {
    await to(page, '移动轮播')
    await act(page, '计数轮播甲', '编辑')
    const chooser = page.waitForEvent('filechooser')
    await dialog(page).getByRole('button', { name: '更换', exact: true }).click()
    await (await chooser).setFiles({ name: '轮播.png', mimeType: 'image/png', buffer: PICTURE })
    await expect(dialog(page).getByRole('img', { name: '图片', exact: true })).not.toHaveAttribute('src', '/a.png')
    await save(page)
    await told(page, '已保存轮播图')
  })
})

test('what learners ask for: a blog, a withdrawal, an answer of the official account', async ({ page }) => {
  await countHand(page)
  await signIn(page, OPERATOR)
  await dataOf(page, 'POST', '/user/pc/ext/save', { phone: '13900138504', nickname: '计数博主', gender: 'female' })
  const blogger = await learnerOf(page.request, OPERATOR, '13900138504')
  // By a word of the library it waits for somebody to look at it.
  const blog = { title: '计数博客', content: '<p>考前没有内部答案，只有练习。</p>', articleType: 'original' }
  expect(await blogger('/user/client/community/blog/save', blog)).toMatchObject({ auditStatus: 'pending' })
  await home(page)
  await counted(page, '通过一篇博客', { clicks: 2, keys: 2 }, async () => {
    await to(page, '博客管理')
    await act(page, '计数博客', '审核')
    await expect(dialog(page).getByText('只有练习').first()).toBeVisible()
    await page.keyboard.press('a')
    await told(page, '已通过“计数博客”')
  })

  // Who brought buyers to the demonstration's course has something to take out.
  const promoter = await learnerOf(page.request, OPERATOR, '13901000002')
  await promoter('/user/client/account/bank', {
    bankCardNo: '6222020200112230001',
    bankName: '中国工商银行',
    bankUserName: '计数户名',
    phone: '13901000002',
  })
  await promoter('/user/client/account/extract', { amount: 10_000 })
  await home(page)
  await counted(page, '驳回一笔提现', { clicks: 3, keys: 1 }, async () => {
    await to(page, '提现记录')
    await act(page, '计数户名', '审核')
    await fill(page, { 审核意见: '户名与讲师姓名不符' })
    await press(page, '不通过')
    await told(page, /^已审核为不通过“计数户名/)
  })

  await home(page)
  await counted(page, '新增一条关键词回复', { clicks: 5, keys: 2 }, async () => {
    await to(page, '自动回复')
    await openTab(page, '关键词回复')
    await page.getByRole('button', { name: '新增关键词回复' }).click()
    await dialog(page).getByRole('combobox', { name: '关键词', exact: true }).click()
    await page.keyboard.insertText('计数作息')
    await dialog(page).getByRole('textbox', { name: '回复内容' }).click()
    await fill(page, { 回复内容: '周一至周五9点至17点有人值守。' })
    await save(page)
    await told(page, '已新增回复')
  })
})
