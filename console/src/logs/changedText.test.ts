// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { changedText } from './changedText'

it('tells the words of a rich text', () => {
  expect(changedText('<p>本课<strong>重点</strong>：x<sup>2</sup></p><ul><li><p>极限</p></li><li>导数</li></ul>')).toBe(
    '本课重点：x2 极限 导数',
  )
  expect(changedText('<p>A &lt; B<br>见<a href="https://example.com">附件</a></p>')).toBe('A < B 见附件')
  expect(changedText('<p onclick="x()">请看</p><p>')).toBe('请看')
})

it('leaves everything else as it is', () => {
  expect(changedText('A < B，<重点>')).toBe('A < B，<重点>')
  expect(changedText('<pending>')).toBe('<pending>')
  expect([changedText(null), changedText(undefined), changedText('')]).toEqual(['—', '—', ''])
})
