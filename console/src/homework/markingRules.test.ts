import { expect, it } from 'vitest'
import {
  type Item,
  isDone,
  isMine,
  linesIn,
  type Mark,
  marksOf,
  nextOf,
  nextSheet,
  piecesOf,
  placesIn,
  quickScores,
  scoreRefusal,
  standing,
  totalOf,
} from './markingRules'

const item = (itemId: number, more: Partial<Item> = {}): Item => ({
  itemId,
  snapshotQuestionId: itemId,
  seq: String(itemId),
  sectionTitle: '简答题',
  type: 'short_answer',
  stem: '<p>题干</p>',
  options: [],
  fullScore: 5,
  files: [],
  markState: 'pending',
  annotations: [],
  ofAnother: false,
  ...more,
})
const mark = (score: number | null): Mark => ({ score, comment: '', annotations: [] })
const items = [item(1, { markState: 'auto', score: 2 }), item(2), item(3), item(4, { ofAnother: true, score: 1 })]

it('goes through one question of all sheets, past those that somebody has open or that were seen', () => {
  expect(isDone(items, new Map([[2, mark(4.5)]]))).toBe(false)
  expect(
    isDone(
      items,
      new Map([
        [2, mark(4.5)],
        [3, mark(0)],
      ]),
    ),
  ).toBe(true)
  const queue = [{ id: 7 }, { id: 8, lockedByName: '周明' }, { id: 9 }]
  expect(nextSheet(queue, new Set([7]))).toBe(9)
  expect(nextSheet(queue, new Set([7, 9]))).toBeUndefined()
})

it('shows what waits for a mark, and what the machine or another marks', () => {
  expect(items.map(isMine)).toEqual([false, true, true, false])
  const given = new Map([[2, mark(4.5)]])
  expect(items.map((each) => standing(each, given))).toEqual(['auto', 'marked', 'pending', 'auto'])
  expect(nextOf(items, given, 1)).toBe(2)
  expect(nextOf(items, new Map([...given, [3, mark(5)]]), 1)).toBe(2)
  expect(nextOf(items, new Map(), 3)).toBe(1)
  expect(totalOf(items, given)).toBe(7.5)
})

it('sends what changed', () => {
  const given = new Map([
    [2, mark(4.5)],
    [3, mark(null)],
  ])
  expect(marksOf({ sheetId: 9, items }, 3, given)).toEqual({
    sheetId: 9,
    version: 3,
    items: [{ itemId: 2, score: 4.5, comment: null, annotations: [] }],
  })
})

it('takes scores up to the full one', () => {
  expect(scoreRefusal(item(3), 5.5)).toBe('第3题得分应在0–5.0之间')
  expect(scoreRefusal(item(3), 5)).toBeUndefined()
  expect(quickScores(5, 0.5)).toEqual([0, 2.5, 5])
  expect(quickScores(5, 1)).toEqual([0, 3, 5])
})

it('counts in the words of an answer', () => {
  expect(linesIn('<p>价值&lt;尺度</p><p>流通&nbsp;手段</p>')).toBe('价值<尺度\n流通 手段')
  expect(piecesOf('价值尺度', [{ from: 1, to: 3 }])).toEqual([
    { text: '价', from: 0, within: [] },
    { text: '值尺', from: 1, within: [0] },
    { text: '度', from: 3, within: [] },
  ])
  expect(piecesOf('', [])).toEqual([])
  expect(placesIn('𠮷价值', [1, 3])).toEqual({ from: 2, to: 4 })
})
