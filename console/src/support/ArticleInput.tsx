import { useMemo } from 'react'
import { RichText } from '@/kit/RichText'
import type { RichTextParts } from '@/kit/RichTextEditor'
import { ArticleTools } from './ArticleTools'
import { articleNodes } from './articleNodes'
import './support.css'

interface ArticleInputProps {
  value?: string | null
  onChange?: (html: string) => void
  error?: boolean
  id?: string
  'aria-label'?: string
}

/** The text of an article, inside a Field. Its pictures are those of the `MediaOf` around it. */
export const ArticleInput = (text: ArticleInputProps) => {
  const label = text['aria-label'] ?? '正文'
  const also = useMemo<RichTextParts>(
    () => ({
      extensions: articleNodes,
      links: true,
      tools: (editor) => <ArticleTools editor={editor} label={label} />,
    }),
    [label],
  )
  return (
    <div className="article-input">
      <RichText {...text} also={also} />
    </div>
  )
}
