import { Alert, Button, Modal } from '@arco-design/web-react'
import { IconCopy } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { tellSuccess, tellWarning } from '@/api/errors'
import { copyText } from '@/kit/copyText'

interface ShownOnceProps {
  title: string
  /** What happens when it is closed unread, and what it is for. */
  warning: string
  content: string
  /** What the button copies, and what it is called: 令牌. */
  text: string
  name: string
  width?: number
  onClose: () => void
  children: ReactNode
}

/** A secret that the server shows this once: the dialog closes by its button alone. */
export const ShownOnce = ({ title, warning, content, text, name, width = 480, onClose, children }: ShownOnceProps) => {
  const copy = async () => {
    if (await copyText(text)) tellSuccess(`已复制${name}`)
    else tellWarning('浏览器不允许复制，请手工选择后复制')
  }
  return (
    <Modal
      title={title}
      style={{ width }}
      visible
      closable={false}
      escToExit={false}
      maskClosable={false}
      footer={
        <>
          <Button icon={<IconCopy />} onClick={copy}>
            复制
          </Button>
          <Button type="primary" onClick={onClose}>
            我已保存
          </Button>
        </>
      }
    >
      <Alert className="form-lead" type="warning" title={warning} content={content} />
      {children}
    </Modal>
  )
}
