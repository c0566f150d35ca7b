import { expect, it } from 'vitest'
import {
  batchWords,
  binsWithin,
  bodyOf,
  can,
  chosenOf,
  isOpen,
  newHomework,
  seqsIn,
  sheetsOf,
  withClass,
  withOpening,
  withSheets,
} from './homeworkRules'

const opening = { id: 7, classes: [{ classId: 1 }, { classId: 2 }, { classId: 3 }] }

it('means an opening as a whole, in part, or not', () => {
  const whole = withOpening([{ openingId: 9, classId: 4 }], opening, true)
  expect(whole).toEqual([{ openingId: 9, classId: 4 }, { openingId: 7 }])
  expect(chosenOf(whole, opening)).toBe('whole')
  const part = withClass(whole, opening, 2, false)
  expect(part.filter(({ openingId }) => openingId === 7).map(({ classId }) => classId)).toEqual([1, 3])
  expect(chosenOf(part, opening)).toBe('part')
  expect(chosenOf(withOpening(part, opening, false), opening)).toBe('none')
  expect(withClass([], opening, 2, true)).toEqual([{ openingId: 7, classId: 2 }])
})

it('sends of each kind what it has', () => {
  const begun = newHomework(new Date('2026-10-01T00:00:00Z'))
  expect(begun.endsAt).toBe('2026-10-15T00:00:00.000Z')
  const typed = { ...begun, paperIds: [3], ruleId: 5, instruction: '<p>写一篇</p>', totalScore: 50, chapterId: 2 }
  expect(bodyOf(typed)).toMatchObject({
    paperIds: [3],
    ruleId: null,
    instruction: null,
    totalScore: null,
    chapterId: null,
  })
  expect(bodyOf({ ...typed, paperMode: 'random_rule' })).toMatchObject({ paperIds: [], ruleId: 5 })
  expect(bodyOf({ ...typed, kind: 'upload' })).toMatchObject({ paperMode: null, paperIds: [], totalScore: 50 })
})

it('offers the steps of each state', () => {
  expect(can.publish({ status: 'withdrawn' })).toBeUndefined()
  expect(can.follow({ status: 'draft' })).toBe('作业还没有发布')
  expect(can.remove({ status: 'published' })).toBe('只有草稿和已撤回的可以删除')
  expect(can.giveBack({ state: 'marked', sheetId: 3 })).toBeUndefined()
  expect(can.giveBack({ state: 'marked', sheetId: null })).toBe('没有可退回的答卷')
  expect([isOpen(undefined), isOpen('withdrawn'), isOpen('published')]).toEqual([true, true, false])
})

it('finds whose a sheet is, which has a number of its own', () => {
  const works = [
    { id: 5, sheetId: 7 },
    { id: 7, sheetId: 9 },
    { id: 9, sheetId: null },
  ]
  expect(sheetsOf(works)).toEqual([7, 9])
  expect(withSheets(works, [{ id: 7 }])).toEqual([{ id: 5, sheetId: 7 }])
})

it('counts scores within what the list is asked for', () => {
  expect(binsWithin({})).toHaveLength(5)
  expect(binsWithin({ scoreFrom: 75 }).map(({ scoreFrom, scoreTo }) => [scoreFrom, scoreTo])).toEqual([
    [75, 79.9],
    [80, 89.9],
    [90, 100],
  ])
  expect(binsWithin({ scoreTo: 59 }).map(({ name, scoreTo }) => [name, scoreTo])).toEqual([['60分以下', 59]])
})

it('reads numbers of questions', () => {
  expect(seqsIn('3、7.2, 8')).toEqual(['3', '7.2', '8'])
})

it('tells what became of a batch', () => {
  const row = { courseId: 1, courseName: '会计学', studentCount: 3 }
  const told = { created: 0, ready: 1, rows: [row, { ...row, courseId: 2, message: '没有可用的试卷或组卷策略' }] }
  expect(batchWords(told, true)).toBe('1门课程可以布置，1门有问题')
  expect(batchWords({ ...told, created: 1 }, false)).toBe('已布置1门课程，1门未布置')
})
