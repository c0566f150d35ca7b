import {
  IconBold,
  IconEraser,
  IconItalic,
  IconLink,
  IconOrderedList,
  IconRedo,
  IconUnderline,
  IconUndo,
  IconUnorderedList,
} from '@arco-design/web-react/icon'
import { type Editor, useEditorState } from '@tiptap/react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { RichTextLink } from './RichTextLink'

interface Tool {
  label: string
  /** The keys that do the same in the text. */
  keys?: string
  icon: ReactNode
  /** The mark or the list that it switches on and off. */
  of?: string
  can?: (editor: Editor) => boolean
  run: (editor: Editor, askLink: () => void) => void
}

const at = (editor: Editor) => editor.chain().focus()

const known: readonly Tool[] = [
  { label: '加粗', keys: 'Ctrl+B', icon: <IconBold />, of: 'bold', run: (editor) => at(editor).toggleBold().run() },
  {
    label: '斜体',
    keys: 'Ctrl+I',
    icon: <IconItalic />,
    of: 'italic',
    run: (editor) => at(editor).toggleItalic().run(),
  },
  {
    label: '下划线',
    keys: 'Ctrl+U',
    icon: <IconUnderline />,
    of: 'underline',
    run: (editor) => at(editor).toggleUnderline().run(),
  },
  {
    label: '下标',
    keys: 'Ctrl+,',
    icon: (
      <span>
        x<sub>2</sub>
      </span>
    ),
    of: 'subscript',
    run: (editor) => at(editor).toggleSubscript().run(),
  },
  {
    label: '上标',
    keys: 'Ctrl+.',
    icon: (
      <span>
        x<sup>2</sup>
      </span>
    ),
    of: 'superscript',
    run: (editor) => at(editor).toggleSuperscript().run(),
  },
  {
    label: '项目符号',
    keys: 'Ctrl+Shift+8',
    icon: <IconUnorderedList />,
    of: 'bulletList',
    run: (editor) => at(editor).toggleBulletList().run(),
  },
  {
    label: '编号',
    keys: 'Ctrl+Shift+7',
    icon: <IconOrderedList />,
    of: 'orderedList',
    run: (editor) => at(editor).toggleOrderedList().run(),
  },
  { label: '链接', icon: <IconLink />, of: 'link', run: (_, askLink) => askLink() },
  { label: '清除格式', icon: <IconEraser />, run: (editor) => at(editor).unsetAllMarks().clearNodes().run() },
  {
    label: '撤销',
    keys: 'Ctrl+Z',
    icon: <IconUndo />,
    can: (editor) => editor.can().undo(),
    run: (editor) => at(editor).undo().run(),
  },
  {
    label: '重做',
    keys: 'Ctrl+Y',
    icon: <IconRedo />,
    can: (editor) => editor.can().redo(),
    run: (editor) => at(editor).redo().run(),
  },
]

interface RichTextToolsProps {
  editor: Editor
  /** What the text is called. */
  label: string
  /** Tools for what this text can hold besides. */
  more?: ReactNode
}

/** The buttons above a text: one stop of the Tab key, ← and → go through them. */
export const RichTextTools = ({ editor, label, more }: RichTextToolsProps) => {
  // What the text cannot hold has no tool.
  const { marks, nodes } = editor.schema
  const tools = known.filter(({ of }) => of === undefined || of in marks || of in nodes)
  const [here, setHere] = useState(0)
  const [asking, setAsking] = useState(false)
  const standing = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      tools.map(({ of, can }) => ({
        on: of === undefined ? undefined : now.isActive(of),
        off: can ? !can(now) : false,
      })),
  })
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    const places: Record<string, number> = {
      ArrowRight: here + 1,
      ArrowLeft: here - 1,
      Home: 0,
      End: tools.length - 1,
    }
    const wanted = places[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    const buttons = event.currentTarget.parentElement?.querySelectorAll('button')
    buttons?.[(wanted + tools.length) % tools.length]?.focus()
  }
  return (
    <>
      <div className="rich-text-tools" role="toolbar" tabIndex={-1} aria-label={`${label}的格式`}>
        {tools.map((tool, place) => {
          const { on, off } = standing[place] ?? { on: undefined, off: false }
          return (
            <button
              key={tool.label}
              type="button"
              className="rich-text-tool"
              aria-label={tool.label}
              aria-pressed={on}
              aria-disabled={off}
              title={tool.keys ? `${tool.label}（${tool.keys}）` : tool.label}
              tabIndex={place === here ? undefined : -1}
              onFocus={() => setHere(place)}
              onKeyDown={move}
              // The text keeps the focus and what is marked in it.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                if (!off) tool.run(editor, () => setAsking(true))
              }}
            >
              {tool.icon}
            </button>
          )
        })}
      </div>
      {more}
      {asking && <RichTextLink editor={editor} onClose={() => setAsking(false)} />}
    </>
  )
}
