// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { isWebAddress, RichTextView } from './RichTextView'

const shown = (html: string) =>
  renderToStaticMarkup(<RichTextView html={html} />).replace(/^<div class="rich-text-view">(.*)<\/div>$/, '$1')

it('shows what the server keeps', () => {
  const kept = '<p>本课<strong>重点</strong>：x<sup>2</sup></p><ul><li><p>极限</p></li></ul>'
  expect(shown(kept)).toBe(kept)
  expect(shown('<ol start="3"><li>导数</li></ol>')).toBe('<ol start="3"><li>导数</li></ol>')
  expect(shown('<p>A &lt; B</p>')).toBe('<p>A &lt; B</p>')
})

it('shows nothing else, though it came', () => {
  expect(shown('<p onclick="x()" style="color:red">请看<script>x()</script><img src="x" onerror="x()"></p>')).toBe(
    '<p>请看</p>',
  )
  expect(shown('<a href="javascript:x()">看</a>')).toBe('看')
})

it('leads to the web only, in a tab of its own', () => {
  expect(shown('<a href="https://example.com/a">看</a>')).toContain('target="_blank"')
  expect(['https://example.com', 'HTTP://example.com/大纲'].map(isWebAddress)).toEqual([true, true])
  expect(['', 'example.com', 'javascript:alert(1)', 'https://', 'ftp://example.com'].some(isWebAddress)).toBe(false)
})
