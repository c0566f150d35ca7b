// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { goingBack, stateOf, undoWords } from './ImportRuns'

const until = '2026-06-30T09:05:00+08:00'

test('an import tells what can still be done with it', () => {
  const words = (records: number, undone: number) => stateOf({ records, undone, until })
  expect(words(1200, 0)).toEqual(['good', '可撤销至2026-06-30 09:05'])
  expect(words(1200, 1200)).toEqual(['quiet', '已撤销'])
  expect(words(2400, 1200)).toEqual(['warning', '部分撤销，1,200条保留'])
  expect(words(0, 0)).toEqual(['quiet', '没有写入记录'])
})

test('the button says how many go back, while those that stay can be counted', () => {
  expect(undoWords(goingBack(1300, 0))).toBe('撤销1,300条')
  expect(undoWords(goingBack(1300, 999))).toBe('撤销301条')
  expect(undoWords(goingBack(1300, 1000))).toBe('撤销其余记录')
})
