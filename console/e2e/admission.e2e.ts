import { paths, platformPaths } from '../src/paths'
import { expectAccessible } from './axe'
import {
  act,
  actInMore,
  dataOf,
  dialog,
  exportButton,
  exported,
  fill,
  helpAt,
  idCardOf,
  openAt,
  openTab,
  press,
  rowOf,
  signIn,
  told,
} from './kit'
import { operatorOf } from './session'
import { textsIn } from './sheet'
import { expect, type Page, test } from './test'

/** 录取 of the second school, by an operator who helps there. One story goes on from the other (02 §6). */

test.describe.configure({ mode: 'serial' })

const OPERATOR = operatorOf('admission', '演示录取')
const SOUTH = '南岭示范大学'
const FILE = '录取库.csv'
/** What the authority of this province calls the level; nothing is assumed of it. */
const LEVEL_CODE = 'E9'
const FAMILY = '尉迟'

const enter = (page: Page) => helpAt(page, OPERATOR, SOUTH)

const call = (page: Page, method: string, path: string, body?: unknown) =>
  dataOf(page, method, `/adult/pc/${path}`, body)

interface Known {
  batchId: number
  major: { name: string; levelName: string; authorityCode: string }
  /** Where the leads want to study. */
  site: { name: string }
  /** A site that was granted nothing. */
  elsewhere: { siteName: string }
}

let known: Known

/** The school's open batch, and three who told it that they want to study a major of it. */
const prepared = async (page: Page): Promise<Known> => {
  const [batch] = (await call(page, 'POST', 'enrollmentBatch/list', { status: 'open' })).list
  const recruited = (await call(page, 'POST', 'enrollmentMajor/list', { batchId: batch.id })).list
  const major = recruited.find(
    (each: { authorityCode?: string; enabled: boolean }) => each.authorityCode && each.enabled,
  )
  const levels = await call(page, 'GET', 'options/level')
  const level = levels.find(({ desc }: { desc: string }) => desc === major.levelName)
  const { id } = await call(page, 'POST', 'preRegistrationBatch/save', {
    code: 'E2E-LQ',
    name: '录取演练预报名',
    gradeId: batch.gradeId,
    startsAt: '2025-01-01T00:00:00+08:00',
    endsAt: '2099-01-01T00:00:00+08:00',
    levelIds: [level.code],
    needAudit: true,
  })
  const majors = [{ majorId: major.majorId }]
  await call(page, 'PUT', 'preRegistrationBatch/majors', { id, version: 1, majors })
  const offer = await call(page, 'GET', `preRegistration/offer?batchId=${id}`)
  const site = offer.sites.find(({ active }: { active: boolean }) => active)
  // 甲 is known, 乙's number is that of somebody with another name, 丙 told a wrong number.
  const leads = [
    ['尉迟甲', 40],
    ['尉迟壬', 41],
    ['尉迟丙', 43],
  ] as const
  for (const [name, at] of leads) {
    await call(page, 'POST', 'preRegistration/save', {
      batchId: id,
      name,
      idCardNo: idCardOf(at),
      phone: `139001390${at}`,
      levelId: level.code,
      majorId: major.majorId,
      siteId: site.id,
      preEduLevel: 'associate',
    })
  }
  const [elsewhere] = (await call(page, 'POST', 'siteEnrollment/list', { batchId: batch.id, status: 'draft' })).list
  return { batchId: batch.id, major, site, elsewhere }
}

/** What the authority sends; 40 and 42 are women by their numbers, 41 is a man. */
const file = () => ({
  name: FILE,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'KSH,XM,XBDM,CSRQ,SFZH,LQZY,CCDM,ZF',
      ...[
        ['甲', '2', 40, 251],
        ['乙', '1', 41, 240.5],
        ['丙', '2', 42, 233],
      ].map(([name, gender, at, score]) =>
        [
          `26E2E000${at}`,
          `${FAMILY}${name}`,
          gender,
          '19900307',
          idCardOf(Number(at)),
          known.major.authorityCode,
          LEVEL_CODE,
          score,
        ].join(','),
      ),
    ].join('\r\n'),
  ),
})

