import { expect, test } from 'vitest'
import { htmlOf, isPlain } from './content'

test('lines become paragraphs, signs of markup stay words', () => {
  expect(htmlOf('各位同学：\n\n  A < B & C  ')).toBe('<p>各位同学：</p><p>A &lt; B &amp; C</p>')
})

test('what text cannot hold is not plain', () => {
  expect(isPlain('<p>请缴费</p><p>谢谢</p>')).toBe(true)
  expect(isPlain('<p>请<b>缴费</b></p>')).toBe(false)
  expect(isPlain('<table><tr><td>1</td></tr></table>')).toBe(false)
})
