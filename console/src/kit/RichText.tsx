import { Skeleton } from '@arco-design/web-react'
import { lazy, Suspense } from 'react'
import './RichText.css'

/** The editor is heavy and comes when it is first needed. */
const Editor = lazy(async () => ({ default: (await import('./RichTextEditor')).RichTextEditor }))

export interface RichTextProps {
  /** Clean HTML, as the server gave it. */
  value?: string | null
  /** Nothing written is an empty text. */
  onChange?: (html: string) => void
  /** How many characters it may have, marks not counted. */
  most?: number
  disabled?: boolean
  error?: boolean
  id?: string
  'aria-label'?: string
}

/** A text with marks, lists and links, inside a Field. What it can hold is what the server keeps (`RichText`). */
export const RichText = (props: RichTextProps) => (
  <Suspense
    fallback={
      <div className="rich-text">
        <Skeleton text={{ rows: 4 }} animation />
      </div>
    }
  >
    <Editor {...props} />
  </Suspense>
)
