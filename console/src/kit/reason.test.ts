import { expect, it } from 'vitest'
import { reasonRefusal } from './reason'

it('wants a reason that is one', () => {
  const usual = { least: 2, optional: false }
  expect(reasonRefusal(undefined, '原因', usual)).toBe('请填写原因')
  expect(reasonRefusal('  ', '意见', usual)).toBe('请填写意见')
  expect(reasonRefusal(' 错 ', '原因', usual)).toBe('原因至少2个字符')
  expect(reasonRefusal('录错', '原因', usual)).toBeUndefined()
  expect(reasonRefusal('录错', '原因', { least: 5, optional: false })).toBe('原因至少5个字符')
})

it('takes nothing where it may be left out, but no half of a word', () => {
  const free = { least: 2, optional: true }
  expect(reasonRefusal('', '意见', free)).toBeUndefined()
  expect(reasonRefusal('好', '意见', free)).toBe('意见至少2个字符')
})
