import { useMemo } from 'react'
import { RichText } from '@/kit/RichText'
import type { RichTextParts } from '@/kit/RichTextEditor'
import { ContentTools } from './ContentTools'
import { contentNodes } from './contentNodes'
import './questionBank.css'

interface ContentInputProps {
  value?: string | null
  onChange?: (html: string) => void
  /** How many characters it may have. */
  most?: number
  /** Blanks can be put in. */
  blanks?: boolean
  /** A line or two, such as an option: its tools show while one types. */
  compact?: boolean
  error?: boolean
  disabled?: boolean
  id?: string
  'aria-label'?: string
}

/** A text of a question, inside a Field or by itself. */
export const ContentInput = ({ blanks, compact, ...text }: ContentInputProps) => {
  const label = text['aria-label'] ?? '正文'
  const also = useMemo<RichTextParts>(
    () => ({
      extensions: contentNodes,
      tools: (editor) => <ContentTools editor={editor} label={label} blanks={blanks} />,
    }),
    [label, blanks],
  )
  return (
    <div className={compact ? 'content-input content-compact' : 'content-input'}>
      <RichText {...text} also={also} />
    </div>
  )
}
