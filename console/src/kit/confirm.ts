import { Modal } from '@arco-design/web-react'
import type { ReactNode } from 'react'

interface Question {
  /** Names the object and the effect: 停用“城东大学”？ */
  title: string
  content?: ReactNode
  /** The verb. */
  okText?: string
  danger?: boolean
}

/** Asks before something is done. Answers whether to do it. */
export const confirm = ({ title, content, okText = '确定', danger }: Question) =>
  new Promise<boolean>((resolve) => {
    Modal.confirm({
      title,
      content,
      okText,
      cancelText: '取消',
      okButtonProps: danger ? { status: 'danger' } : undefined,
      maskClosable: false,
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
