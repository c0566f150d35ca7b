// @vitest-environment happy-dom
import { Editor } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import { expect, it } from 'vitest'
import { contentNodes } from './contentNodes'

/** What the editor makes of a text. */
const kept = (content: string) => {
  const editor = new Editor({ extensions: [StarterKit, ...contentNodes], content })
  const html = editor.getHTML()
  editor.destroy()
  return html
}

it('keeps pictures by their keys, formulas by their TeX, and tables', () => {
  for (const html of [
    '<p>看图<img data-key="school/1/a.png" alt="图" width="120">回答</p>',
    '<p>求<span data-tex="x^2">x^2</span>的值</p>',
    '<table><tbody><tr><td><p>甲</p></td><td><p>乙</p></td></tr></tbody></table>',
    '<p>货币的职能是____和____。</p>',
  ]) {
    expect(kept(html)).toBe(html)
  }
})

it('keeps no picture of elsewhere, and nothing that runs', () => {
  expect(kept('<p>看<img src="https://example.com/a.png" onerror="x()">图</p>')).toBe('<p>看图</p>')
})
