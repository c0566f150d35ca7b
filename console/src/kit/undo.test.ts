// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { leftAsIs } from './undo'

test('what could not be taken back is told with its reason', () => {
  expect(leftAsIs({ done: 2, failed: [] })).toBeUndefined()
  expect(leftAsIs(true)).toBeUndefined()
  const failed = [
    { id: 7, name: '刘亮', msg: '已存在相同证件号的有效数据，不能恢复' },
    { id: 9, name: '王芳', msg: '数据已恢复' },
  ]
  expect(leftAsIs({ done: 0, failed })).toBe('2条不能撤销：刘亮，已存在相同证件号的有效数据，不能恢复')
})
