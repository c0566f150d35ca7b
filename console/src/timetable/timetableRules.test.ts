import { expect, it } from 'vitest'
import {
  addMonths,
  areSame,
  blocksOf,
  bodyOf,
  cellsOf,
  chosenOf,
  conflictsIn,
  conflictWords,
  type Entry,
  hoursTone,
  isBack,
  keyOf,
  leastArranged,
  meetingName,
  mondayOf,
  monthOf,
  periodRefusal,
  periodWords,
  rowsOf,
  skippedWords,
  timeWords,
  weekOf,
  whyFixed,
  whyNotReady,
} from './timetableRules'

/** A day of four lessons in the morning and four in the afternoon, an hour each. */
const periods = [8, 9, 10, 11, 14, 15, 16, 17].map((hour, at) => ({
  no: at + 1,
  startsAt: `${String(hour).padStart(2, '0')}:00`,
  endsAt: `${String(hour).padStart(2, '0')}:45`,
}))

const entry = (
  periodFrom: number,
  periodTo: number,
  from = periods[periodFrom - 1]?.startsAt ?? '',
  to = periods[periodTo - 1]?.endsAt ?? '',
): Entry => ({
  sessionId: periodFrom,
  arrangeId: 1,
  semesterId: 1,
  date: '2026-03-21',
  weekday: 6,
  weekNo: 3,
  periodFrom,
  periodTo,
  startsAt: `2026-03-21T${from}:00+08:00`,
  endsAt: `2026-03-21T${to}:00+08:00`,
  courseCode: 'A1',
  courseName: '管理学',
  kind: 'lecture',
  mode: 'weekly',
  teacherId: 1,
  teacherName: '张三',
  siteId: 1,
  siteName: '城东站',
  classroomId: 1,
  classroomName: '301教室',
  classNames: ['一班'],
  status: 'published',
  sessionStatus: 'scheduled',
  attended: false,
  version: 1,
})

it('says when an arrangement meets', () => {
  const weekly = { mode: 'weekly', weekday: 6, weeks: '1-16', dates: [], periodFrom: 1, periodTo: 4 } as const
  expect(timeWords({ ...weekly, dates: [] })).toBe('1-16周 星期六 第1-4节')
  const dated = { mode: 'dates', weekday: null, weeks: '', periodFrom: 3, periodTo: 3 } as const
  expect(timeWords({ ...dated, dates: ['2026-03-21', '2026-03-28'] })).toBe('2026-03-21、2026-03-28 第3节')
  expect(periodWords(9, 12)).toBe('第9-12节')
  expect(meetingName({ date: '2026-03-07', periodFrom: 1, periodTo: 4 })).toBe('3月7日第1-4节')
})

it('sends what belongs to the way of repeating alone', () => {
  const typed = {
    semesterId: 1,
    courseId: 2,
    classes: [{ classId: 3, openingId: 4 }],
    teacherId: 5,
    siteId: 6,
    kind: 'lecture',
    mode: 'weekly',
    weekday: 6,
    weeks: ' 1-8 ',
    dates: ['2026-03-21'],
    periodFrom: 1,
    periodTo: 4,
  } as const
  const base = { ...typed, classes: [...typed.classes], dates: [...typed.dates] }
  expect(bodyOf(base)).toMatchObject({ weekday: 6, weeks: '1-8', dates: [], classroomId: null, remark: null })
  const dated = bodyOf({ ...base, mode: 'dates' })
  expect(dated).toMatchObject({ weekday: null, weeks: null, dates: ['2026-03-21'] })
  expect(bodyOf({ ...base, weeks: '  ' })).toBeUndefined()
  expect(bodyOf({ ...base, mode: 'dates', dates: [] })).toBeUndefined()
  expect(bodyOf({ ...base, classes: [] })).toBeUndefined()
  expect(bodyOf({ ...base, teacherId: undefined })).toBeUndefined()
})

it('keeps a class with its opening', () => {
  expect(chosenOf(keyOf({ classId: 3, openingId: 14 }))).toEqual({ classId: 3, openingId: 14 })
})

it('reads what is in the way from a refusal', () => {
  const clash = {
    kind: 'teacher',
    name: '张三',
    date: '2026-03-21',
    periods: '第1-4节',
    with: '《管理学》(301教室)',
    source: 'session',
  } as const
  expect(conflictsIn({ conflicts: [clash, null, { kind: 'x' }] })).toEqual([clash])
  for (const data of [null, 'x', {}, { conflicts: 1 }]) expect(conflictsIn(data)).toEqual([])
  expect(conflictWords(clash, () => '教师')).toBe('教师“张三”2026-03-21 第1-4节已安排《管理学》(301教室)')
})

it('tells days that are left out by their reason', () => {
  const day = (date: string, reason: string) => ({ date, reason })
  expect(skippedWords([day('2026-05-02', '停课'), day('2026-10-03', '停课'), day('2026-08-01', '不在学期内')])).toEqual(
    ['停课：2026-05-02、2026-10-03', '不在学期内：2026-08-01'],
  )
  expect(skippedWords([])).toEqual([])
})

