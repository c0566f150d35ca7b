import { paths } from '../src/paths'
import { expectAccessible } from './axe'
import { callFromPage, dataOf, dialog, fill, goTo, helpAt, openAt, openTab, press, rowOf, told } from './kit'
import { operatorOf } from './session'
import { expect, type Locator, type Page, test } from './test'

/** Graduation of the second school: a batch audited, confirmed, its certificates numbered, an archive sealed (04 §9–§11). */

const OPERATOR = operatorOf('graduation', '演示毕业')
const SOUTH = '南岭示范大学'
const BATCH = '/adult/pc/graduate/batch'
const ARCHIVE = '/adult/pc/archive'
const NAME = '浏览器毕业批次'

const at = (path: string, search: object) => `${path.slice(1)}?${new URLSearchParams(Object.entries(search))}`

/** A button of a row, or of what stands under 更多. */
const inRow = async (page: Page, row: Locator, button: string) => {
  await expect(row).toBeVisible()
  const shown = row.getByRole('button', { name: button, exact: true })
  if ((await shown.count()) > 0) return await shown.first().click()
  await row.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem').getByRole('button', { name: button, exact: true }).click()
}

const pressed = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()

interface Person {
  id: number
  name: string
  studentNo: string
}

/** Puts one student into the batch: the last of the register who is in no other. */
const listOne = async (page: Page, batchId: number): Promise<Person> => {
  const { list }: { list: Person[] } = await dataOf(page, 'POST', '/adult/pc/studentRoll/list', {
    status: ['registered'],
    sortField: 'studentNo',
    sortOrder: 'desc',
    pageSize: 50,
  })
  for (const one of list.filter(({ studentNo }) => studentNo)) {
    const answer = await callFromPage(page, 'POST', '/adult/pc/graduate/user/add', { batchId, studentIds: [one.id] })
    if (answer.code === 200 && answer.data.done === 1) return one
  }
  throw new Error('everybody is in a batch')
}

/** What certificates tell of the school, which must be known before anybody graduates. */
const tellOfSchool = async (page: Page) => {
  const { groups } = await dataOf(page, 'GET', '/user/pc/schoolInfo/view')
  const group = 'school_info'
  const { version } = groups.find((each: { group: string }) => each.group === group)
  const value = { nationalCode: '10998', presidentName: '张明' }
  await dataOf(page, 'PUT', '/user/pc/schoolInfo/edit', { group, value, version, confirmed: true })
}

test('a batch is audited, confirmed and numbered, and an archive is sealed', async ({ page }) => {
  await helpAt(page, OPERATOR, SOUTH)
  await tellOfSchool(page)
  await goTo(page, '毕业批次')
  await expectAccessible(page)
  // Nobody was expected to graduate then: the list is what is put into it.
  const form = {
    code: 'LLQ1990',
    name: NAME,
    year: 1990,
    season: 'spring',
    kind: 'regular',
    graduatesOn: '1990-07-01',
    certificateDate: '1990-07-01',
    gradeIds: [],
    levelIds: [],
    majorIds: [],
    siteIds: [],
    auditStartsOn: '1990-05-01',
    auditEndsOn: '1990-06-01',
    degreeEnabled: false,
  }
  const { id } = await dataOf(page, 'POST', `${BATCH}/save`, form)
  await openAt(page, at(paths.graduationBatches, { name: NAME }))
  const row = rowOf(page, NAME)
  await inRow(page, row, '启动')
  await press(page, '启动')
  await told(page, `已启动“${NAME}”`)
  const one = await listOne(page, id)

  await openAt(page, at(paths.graduationBatches, { batch: id, tab: 'graduates' }))
  const person = rowOf(page, one.name).first()
  await inRow(page, person, '重新审核')
  await told(page, /已审核1名学生/)
  await inRow(page, person, '审核详情')
  await expect(dialog(page).getByText('R03 总学分')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await inRow(page, person, '终审')
  await dialog(page).getByRole('combobox', { name: '结论', exact: true }).click()
  await page.getByRole('option', { name: '结业', exact: true }).click()
  await fill(page, { 说明: '学分不足' })
  await press(page, '提交终审')
  await told(page, '已终审')
  await openTab(page, '概况')
  await expectAccessible(page)

  await openAt(page, at(paths.graduationBatches, { name: NAME }))
  await inRow(page, row, '确认')
  await press(page, '确认')
  await told(page, `已确认“${NAME}”`)
  await inRow(page, row, '编辑')
  await fill(page, { 领证地点: '行政楼101' })
  await press(page, '保存')
  await told(page, '已保存毕业批次')
  await openAt(page, at(paths.graduationBatches, { batch: id, tab: 'certificates' }))
  await pressed(page, '证书编号')
  await expectAccessible(page)
  await press(page, '编号1人')
  await told(page, '已为1人编号')
  await expect(rowOf(page, one.name)).toContainText('已编号')

  await openAt(page, at(paths.archives, { batchId: id }))
  await expect(rowOf(page, one.name)).toBeVisible()
  await expectAccessible(page)
  const { list } = await dataOf(page, 'POST', `${ARCHIVE}/list`, { batchId: id })
  const archive: number = list[0].id
  // What the school cannot draw of this student is not asked for.
  for (const code of list[0].missing) {
    await callFromPage(page, 'PUT', `${ARCHIVE}/waive`, { id: archive, code, reason: '浏览器演练' })
  }
  await openAt(page, at(paths.archives, { batchId: id }))
  await inRow(page, rowOf(page, one.name), '查看')
  await expect(dialog(page).getByText('封面与目录')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await inRow(page, rowOf(page, one.name), '归档')
  await press(page, '归档')
  await told(page, `已归档${one.name}的档案`)
  await expect(rowOf(page, one.name)).toContainText('已归档')
})
