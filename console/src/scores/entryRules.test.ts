import { expect, it } from 'vitest'
import { entriesOf, missing, nextRow, type Row, read, refusalOf, textOf, without, withText } from './entryRules'

const row = (id: number, more: Partial<Row> = {}): Row => ({
  id,
  courseScoreId: id,
  studentId: id,
  studentNo: `26${id}`,
  name: `学生${id}`,
  round: 'first',
  excluded: false,
  paperTotal: 100,
  markFixed: false,
  text: '',
  version: 1,
  ...more,
})

it('reads a score, an absence, or nothing', () => {
  expect(read('83.5', 100)).toEqual({ raw: 83.5, mark: null })
  expect(read(' 缺考 ', 100)).toEqual({ raw: null, mark: 'absent' })
  expect(read('q', 100)).toEqual({ raw: null, mark: 'absent' })
  expect(read('', 100)).toEqual({ raw: null, mark: null })
  for (const text of ['101', '-1', '83.55', '作弊', '8e1']) expect(read(text, 100)).toBeUndefined()
  expect(read('120', 150)).toEqual({ raw: 120, mark: null })
  expect(refusalOf('101', 100)).toBe('请输入0到100之间的数字，最多一位小数，或“缺考”')
})

it('goes on to the next row in which one may type', () => {
  const rows = [row(1), row(2, { markFixed: true }), row(3, { excluded: true }), row(4)]
  expect(nextRow(rows, 1, 1)).toBe(4)
  expect(nextRow(rows, 4, -1)).toBe(1)
  expect(nextRow(rows, 4, 1)).toBeUndefined()
})

it('keeps what was typed until it is saved', () => {
  const one = row(1, { raw: 70 })
  const typed = withText(new Map(), one, '75')
  expect(typed.get(1)).toBe('75')
  expect(withText(typed, one, '70').size).toBe(0)
  expect(textOf(row(2, { mark: 'absent' }))).toBe('缺考')
  expect(entriesOf(typed, [one])).toEqual([{ rowId: 1, version: 1, raw: 75, mark: null }])
  expect(entriesOf(new Map([[1, '750']]), [one])).toEqual([])
  expect(without(typed, typed, new Set()).size).toBe(0)
  expect(without(typed, typed, new Set([1])).size).toBe(1)
  expect(without(new Map([[1, '76']]), typed, new Set()).get(1)).toBe('76')
})

it('says who has no score yet', () => {
  const rows = [row(1, { raw: 0 }), row(2), row(3, { mark: 'absent' }), row(4, { excluded: true })]
  expect(missing(rows).map(({ id }) => id)).toEqual([2])
})
