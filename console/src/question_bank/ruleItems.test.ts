import { expect, it } from 'vitest'
import { firstItems, itemsRefusal, newItem, ruleTotal, sentItems } from './ruleItems'

it('sums what a rule draws, without the errors of binary fractions', () => {
  expect(ruleTotal([])).toEqual({ count: 0, score: 0 })
  expect(
    ruleTotal([
      { count: 3, scoreEach: 0.1 },
      { count: 10, scoreEach: 2.5 },
    ]),
  ).toEqual({ count: 13, score: 25.3 })
})

it('refuses items that make no paper', () => {
  const item = newItem('一、单选题')
  expect(itemsRefusal([], 100)).toBe('至少需要1个抽题项')
  expect(itemsRefusal([item, { ...item, title: ' ' }], undefined)).toBe('请填写第2项的大题标题')
  expect(itemsRefusal([{ ...item, scoreEach: 0 }], undefined)).toBe('请填写第1项的每题分值')
  expect(itemsRefusal([item], 100)).toBe('各项合计20.0分，与目标总分100.0不一致')
  expect(itemsRefusal([item], 20)).toBeUndefined()
})

it('sends items without the place that the server gave them', () => {
  const { sortNo: _place, ...item } = firstItems()[0] ?? { sortNo: 0 }
  expect(sentItems({ name: '期末', items: firstItems() })).toEqual({ name: '期末', items: [item] })
})
