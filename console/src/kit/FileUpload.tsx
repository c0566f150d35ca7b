import { Button } from '@arco-design/web-react'
import { IconDelete, IconFile, IconPause, IconPlayArrow, IconRefresh, IconUpload } from '@arco-design/web-react/icon'
import { useRef, useState } from 'react'
import { type Purpose, uploadDirectly } from '@/api/directUpload'
import { tellError } from '@/api/errors'
import { UploadState, type UploadStep } from '@/api/files'
import { useCall, useRequest } from '@/api/schoolContext'
import { ProgressBar } from './ProgressBar'

interface FileUploadProps extends Purpose {
  /** The file's key. */
  value?: string | null
  onChange?: (key: string | null) => void
  /** For example `.pdf,.docx`. */
  accept?: string
  /** Why a file is not taken, before it is sent. */
  refuse?: (file: File) => string | undefined
  /** A file that is sent now. */
  onFile?: (file: File) => void
  disabled?: boolean
  'aria-label'?: string
}

/**
 * One file that goes straight to the store: empty, uploading with progress, or uploaded, when it is replaced or deleted. A
 * large one can be paused, and goes on where it stopped, also when the same file is chosen again after the page was closed.
 */
export const FileUpload = (props: FileUploadProps) => {
  const { value, onChange, accept, refuse, onFile, disabled, type, purpose, ...named } = props
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(null)
  const whole = useRef<HTMLDivElement>(null)
  const call = useCall()
  const request = useRequest()
  const [step, setStep] = useState<UploadStep>()
  const [isPaused, setPaused] = useState(false)
  const [last, setLast] = useState<File>()
  const label = named['aria-label'] ?? '文件'

  const send = async (file: File) => {
    const refusal = refuse?.(file)
    if (refusal) {
      tellError(refusal)
      return
    }
    onFile?.(file)
    const control = new AbortController()
    running.current = control
    // The button is about to go, and the keyboard would go with it.
    if (whole.current?.contains(document.activeElement)) whole.current.focus()
    setLast(file)
    setPaused(false)
    try {
      const stored = await uploadDirectly(file, { type, purpose }, setStep, { call, request }, control.signal)
      setStep(undefined)
      setPaused(false)
      onChange?.(stored.key)
    } catch {
      // The step says why; the person has read it, or paused it themself.
    }
    requestAnimationFrame(() => {
      if (document.activeElement === whole.current) whole.current?.querySelector('button')?.focus()
    })
  }
  const pause = () => {
    running.current?.abort()
    setPaused(true)
  }
  const isUploading = step?.state === UploadState.progress
  const failed = step && !isUploading ? step : undefined
  const choose = () => input.current?.click()

  return (
    <div ref={whole} className="file-upload" tabIndex={-1}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      {isUploading && (
        <>
          <ProgressBar label={`${label}上传进度`} percent={step.percent} />
          {step.note && !isPaused && <span role="status">{step.note}</span>}
          {isPaused && <span role="status">已暂停</span>}
          {step.resumable && !isPaused && (
            <Button size="mini" icon={<IconPause />} onClick={pause}>
              暂停
            </Button>
          )}
          {isPaused && last && (
            <Button size="mini" icon={<IconPlayArrow />} onClick={() => send(last)}>
              继续
            </Button>
          )}
          {isPaused && (
            <Button size="mini" icon={<IconRefresh />} onClick={choose}>
              更换
            </Button>
          )}
        </>
      )}
      {!isUploading && value && (
        <>
          <IconFile />
          <span>{last?.name ?? '已上传'}</span>
          <Button size="mini" icon={<IconRefresh />} disabled={disabled} onClick={choose}>
            更换
          </Button>
          <Button
            size="mini"
            status="danger"
            icon={<IconDelete />}
            disabled={disabled}
            onClick={() => {
              setLast(undefined)
              onChange?.(null)
            }}
          >
            删除
          </Button>
        </>
      )}
      {!isUploading && !value && (
        <Button icon={<IconUpload />} disabled={disabled} onClick={choose}>
          上传{label}
        </Button>
      )}
      {failed && (
        <span role="alert">
          {failed.message}
          {failed.state === UploadState.network && last && (
            <Button type="text" size="mini" onClick={() => send(last)}>
              重试
            </Button>
          )}
        </span>
      )}
    </div>
  )
}
