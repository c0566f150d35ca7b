import { expect, it } from 'vitest'
import {
  answersOf,
  familyRefusal,
  figuresOf,
  type Item,
  inAddress,
  itemsRefusal,
  lineFilter,
  newestGrade,
  nextWaiting,
  passRefusal,
  type Row,
  remindRefusal,
  resumeRefusal,
  type StepName,
  sampleOf,
  stepsOf,
  unknownPlaces,
} from './informationRules'

const statuses: readonly Row['status'][] = ['not_submitted', 'submitted', 'class_passed', 'approved', 'returned']
const offered = (step: StepName) =>
  statuses.filter((status) => stepsOf('admission_information', { status, studentStatus: 'registered' }).includes(step))

// The table of 02 §11.2.
it('offers the steps that a state has', () => {
  expect(offered('fill')).toEqual(['not_submitted', 'returned'])
  expect(offered('review')).toEqual(['submitted', 'class_passed'])
  expect(offered('reject')).toEqual(['submitted', 'class_passed'])
  expect(offered('takeBack')).toEqual(['approved'])
  expect(offered('print')).toEqual(statuses)
  expect(offered('download')).toEqual(statuses.slice(1))
})

it('has steps of a group’s own, and changes nothing of somebody who left', () => {
  const unqualified = { status: 'returned', studentStatus: 'registered', conclusion: 'unqualified' } as const
  expect(stepsOf('admission_commitment', unqualified)).toContain('withdraw')
  expect(stepsOf('admission_commitment', { ...unqualified, conclusion: 'supplement' })).not.toContain('withdraw')
  expect(stepsOf('graduation_information', { status: 'submitted', studentStatus: 'registered' })).toContain('photos')
  const left = { status: 'submitted', studentStatus: 'withdrawn', correctionId: 7 } as const
  expect(stepsOf('admission_information', left)).toEqual(['print', 'download', 'correction'])
})

const row = (id: number, status: Row['status'], studentStatus: Row['studentStatus'] = 'registered') =>
  ({ id, status, studentStatus }) as Row

it('goes on with the next who waits, round the page', () => {
  const rows = [row(1, 'submitted'), row(2, 'approved'), row(3, 'class_passed'), row(4, 'submitted', 'withdrawn')]
  expect(nextWaiting(rows, 1)?.id).toBe(3)
  expect(nextWaiting(rows, 3)?.id).toBe(1)
  expect(nextWaiting([row(1, 'submitted')], 1)).toBeUndefined()
})

const item = (key: Item['key'], label: string, ok?: boolean, more: Partial<Item> = {}): Item => ({
  key,
  label,
  ok,
  settled: ok ?? true,
  ...more,
})

it('says what holds an approval back', () => {
  const view = { status: 'submitted', classManagerReview: false, photoCheck: null } as const
  expect(passRefusal('admission_information', { ...view, items: [] })).toBeUndefined()
  expect(passRefusal('admission_information', { ...view, items: [], classManagerReview: true })).toBe('待班主任审核')
  const classPassed = { ...view, status: 'class_passed', classManagerReview: true } as const
  expect(passRefusal('admission_information', { ...classPassed, items: [] })).toBeUndefined()
  const wrong = [item('birthday', '出生日期', false), item('name', '姓名', true)]
  expect(passRefusal('admission_information', { ...view, items: wrong })).toContain('存在1项核对不符')
  expect(passRefusal('graduation_information', { ...view, items: wrong })).toContain('存在1项核对不符')
  const major = item('major', '专业', false, { settled: false })
  expect(passRefusal('admission_information', { ...view, items: [major] })).toBe(
    '存在1项核对不符，专业不在更正之列，请办理学籍异动或退回',
  )
  expect(passRefusal('admission_information', { ...view, items: [...wrong, major] })).toBe(
    '存在2项核对不符，请先处理信息更正；专业不在更正之列，请办理学籍异动或退回',
  )
  const mended = [
    item('birthday', '出生日期', false, { settled: true }),
    item('political_status', '政治面貌', false, { settled: true }),
  ]
  expect(passRefusal('admission_information', { ...view, items: mended })).toBeUndefined()
  const waiting = { ...view, items: mended, correctionStatus: 'pending_school' } as const
  expect(passRefusal('admission_information', waiting)).toContain('存在1项核对不符')
  expect(passRefusal('admission_information', { ...waiting, correctionStatus: 'approved' })).toBeUndefined()
  expect(passRefusal('admission_commitment', { ...view, items: [], chsiPreCheck: 'failed' })).toContain('清查未通过')
  expect(passRefusal('admission_commitment', { ...view, items: [], chsiPreCheck: 'to_check' })).toBeUndefined()
  expect(passRefusal('graduation_information', { ...view, items: [], photoCheck: 'different' })).toContain('三照比对')
})

