// @vitest-environment happy-dom
import { Editor } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import { expect, it } from 'vitest'
import { articleNodes } from './articleNodes'

/** What the editor makes of a text. */
const kept = (content: string) => {
  const editor = new Editor({ extensions: [StarterKit.configure({ heading: false }), ...articleNodes], content })
  const html = editor.getHTML()
  editor.destroy()
  return html
}

it('keeps headings and pictures by their keys', () => {
  for (const html of [
    '<h2>如何缴费</h2><p>请登录</p><h3>网上</h3>',
    '<p>看图<img data-key="public/platform/202611/a.png" alt="步骤" width="120">办理</p>',
  ]) {
    expect(kept(html)).toBe(html)
  }
})

it('makes the biggest heading smaller, and keeps no picture of elsewhere', () => {
  expect(kept('<h1>大标题</h1>')).toBe('<h2>大标题</h2>')
  expect(kept('<p>看<img src="https://example.com/a.png" onerror="x()">图</p>')).toBe('<p>看图</p>')
})
