import { Button, Progress } from '@arco-design/web-react'
import { IconDelete, IconPlus, IconRefresh } from '@arco-design/web-react/icon'
import { useRef, useState } from 'react'
import { tellError } from '@/api/errors'
import { UploadState, type UploadStep, upload } from '@/api/files'
import { uploadPicture } from '@/api/infra'
import { useNamed } from '@/api/schoolContext'
import { pictureRefusal } from './picture'

interface PictureUploadProps {
  value?: string | null
  onChange?: (url: string | null) => void
  width?: number
  height?: number
  'aria-label'?: string
}

/** One picture: empty, uploading with progress, or uploaded, when it can be replaced and deleted. */
export const PictureUpload = ({ value, onChange, width = 356, height = 178, ...labelled }: PictureUploadProps) => {
  const input = useRef<HTMLInputElement>(null)
  const named = useNamed()
  const [step, setStep] = useState<UploadStep>()
  const label = labelled['aria-label'] ?? '图片'

  const send = async (file: File) => {
    const refusal = pictureRefusal(file)
    if (refusal) {
      tellError(refusal)
      return
    }
    const form = new FormData()
    form.set('picFile', file)
    setStep({ state: UploadState.progress, percent: 0 })
    try {
      const { url } = await upload(uploadPicture, form, setStep, named(uploadPicture).query)
      setStep(undefined)
      onChange?.(url)
    } catch {
      // The step says why; the client has shown it.
    }
  }
  const choose = () => input.current?.click()
  const isUploading = step?.state === UploadState.progress

  return (
    <div className="picture" style={{ width, height }}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept="image/jpeg,image/png,image/gif,image/x-icon,.ico"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      {isUploading && <Progress type="circle" size="small" percent={step.percent} aria-label={`${label}上传进度`} />}
      {!isUploading && value && (
        <>
          <img src={value} alt={label} />
          <div className="picture-buttons">
            <Button size="mini" icon={<IconRefresh />} onClick={choose}>
              更换
            </Button>
            <Button size="mini" status="danger" icon={<IconDelete />} onClick={() => onChange?.(null)}>
              删除
            </Button>
          </div>
        </>
      )}
      {!isUploading && !value && (
        <button type="button" className="picture-empty" onClick={choose}>
          <IconPlus />
          <span>{step ? `${step.message}，点击重新上传` : `上传${label}`}</span>
          <small>jpeg、png、gif 或 icon，小于 2MB</small>
        </button>
      )}
    </div>
  )
}
