import Subscript from '@tiptap/extension-subscript'
import Superscript from '@tiptap/extension-superscript'
import { type Editor, EditorContent, type Extensions, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { type ReactNode, useEffect, useRef } from 'react'
import { RichTextTools } from './RichTextTools'
import { isWebAddress } from './RichTextView'

/** What a text can hold in place of links, or beside them, where the server keeps it: pictures, formulas, tables, headings. */
export interface RichTextParts {
  extensions: Extensions
  /** Links stay. */
  links?: boolean
  /** The tools that put it in. */
  tools: (editor: Editor) => ReactNode
}

export interface RichTextProps {
  /** Clean HTML, as the server gave it. */
  value?: string | null
  /** Nothing written is an empty text. */
  onChange?: (html: string) => void
  /** How many characters it may have, marks not counted. */
  most?: number
  disabled?: boolean
  also?: RichTextParts
  error?: boolean
  id?: string
  'aria-label'?: string
}

/** What a text can hold: the tags that the server keeps. What is pasted loses everything else here already. */
const kept = (links: boolean): Extensions => [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    gapcursor: false,
    heading: false,
    horizontalRule: false,
    strike: false,
    // It would add a paragraph that nobody wrote behind a list.
    trailingNode: false,
    link: links && { openOnClick: false, defaultProtocol: 'https', isAllowedUri: isWebAddress },
  }),
  Subscript,
  Superscript,
]

const plain = kept(true)
const withoutLinks = kept(false)

/** Characters as the server counts them: a line for each paragraph that has words. */
const lengthOf = (editor: Editor) => {
  const lines = editor
    .getText({ blockSeparator: '\n' })
    .split('\n')
    .map((line) => line.trim())
  return [...lines.filter(Boolean).join('\n')].length
}

const Count = ({ editor, most }: { editor: Editor; most: number }) => {
  const count = useEditorState({
    editor,
    selector: ({ editor: now }) => lengthOf(now),
  })
  return (
    <p className={count > most ? 'rich-text-count rich-text-over' : 'rich-text-count'}>
      {count}/{most}
    </p>
  )
}

/** The editor itself, in a chunk of its own; screens take `RichText`. */
export const RichTextEditor = (props: RichTextProps) => {
  const { value, onChange, most, disabled = false, also, error, id, ...labelled } = props
  const label = labelled['aria-label'] ?? '正文'
  const html = value ?? ''
  // What the editor holds, so that only a text from outside is put in again.
  const held = useRef(html)
  const editor = useEditor({
    extensions: also ? [...(also.links ? plain : withoutLinks), ...also.extensions] : plain,
    content: html,
    editable: !disabled,
    immediatelyRender: false,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: 'rich-text-view',
        role: 'textbox',
        tabindex: '0',
        'aria-label': label,
        'aria-multiline': 'true',
        'aria-invalid': String(error === true),
        'aria-readonly': String(disabled),
      },
    },
    onUpdate: ({ editor: now }) => {
      held.current = now.isEmpty ? '' : now.getHTML()
      onChange?.(held.current)
    },
  })
  useEffect(() => {
    editor?.setEditable(!disabled, false)
  }, [editor, disabled])
  useEffect(() => {
    if (!editor || held.current === html) return
    held.current = html
    editor.commands.setContent(html, { emitUpdate: false })
  }, [editor, html])

  return (
    <div id={id} className={error ? 'rich-text rich-text-wrong' : 'rich-text'}>
      {editor && !disabled && <RichTextTools editor={editor} label={label} more={also?.tools(editor)} />}
      <EditorContent editor={editor} />
      {editor && most !== undefined && <Count editor={editor} most={most} />}
    </div>
  )
}