/** A page of the batch with the people of the file alone. */
const openPage = async (page: Page, path: string, title: string) => {
  await openAt(page, `${path.slice(1)}?batchId=${known.batchId}&keyword=${encodeURIComponent(FAMILY)}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

const openData = (page: Page) => openPage(page, paths.admissionData, '录取数据')
const openStudents = (page: Page) => openPage(page, paths.admittedStudents, '录取学生')

const chooseFile = async (page: Page) => {
  await page.getByRole('button', { name: '导入录取数据' }).click()
  await dialog(page).locator('input[type=file]').setInputFiles(file())
}

test('the authority’s file is understood step by step, checked, and finds its leads', async ({ page }) => {
  await enter(page)
  known = await prepared(page)
  await openData(page)
  await chooseFile(page)
  const wizard = dialog(page, '导入录取数据')
  await expect(wizard.getByText(`${FILE}：共3行，8列`)).toBeVisible()
  await expectAccessible(page)
  await press(page, '下一步')
  const name = wizard.getByRole('row').filter({ hasText: '尉迟甲' })
  await expect(name).toContainText('必需')
  await expect(name).toContainText('XM')
  await expectAccessible(page)
  await press(page, '下一步')
  await press(page, '检查')
  const refused = wizard.getByRole('alert').filter({ hasText: `请选择层次代码“${LEVEL_CODE}”的对应值` })
  await expect(refused.first()).toBeVisible()
  const level = wizard.getByRole('combobox', { name: `层次代码${LEVEL_CODE}对应值` })
  await level.click()
  await page.getByRole('option', { name: known.major.levelName, exact: true }).click()
  // Going back loses nothing.
  await press(page, '上一步')
  await expect(name).toContainText('XM')
  await press(page, '下一步')
  await expect(level).toContainText(known.major.levelName)
  await press(page, '检查')
  await expect(wizard.getByText('检查通过，共3行')).toBeVisible()
  await expect(wizard.getByText(/新增3人/)).toBeVisible()
  await press(page, '确认导入3行')
  await expect(wizard.getByText('已导入3行')).toBeVisible()
  await press(page, '查看录取数据')

  await openData(page)
  await expect(page.getByRole('tab', { name: '总数 3' })).toBeVisible()
  await expect(rowOf(page, '尉迟甲')).toContainText('已匹配')
  await expect(rowOf(page, '尉迟甲')).toContainText('待审核')
  await expect(rowOf(page, '尉迟乙')).toContainText('有冲突')
  await expect(rowOf(page, '尉迟乙')).toContainText('姓名不一致')
  await expect(rowOf(page, '尉迟丙')).toContainText('未匹配')
  await expect(rowOf(page, '尉迟丙')).toContainText('待分配')
  await expectAccessible(page)
})

test('the same file is told at once, and stands in the records', async ({ page }) => {
  await enter(page)
  await openData(page)
  await chooseFile(page)
  await expect(dialog(page).getByText(/^该文件已于.+导入$/)).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: '下一步' })).toBeDisabled()
  await press(page, '取消')
  await page.getByRole('button', { name: '导入记录' }).click()
  const record = dialog(page, '导入记录').getByRole('row').filter({ hasText: FILE })
  await expect(record).toContainText('只新增')
  await expectAccessible(page)
  await record.getByRole('button', { name: '3', exact: true }).click()
  await expect(page).toHaveURL(/importId=\d+/)
  await expect(rowOf(page, '尉迟甲')).toBeVisible()
})

test('somebody is found by hand, whatever the numbers say', async ({ page }) => {
  await enter(page)
  await openData(page)
  await act(page, '尉迟丙', '手工匹配')
  const form = dialog(page, '手工匹配 尉迟丙')
  await form.getByRole('radio', { name: '尉迟丙' }).press('Space')
  await expect(form.getByText('证件号：两者不同')).toBeVisible()
  await expectAccessible(page)
  await press(page, '保存')
  await expect(dialog(page).getByText(/证件号：两者不同。请确认是同一人/)).toBeVisible()
  await press(page, '仍然匹配')
  await told(page, /已匹配“尉迟丙”的预报名/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rowOf(page, '尉迟丙')).toContainText('已匹配')
  await expect(rowOf(page, '尉迟丙')).toContainText('待审核')

  await rowOf(page, '尉迟丙').getByRole('button', { name: '尉迟丙', exact: true }).click()
  const shown = dialog(page, '尉迟丙')
  await expect(shown.getByRole('region', { name: '文件原始数据' })).toContainText('SFZH')
  await expect(shown.getByRole('table', { name: '录取与预报名对比' })).toContainText(known.site.name)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
})

test('an admission that the authority withdrew is cancelled, and had back', async ({ page }) => {
  await enter(page)
  await openData(page)
  const row = rowOf(page, '尉迟乙')
  await actInMore(page, '尉迟乙', '注销录取')
  await fill(page, { 注销原因: '招办撤销录取' })
  await press(page, '注销录取')
  await told(page, '已注销“尉迟乙”的录取')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toContainText('已注销')
  await actInMore(page, '尉迟乙', '恢复录取')
  await fill(page, { 恢复原因: '招办重新确认' })
  await press(page, '恢复录取')
  await told(page, '已恢复“尉迟乙”的录取')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toContainText('待分配')
  await expect(row).toContainText('有冲突')
})

test('a site is given beyond its plan with a warning, and taken back', async ({ page }) => {
  await enter(page)
  await openStudents(page)
  const row = rowOf(page, '尉迟乙')
  await act(page, '尉迟乙', '分配站点')
  await dialog(page).getByRole('combobox', { name: '站点' }).click()
  await page.getByRole('option', { name: known.elsewhere.siteName, exact: true }).click()
  await press(page, '保存')
  await told(page, /分配站点已完成/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toContainText('超计划')
  await expect(row).toContainText(known.elsewhere.siteName)

  await act(page, '尉迟乙', '编辑联系方式')
  await fill(page, { 手机: '13900139041', 邮编: '510000' })
  await press(page, '保存')
  await told(page, '已保存联系方式')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toContainText('139****9041')

  await row.getByRole('checkbox').press('Space')
  await page.getByRole('status').getByRole('button', { name: '取消分配', exact: true }).click()
  await press(page, '取消分配')
  await told(page, '取消分配：已完成1条')
  await expect(row).toContainText('待分配')
})

test('plans stand beside people and lead to them, and the list leaves as a file', async ({ page }) => {
  await enter(page)
  await openStudents(page)
  await page.getByRole('button', { name: '展开招生计划对比' }).click()
  const major = page
    .getByRole('region', { name: '招生计划对比' })
    .getByRole('row')
    .filter({ hasText: `${known.major.name}（${known.major.levelName}` })
    .first()
  await expect(major).toContainText(/%|—/)
  await major.getByRole('button', { name: /^展开/ }).click()
  await expectAccessible(page)
  await major.getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`studentList\\?.*batchId=${known.batchId}&majorId=\\d+`))

  await openStudents(page)
  await expect(page.getByText('共 3 条')).toBeVisible()
  const rows = textsIn(await (await exported(page, exportButton(page), '名册')).path())
  expect(rows[0]).toContain('预报名站点')
  expect(rows.slice(1).map((cells) => cells.find((cell) => cell?.startsWith(FAMILY)))).toEqual(
    expect.arrayContaining(['尉迟甲', '尉迟乙', '尉迟丙']),
  )
})

test('who was admitted is audited, what differs is marked, and a decision is taken back with its reason', async ({
  page,
}) => {
  await enter(page)
  await openPage(page, paths.admissionAudit, '录取审核')
  // 乙 has no site, and is nobody’s to audit.
  await expect(page.getByRole('tab', { name: '待审核 2' })).toBeVisible()
  await expect(rowOf(page, '尉迟丙')).toContainText('证件号')
  await expect(rowOf(page, '尉迟甲')).toContainText('一致')
  await expectAccessible(page)
  await act(page, '尉迟丙', '审核')
  const audit = dialog(page, '审核录取 尉迟丙')
  const number = audit.getByRole('table', { name: '录取与预报名对比' }).getByRole('row').filter({ hasText: '证件号' })
  await expect(number).toContainText('不同')
  await expect(audit.getByText('与预报名不同：证件号')).toBeVisible()
  await press(page, '通过')
  const question = page.getByText('仍然通过“尉迟丙”？')
  await expect(question).toBeVisible()
  await press(page, '取消')
  await expect(question).toHaveCount(0)
  await expectAccessible(page)
  await press(page, '不予入学')
  await expect(audit.getByText('请填写原因')).toBeVisible()
  await audit.getByRole('textbox', { name: '审核意见' }).fill('不是本人')
  await press(page, '不予入学')
  await told(page, '已审核为不予入学“尉迟丙”')
  await expect(dialog(page, '审核录取 尉迟甲')).toBeVisible()
  await press(page, '通过')
  await told(page, '已通过“尉迟甲”')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await openTab(page, /^已审核/)
  await expect(rowOf(page, '尉迟甲')).toContainText('已审核')
  await openTab(page, /^不予入学/)
  await act(page, '尉迟丙', '撤销')
  await press(page, '撤销审核')
  await expect(dialog(page).getByText('请输入撤销原因')).toBeVisible()
  await fill(page, { 撤销原因: '重新核对身份' })
  await press(page, '撤销审核')
  await told(page, '已撤销“尉迟丙”的审核')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rowOf(page, '尉迟丙')).toHaveCount(0)

  // Who passed waits for the report.
  await openPage(page, paths.registrations, '报到管理')
  await expect(rowOf(page, '尉迟甲')).toContainText('待报到')
})

test('who is deleted lies in the bin, and comes back as they were', async ({ page }) => {
  await enter(page)
  await openData(page)
  await actInMore(page, '尉迟丙', '删除')
  await press(page, '删除')
  await told(page, '已删除“尉迟丙”的录取数据')
  await expect(rowOf(page, '尉迟丙')).toHaveCount(0)
  await openAt(page, `${paths.deletedAdmissions.slice(1)}?keyword=${encodeURIComponent(FAMILY)}`)
  await expect(page.getByRole('heading', { level: 1, name: '录取回收站' })).toBeVisible()
  const row = rowOf(page, '尉迟丙')
  await expect(row).toContainText('待审核')
  await expectAccessible(page)
  await row.getByRole('button', { name: '尉迟丙', exact: true }).click()
  const file = dialog(page, '尉迟丙')
  await expect(file.getByRole('region', { name: '文件原始数据' })).toContainText('SFZH')
  await expect(file.getByRole('button', { name: /查看完整/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await act(page, '尉迟丙', '恢复', '恢复“尉迟丙”的录取数据？')
  await told(page, '已恢复“尉迟丙”的录取数据')
  await expect(rowOf(page, '尉迟丙')).toHaveCount(0)
  await openData(page)
  await expect(rowOf(page, '尉迟丙')).toContainText('待审核')
})

test('an operator sees whom each school has, and changes nothing', async ({ page }) => {
  await signIn(page, OPERATOR, platformPaths.admissionData.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '录取数据' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '院校' })).toBeVisible()
  for (const button of ['导入录取数据', '导入记录']) {
    await expect(page.getByRole('button', { name: button })).toHaveCount(0)
  }
  await expect(exportButton(page)).toBeVisible()
  await page.getByRole('button', { name: '展开各院校录取' }).click()
  const chart = page.getByRole('table', { name: '各院校录取' })
  await expect(chart.getByRole('row').filter({ hasText: SOUTH })).toContainText('%')
  await expectAccessible(page)
  await chart.getByRole('button', { name: SOUTH }).click()
  await expect(page).toHaveURL(/admissionData\?schoolId=\d+/)
  await expect(page.getByRole('button', { name: '选定院校' })).toHaveCount(0)
  await openAt(page, platformPaths.admittedStudents.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '录取学生' })).toBeVisible()
  await expect(page.getByRole('button', { name: '导入站点分配' })).toHaveCount(0)
  await openAt(page, platformPaths.admissionAudit.slice(1))
  await expect(page.getByRole('heading', { level: 1, name: '录取审核' })).toBeVisible()
  await expect(exportButton(page)).toBeVisible()
  await expect(page.getByRole('button', { name: '审核', exact: true })).toHaveCount(0)
})
