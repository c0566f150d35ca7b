import { Button } from '@arco-design/web-react'
import { IconCheck, IconCopy } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { copyText } from './copyText'

const THANKS_MS = 1500

/** Copies a value that stands beside it. */
export const CopyButton = ({ label, value }: { label: string; value: string }) => {
  const [copied, setCopied] = useState(false)
  return (
    <Button
      type="text"
      size="mini"
      icon={copied ? <IconCheck /> : <IconCopy />}
      aria-label={copied ? `已复制${label}` : `复制${label}`}
      title={copied ? '已复制' : `复制${label}`}
      onClick={async (event) => {
        event.stopPropagation()
        if (!(await copyText(value))) return
        setCopied(true)
        setTimeout(() => setCopied(false), THANKS_MS)
      }}
    />
  )
}
