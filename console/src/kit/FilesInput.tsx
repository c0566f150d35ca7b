import { Button } from '@arco-design/web-react'
import { IconDelete, IconUpload } from '@arco-design/web-react/icon'
import { useRef, useState } from 'react'
import { uploadDirectly } from '@/api/directUpload'
import { UploadState, type UploadStep } from '@/api/files'
import { useCall, useRequest } from '@/api/schoolContext'
import { ProgressBar } from './ProgressBar'

const MOST = 9
const ACCEPT = '.pdf,.doc,.docx,.jpg,.jpeg,.png,.zip'

interface Stored {
  id: number
  key: string
}

interface FilesProps<Name> {
  /** What the operation calls a file by: its number or its key. */
  by: (stored: Stored) => Name
  purpose: string
  accept?: string
  most?: number
  /** What files are called that were there before. */
  known?: readonly { file: Name; name: string }[]
  value?: Name[]
  onChange?: (files: Name[]) => void
  'aria-label'?: string
}

/** Private files, several of them, as what proves a case; each goes to the store at once. */
export const FilesInput = <Name extends number | string>(props: FilesProps<Name>) => {
  const { by, purpose, accept = ACCEPT, most = MOST, known = [], value = [], onChange } = props
  const { 'aria-label': label = '附件' } = props
  const input = useRef<HTMLInputElement>(null)
  const call = useCall()
  const request = useRequest()
  const [step, setStep] = useState<UploadStep>()
  const [names, setNames] = useState<ReadonlyMap<Name, string>>(new Map())
  const send = async (file: File) => {
    try {
      const stored = by(await uploadDirectly(file, { type: 3, purpose }, setStep, { call, request }))
      setStep(undefined)
      setNames((before) => new Map([...before, [stored, file.name]]))
      onChange?.([...value, stored])
    } catch {
      // The step says why, and the person has read it.
    }
  }
  const isUploading = step?.state === UploadState.progress
  return (
    <div className="files-input">
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
      <ul aria-label={label}>
        {value.map((stored, at) => {
          const before = known.find(({ file }) => file === stored)?.name
          const name = names.get(stored) ?? before ?? `${label}${at + 1}`
          return (
            <li key={stored}>
              {name}
              <Button
                type="text"
                size="mini"
                status="danger"
                icon={<IconDelete />}
                aria-label={`删除${name}`}
                onClick={() => onChange?.(value.filter((each) => each !== stored))}
              />
            </li>
          )
        })}
      </ul>
      {isUploading && <ProgressBar label={`${label}上传进度`} percent={step.percent} />}
      {step && !isUploading && <span role="alert">{step.message}</span>}
      <Button
        size="small"
        icon={<IconUpload />}
        disabled={isUploading || value.length >= most}
        title={value.length >= most ? `最多${most}份` : undefined}
        onClick={() => input.current?.click()}
      >
        上传{label}
      </Button>
    </div>
  )
}
