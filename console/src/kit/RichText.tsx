import { Skeleton } from '@arco-design/web-react'
import { lazy, Suspense } from 'react'
import type { RichTextProps } from './RichTextEditor'
import './RichText.css'

/** The editor is heavy and comes when it is first needed. */
const Editor = lazy(async () => ({ default: (await import('./RichTextEditor')).RichTextEditor }))

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