it('counts what a group has of its own', () => {
  const labels = (classPassed: number) => figuresOf('graduation_information', { classPassed }).map(({ label }) => label)
  expect(labels(0)).toEqual(['应提交', '未提交', '待审核', '已通过', '已退回', '照片缺失', '三照不符'])
  expect(labels(2)).toContain('班主任通过')
})

it('reminds a class once in a day, and none that has nobody to be reminded', () => {
  const now = new Date('2026-03-10T09:00:00+08:00')
  const line = { classId: 3, notSubmitted: 2, returned: 1 }
  expect(remindRefusal(line, now)).toBeUndefined()
  expect(remindRefusal({ ...line, remindedAt: '2026-03-09T10:00:00+08:00' }, now)).toBe('24小时内已催办')
  expect(remindRefusal({ ...line, remindedAt: '2026-03-09T09:00:00+08:00' }, now)).toBeUndefined()
  expect(remindRefusal({ ...line, notSubmitted: 0, returned: 0 }, now)).toBe('没有未提交和已退回的学生')
  expect(remindRefusal({ ...line, classId: null }, now)).toBe('未分班的学生请先分班')
})

const none = { should: 0, notSubmitted: 0, submitted: 0, classPassed: 0, approved: 0, returned: 0 }
const others = { mismatched: 0, qualified: 0, unqualified: 0, supplement: 0, unsigned: 0, preCheckFailed: 0 }
const line = (more: object) => ({ ...none, ...others, photoMissing: 0, photoDifferent: 0, ...more })

it('finds the students of a class, of a place without one, of a site and of all', () => {
  expect(lineFilter(line({ classId: 3, levelId: 1, siteId: 2 }))).toEqual({ classId: 3 })
  const unassigned = lineFilter(line({ levelId: 1, majorId: 5, siteId: 2 }))
  expect(unassigned).toEqual({ unassigned: true, levelId: 1, majorId: 5, siteId: 2 })
  expect(inAddress(unassigned)).toEqual({ unassigned: 'true', levelId: '1', majorId: '5', siteId: '2' })
  expect(lineFilter(line({ siteId: 2 }))).toEqual({ siteId: 2 })
  expect(lineFilter(line({}))).toEqual({})
})

it('begins with the newest grade that has begun', () => {
  const grades = [
    { code: 1, number: '2024' },
    { code: 7, number: '2026' },
    { code: 3, number: '2025' },
    { code: 9, number: '2081' },
  ]
  expect(newestGrade(grades, 2026)?.code).toBe(7)
  expect(newestGrade(grades, 2019)?.code).toBe(9)
  expect(newestGrade([], 2026)).toBeUndefined()
})

it('reads a commitment as somebody will, and knows places that stand for nothing', () => {
  expect(sampleOf('本人{name}报读{school}{level}{major}', '南岭示范大学')).toBe('本人李明报读南岭示范大学专升本会计学')
  expect(sampleOf('{name}与{name}', undefined)).toBe('李明与李明')
  expect(unknownPlaces('{name}{姓名}{ major }{姓名}')).toEqual(['{姓名}', '{ major }'])
})

it('wants every item answered, and of what is wrong what is right', () => {
  const items = [item('name', '姓名'), item('birthday', '出生日期')]
  expect(itemsRefusal(items, [{ key: 'name', ok: true }])).toBe('请核对：出生日期')
  const wrong = [
    { key: 'name', ok: true },
    { key: 'birthday', ok: false, declared: ' ' },
  ] as const
  expect(itemsRefusal(items, wrong)).toBe('请填写应为：出生日期')
  expect(itemsRefusal(items, [wrong[0], { ...wrong[1], declared: '1990-03-07' }])).toBeUndefined()
})

it('begins a form with what was answered, codes where there are such', () => {
  expect(
    answersOf([
      item('name', '姓名', true),
      item('ethnicity', '民族', false, { declared: '汉族', declaredValue: '01' }),
      item('major', '专业', false, { declared: '法学' }),
      item('birthday', '出生日期'),
    ]),
  ).toEqual([
    { key: 'name', ok: true, declared: undefined },
    { key: 'ethnicity', ok: false, declared: '01' },
    { key: 'major', ok: false, declared: '法学' },
  ])
})

it('takes lines of a résumé and of a family that are whole', () => {
  expect(
    resumeRefusal([
      { from: '2019-09', to: '2023-07', unit: '第一中学' },
      { from: '2023-08', unit: '某厂' },
    ]),
  ).toBeUndefined()
  expect(resumeRefusal([{ from: '2019-13', unit: '第一中学' }])).toContain('第1行的起始年月')
  expect(resumeRefusal([{ from: '2019-09', to: '2018-07', unit: '第一中学' }])).toContain('早于起始年月')
  expect(resumeRefusal([{ from: '2019-09', unit: ' ' }])).toContain('学校或单位')
  expect(familyRefusal([{ relation: '父亲', name: '李强' }])).toBeUndefined()
  expect(familyRefusal([{ relation: '父亲', name: '李强' }, { relation: '母亲' }])).toContain('第2行')
})
