import { Button, Input, Modal, Space } from '@arco-design/web-react'
import type { Editor } from '@tiptap/react'
import { useRef, useState } from 'react'
import { isWebAddress } from './RichTextView'

interface RichTextLinkProps {
  editor: Editor
  onClose: () => void
}

/** Where the marked words lead; without words marked the address itself becomes the link. */
export const RichTextLink = ({ editor, onClose }: RichTextLinkProps) => {
  const isLink = editor.isActive('link')
  const [address, setAddress] = useState(() => String(editor.getAttributes('link').href ?? ''))
  const [refused, setRefused] = useState(false)
  const inside = useRef<HTMLDivElement>(null)

  const apply = () => {
    const href = address.trim()
    if (!isWebAddress(href)) {
      setRefused(true)
      return
    }
    const chain = editor.chain().focus()
    if (isLink || !editor.state.selection.empty) chain.extendMarkRange('link').setLink({ href }).run()
    else chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    onClose()
  }
  const remove = () => {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    onClose()
  }
  return (
    <Modal
      title="链接"
      visible
      style={{ width: 480 }}
      onCancel={onClose}
      afterOpen={() => inside.current?.querySelector('input')?.focus()}
      footer={
        <Space>
          {isLink && <Button onClick={remove}>移除链接</Button>}
          <Button onClick={onClose}>取消</Button>
          <Button type="primary" onClick={apply}>
            确定
          </Button>
        </Space>
      }
    >
      <div ref={inside}>
        <Input
          aria-label="链接地址"
          placeholder="https://"
          value={address}
          status={refused ? 'error' : undefined}
          onChange={(text) => {
            setAddress(text)
            setRefused(false)
          }}
          onPressEnter={apply}
        />
        <p className="rich-text-refusal" role="alert">
          {refused && '请输入以 http:// 或 https:// 开头的地址'}
        </p>
      </div>
    </Modal>
  )
}
