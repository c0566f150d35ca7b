import { Button } from '@arco-design/web-react'
import { type Editor, useEditorState } from '@tiptap/react'
import { type MouseEvent, useRef, useState } from 'react'
import { tellError } from '@/api/errors'
import { UploadState, upload } from '@/api/files'
import { uploadPicture } from '@/api/infra'
import { useNamed } from '@/api/schoolContext'
import { useMedia } from '@/kit/media'
import { pictureRefusal } from '@/kit/picture'

const levels = [
  { level: 2, words: '标题' },
  { level: 3, words: '小标题' },
] as const

/** What is put into the text of an article: headings and pictures. */
export const ArticleTools = ({ editor, label }: { editor: Editor; label: string }) => {
  const { add } = useMedia()
  const named = useNamed()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState<number>()
  const at = useEditorState({
    editor,
    selector: ({ editor: now }) => levels.find(({ level }) => now.isActive('heading', { level }))?.level,
  })

  const send = async (file: File) => {
    const refusal = pictureRefusal(file)
    if (refusal) {
      tellError(refusal)
      return
    }
    const form = new FormData()
    form.set('picFile', file)
    try {
      const { key, url } = await upload(
        uploadPicture,
        form,
        (step) => setPercent(step.state === UploadState.progress ? step.percent : undefined),
        named(uploadPicture).query,
      )
      add(key, url)
      const alt = file.name.replace(/\.[^.]*$/, '')
      editor.chain().focus().insertContent({ type: 'picture', attrs: { key, alt } }).run()
    } catch {
      // What failed was shown.
    }
    setPercent(undefined)
  }
  // The text keeps the focus and what is marked in it.
  const stay = (event: MouseEvent) => event.preventDefault()
  return (
    <div className="rich-text-tools" role="toolbar" tabIndex={-1} aria-label={`${label}的插入`}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label}的图片`}
        accept="image/jpeg,image/png,image/gif"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      {levels.map(({ level, words }) => (
        <Button
          key={level}
          size="mini"
          type={at === level ? 'secondary' : 'text'}
          aria-pressed={at === level}
          onMouseDown={stay}
          onClick={() => editor.chain().focus().toggleNode('heading', 'paragraph', { level }).run()}
        >
          {words}
        </Button>
      ))}
      <Button
        size="mini"
        type="text"
        disabled={percent !== undefined}
        onMouseDown={stay}
        onClick={() => input.current?.click()}
      >
        {percent === undefined ? '图片' : `上传中 ${percent}%`}
      </Button>
    </div>
  )
}
