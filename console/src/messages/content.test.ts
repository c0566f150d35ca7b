import { expect, test } from 'vitest'
import { htmlOf, isEditable } from './content'

test('lines become paragraphs, signs of markup stay words', () => {
  expect(htmlOf('各位同学：\n\n  A < B & C  ')).toBe('<p>各位同学：</p><p>A &lt; B &amp; C</p>')
})

test('what the editor does not know is told before it is lost', () => {
  expect(isEditable('<p>请<strong>缴费</strong><a href="https://a.cn">看</a></p><ul><li><p>一</p></li></ul>')).toBe(
    true,
  )
  expect(isEditable('<p>请缴费</p><img src="https://a.cn/a.png">')).toBe(false)
  expect(isEditable('<table><tr><td>1</td></tr></table>')).toBe(false)
})