it('knows weeks and months', () => {
  expect(mondayOf('2026-03-21')).toBe('2026-03-16')
  expect(mondayOf('2026-03-16')).toBe('2026-03-16')
  expect(mondayOf('2026-03-22')).toBe('2026-03-16')
  expect(weekOf('2026-03-01').at(-1)).toBe('2026-03-01')
  const march = monthOf('2026-03-21')
  expect(march.map(([monday]) => monday)).toEqual([
    '2026-02-23',
    '2026-03-02',
    '2026-03-09',
    '2026-03-16',
    '2026-03-23',
    '2026-03-30',
  ])
  expect(addMonths('2026-12-31', 1)).toBe('2027-01-01')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-01')
})

it('puts lessons that overlap into one place of the grid', () => {
  const rows = rowsOf({ periods, entries: [] })
  const placed = (entries: Entry[]) =>
    cellsOf(entries, rows).map(({ from, span, entries }) => [from, span, entries.length])
  expect(placed([entry(5, 8), entry(1, 4), entry(3, 6)])).toEqual([[0, 8, 3]])
  // What follows at once stands by itself.
  expect(placed([entry(5, 8), entry(1, 4)])).toEqual([
    [0, 4, 1],
    [4, 4, 1],
  ])
  expect(cellsOf([], rows)).toEqual([])
})

it('has rows by the time of the day', () => {
  expect(rowsOf({ periods, entries: [entry(1, 4)] }).map(({ no }) => no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  // The fifth lesson of a site that begins in the evening, and the first of one that begins half an hour later.
  const evening = entry(5, 6, '19:00', '20:40')
  const late = entry(1, 2, '08:30', '10:05')
  const rows = rowsOf({ periods, entries: [evening, late] })
  expect(rows.at(-1)).toEqual({ from: '19:00', to: '20:40' })
  expect(rows).toHaveLength(9)
  expect(cellsOf([evening, late], rows).map(({ from, span }) => [from, span])).toEqual([
    [0, 3],
    [8, 1],
  ])
  expect(rowsOf({ periods: [], entries: [] })).toEqual([])
})

it('keeps what lies ahead out of the past', () => {
  const now = new Date('2026-03-20T12:00:00+08:00')
  expect(isBack(entry(1, 4), '2026-03-19', now, '2026-03-20')).toBe(true)
  expect(isBack(entry(1, 4), '2026-03-20', now, '2026-03-20')).toBe(false)
  // What was not held is put right.
  const later = new Date('2026-03-30T12:00:00+08:00')
  expect(isBack(entry(1, 4), '2026-03-19', later, '2026-03-30')).toBe(false)
})

it('names the lesson of a day that is refused', () => {
  const told = { field: 'periods[1].startsAt', message: '不能早于上一节的结束时间' }
  expect(periodRefusal([told, { field: 'periods[2].endsAt', message: '…' }])).toBe('第2节：不能早于上一节的结束时间')
  expect(periodRefusal([{ field: 'siteId', message: '请重新选择' }])).toBe('请重新选择')
  expect(periodRefusal([])).toBeUndefined()
})

it('moves what is published, was not held and takes place', () => {
  const standing = { arrange: 'published', session: 'scheduled', attended: false } as const
  expect(whyFixed(standing)).toBeUndefined()
  expect(whyFixed({ ...standing, attended: true })).toBe('该次课已有考勤记录')
  expect(whyFixed({ ...standing, session: 'cancelled' })).toBe('该次课已取消')
  expect(whyFixed({ ...standing, arrange: 'draft' })).toBe('草稿还未发布，请直接编辑排课')
  expect(whyFixed({ ...standing, arrange: 'cancelled' })).toBe('该排课已取消')
})

it('shows how far the hours of a course are', () => {
  expect(hoursTone({ scheduled: 24, required: 36 })).toBe('warning')
  expect(hoursTone({ scheduled: 36, required: 36 })).toBe('good')
  expect(hoursTone({ scheduled: 60, required: 36 })).toBe('bad')
  const classes = [
    { scheduled: 36, required: 36 },
    { scheduled: 24, required: 36 },
  ]
  expect(leastArranged(classes)?.scheduled).toBe(24)
  expect(leastArranged([])).toBeUndefined()
})

it('asks for a proposal once days and lessons are named', () => {
  const blocks = [{ key: 1, periodFrom: 1, periodTo: 4 }]
  expect(whyNotReady({ weekdays: [], dates: [], blocks })).toBe('请选择可用的星期或日期')
  expect(whyNotReady({ weekdays: [6], dates: [], blocks: [] })).toBe('请填写节次段')
  expect(whyNotReady({ weekdays: [6], dates: [], blocks: [...blocks, { key: 2, periodFrom: 8, periodTo: 5 }] })).toBe(
    '节次段的结束节次不能早于开始节次',
  )
  expect(whyNotReady({ weekdays: [], dates: ['2026-03-21'], blocks })).toBeUndefined()
  expect(blocksOf([...blocks, { key: 2 }])).toEqual([{ periodFrom: 1, periodTo: 4 }])
})

it('knows the same classes in another order, and others', () => {
  const [one, other] = [
    { openingId: 1, classId: 2 },
    { openingId: 3, classId: 4 },
  ]
  expect(areSame([one, other], [other, one])).toBe(true)
  expect(areSame([one], [one, other])).toBe(false)
  expect(areSame([one], [{ openingId: 2, classId: 1 }])).toBe(false)
})
