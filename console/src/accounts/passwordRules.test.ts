import { expect, test } from 'vitest'
import { passwordRefusal } from './passwordRules'

test('a password that the server would refuse is told while it is typed', () => {
  expect(passwordRefusal('abc')).toBe('密码为8至32位')
  expect(passwordRefusal('abcdefgh')).toBe('密码至少包含大写字母、小写字母、数字、特殊符号中的三类')
  expect(passwordRefusal('Abcd 2026')).toBe('密码不能含空格')
  expect(passwordRefusal('Beihu@2026')).toBeUndefined()
  expect(passwordRefusal('beihu@2026')).toBeUndefined()
})
