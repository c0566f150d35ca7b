import { expect, it } from 'vitest'
import {
  type Attendance,
  allPresent,
  attendanceOf,
  can,
  countsOf,
  itemsOf,
  points,
  renewed,
  type Score,
  sessionName,
  whyNotYet,
  withChosen,
  withTyped,
} from './instructionRules'

const score = (id: number, performanceScore: number | null, version = 1): Score => ({
  id,
  selectionId: id,
  scoreId: null,
  studentNo: '2600000001',
  name: '张三',
  siteName: '城东站',
  classId: 1,
  className: '一班',
  openingId: 1,
  semesterId: 1,
  semesterName: '2026年春',
  courseCode: 'A1',
  courseName: '管理学',
  requiredSessions: 9,
  attendedCount: 7.5,
  attendanceRate: 83.3,
  attendanceScore: 83.3,
  performanceScore,
  totalScore: 86.1,
  status: 'draft',
  version,
})

const row = (
  selectionId: number,
  result: Attendance['result'],
  status: Attendance['status'] = 'draft',
): Attendance => ({
  selectionId,
  name: '张三',
  className: '一班',
  result,
  status,
  version: result ? 1 : 0,
})

it('writes scores with one decimal', () => {
  expect([points(86.1), points(88), points(null), points(undefined)]).toEqual(['86.1', '88.0', '—', '—'])
})

it('keeps what was typed, and forgets what is as it was', () => {
  const [first, second] = [score(1, 88), score(2, null, 0)]
  const typed = withTyped(withTyped(new Map(), first, 90), second, 75.5)
  expect(itemsOf(typed)).toEqual([
    { selectionId: 1, performanceScore: 90, version: 1 },
    { selectionId: 2, performanceScore: 75.5, version: 0 },
  ])
  expect(itemsOf(withTyped(typed, first, 88)).map(({ selectionId }) => selectionId)).toEqual([2])
  expect(itemsOf(withTyped(typed, second, null)).map(({ selectionId }) => selectionId)).toEqual([1])
  expect(itemsOf(withTyped(new Map(), first, null))).toEqual([{ selectionId: 1, performanceScore: null, version: 1 }])
})

it('goes on under the versions that somebody else left', () => {
  const typed = withTyped(withTyped(new Map(), score(1, 88), 90), score(2, null, 0), 75.5)
  expect(itemsOf(renewed(typed, [score(1, 80, 2)])).map(({ version }) => version)).toEqual([2, 0])
})

it('knows what a state leads to', () => {
  expect(can.submit(score(1, 88))).toBeUndefined()
  expect(can.submit(score(1, null))).toBe('还未录入表现成绩')
  expect(can.submit({ status: 'submitted', performanceScore: 88 })).toBe('只有录入中的可以提交')
  expect([can.edit({ status: 'draft' }), can.confirm({ status: 'submitted' })]).toEqual([undefined, undefined])
  expect(can.edit({ status: 'confirmed' })).toBe('已确认的成绩不能修改')
  expect([can.return({ status: 'submitted' }), can.revoke({ status: 'confirmed' })]).toEqual([undefined, undefined])
  expect(can.revoke({ status: 'submitted' })).toBe('只有已确认的可以撤销')
})

it('registers whom nobody registered as present', () => {
  const rows = [row(1, null), row(2, 'absent'), row(3, null, 'submitted'), row(4, null)]
  const chosen = allPresent(new Map([[4, 'late'] as const]), rows)
  expect(attendanceOf(chosen, rows)).toEqual([
    { selectionId: 1, result: 'present', version: 0 },
    { selectionId: 4, result: 'late', version: 0 },
  ])
  expect([...countsOf(chosen, rows)]).toEqual([
    ['present', 1],
    ['absent', 1],
    [undefined, 1],
    ['late', 1],
  ])
})

it('sends the version that was read', () => {
  const rows = [row(2, 'absent')]
  const chosen = withChosen(new Map(), row(2, 'absent'), 'leave')
  expect(attendanceOf(chosen, rows)).toEqual([{ selectionId: 2, result: 'leave', version: 1 }])
  expect(attendanceOf(withChosen(chosen, row(2, 'absent'), 'absent'), rows)).toEqual([])
})

it('names a session, and waits until it begins', () => {
  const session = {
    id: 1,
    semesterId: 1,
    courseCode: 'A1',
    courseName: '管理学',
    date: '2026-03-21',
    periodFrom: 1,
    periodTo: 4,
    startsAt: '2026-03-21T08:00:00+08:00',
    teacherName: '张三',
    siteName: '城东站',
    classNames: ['一班'],
    students: 45,
    registered: 0,
  }
  expect(sessionName(session)).toBe('管理学 2026-03-21 第1-4节')
  expect(whyNotYet(session, new Date('2026-03-21T07:59:00+08:00'))).toBe('该次课还未开始，不能登记考勤')
  expect(whyNotYet(session, new Date('2026-03-21T08:00:00+08:00'))).toBeUndefined()
})
