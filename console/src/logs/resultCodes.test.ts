import { expect, it } from 'vitest'
import { codes, codeWords, isDone } from './resultCodes'

it('a code is told with its word, an unknown one alone', () => {
  expect(codeWords(422)).toBe('422 填写有误')
  expect(codeWords(303)).toBe('303')
  expect(codes).toContainEqual({ value: '200', label: '200 成功' })
  expect([200, 409].map(isDone)).toEqual([true, false])
})
