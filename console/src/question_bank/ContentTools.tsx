import { Button, Input, Modal } from '@arco-design/web-react'
import type { Command } from '@tiptap/pm/state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from '@tiptap/pm/tables'
import { type Editor, useEditorState } from '@tiptap/react'
import { type MouseEvent, useRef, useState } from 'react'
import { uploadDirectly } from '@/api/directUpload'
import { tellError } from '@/api/errors'
import { UploadState } from '@/api/files'
import { useCall, useRequest } from '@/api/schoolContext'
import { useMedia } from '@/kit/media'
import { Formula } from './Formula'
import { BLANK } from './questionRules'

const PICTURES = '.png,.jpg,.jpeg,.gif'
const MOST_BYTES = 20 * 1024 * 1024
const MOST_TEX = 500

/** Rows and columns of a new table. */
const SIDE = 2

const cells = () => Array.from({ length: SIDE }, () => ({ type: 'tableCell', content: [{ type: 'paragraph' }] }))
const newTable = () => ({
  type: 'table',
  content: Array.from({ length: SIDE }, () => ({ type: 'tableRow', content: cells() })),
})

const FormulaDialog = ({ editor, onClose }: { editor: Editor; onClose: () => void }) => {
  const [tex, setTex] = useState(() =>
    editor.isActive('formula') ? String(editor.getAttributes('formula').tex ?? '') : '',
  )
  const inside = useRef<HTMLDivElement>(null)
  const apply = () => {
    if (!tex.trim()) return
    editor
      .chain()
      .focus()
      .insertContent({ type: 'formula', attrs: { tex: tex.trim() } })
      .run()
    onClose()
  }
  return (
    <Modal
      title="公式"
      visible
      style={{ width: 520 }}
      okText="插入"
      okButtonProps={{ disabled: !tex.trim() }}
      onOk={apply}
      onCancel={onClose}
      afterOpen={() => inside.current?.querySelector('input')?.focus()}
    >
      <div ref={inside}>
        <Input
          aria-label="公式（TeX）"
          placeholder="例如 \frac{a}{b}、x^2、\sqrt{2}"
          maxLength={MOST_TEX}
          value={tex}
          onChange={setTex}
          onPressEnter={apply}
        />
        <p className="formula-preview" role="status" aria-label="公式预览">
          {tex.trim() ? <Formula tex={tex} /> : '输入后在此预览'}
        </p>
      </div>
    </Modal>
  )
}

interface ContentToolsProps {
  editor: Editor
  /** What the text is called. */
  label: string
  /** Blanks can be put in. */
  blanks?: boolean
}

/** What is put into the text of a question: a picture, a formula, a table, a blank to be filled. */
export const ContentTools = ({ editor, label, blanks = false }: ContentToolsProps) => {
  const call = useCall()
  const request = useRequest()
  const { add } = useMedia()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState<number>()
  const [asking, setAsking] = useState(false)
  const inTable = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('table') })
  const inside = (command: Command) => command(editor.state, editor.view.dispatch)

  const send = async (file: File) => {
    if (file.size > MOST_BYTES) {
      tellError('图片不能超过20MB')
      return
    }
    try {
      const stored = await uploadDirectly(
        file,
        { type: 3 },
        (step) => setPercent(step.state === UploadState.progress ? step.percent : undefined),
        { call, request },
      )
      add(stored.key, URL.createObjectURL(file))
      const alt = file.name.replace(/\.[^.]*$/, '')
      editor
        .chain()
        .focus()
        .insertContent({ type: 'picture', attrs: { key: stored.key, alt } })
        .run()
    } catch {
      // What failed was shown.
    }
    setPercent(undefined)
  }
  const tool = (words: string, run: () => void, disabled = false) => (
    <Button
      key={words}
      size="mini"
      type="text"
      disabled={disabled}
      // The text keeps the focus and what is marked in it.
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      onClick={run}
    >
      {words}
    </Button>
  )
  return (
    <div className="rich-text-tools" role="toolbar" tabIndex={-1} aria-label={`${label}的插入`}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label}的图片`}
        accept={PICTURES}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      {tool(percent === undefined ? '图片' : `上传中 ${percent}%`, () => input.current?.click(), percent !== undefined)}
      {tool('公式', () => setAsking(true))}
      {blanks && tool('填空', () => editor.chain().focus().insertContent(BLANK).run())}
      {inTable
        ? [
            tool('加行', () => inside(addRowAfter)),
            tool('加列', () => inside(addColumnAfter)),
            tool('删行', () => inside(deleteRow)),
            tool('删列', () => inside(deleteColumn)),
            tool('删除表格', () => inside(deleteTable)),
          ]
        : tool('表格', () => editor.chain().focus().insertContent(newTable()).run())}
      {asking && <FormulaDialog editor={editor} onClose={() => setAsking(false)} />}
    </div>
  )
}
