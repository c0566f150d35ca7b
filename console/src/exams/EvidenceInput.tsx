import { Button, Progress } from '@arco-design/web-react'
import { IconDelete, IconUpload } from '@arco-design/web-react/icon'
import { useRef, useState } from 'react'
import { uploadDirectly } from '@/api/directUpload'
import { UploadState, type UploadStep } from '@/api/files'
import { useCall, useRequest } from '@/api/schoolContext'
import './exams.css'

const MOST = 9
const ACCEPT = '.pdf,.doc,.docx,.jpg,.jpeg,.png,.zip'

interface EvidenceProps {
  /** The numbers of the files. */
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Files that prove something, as many as a case may have; they are private. */
export const EvidenceInput = ({ value = [], onChange, 'aria-label': label = '附件' }: EvidenceProps) => {
  const input = useRef<HTMLInputElement>(null)
  const call = useCall()
  const request = useRequest()
  const [step, setStep] = useState<UploadStep>()
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const send = async (file: File) => {
    try {
      const stored = await uploadDirectly(file, { type: 3, purpose: 'exam' }, setStep, { call, request })
      setStep(undefined)
      setNames((before) => new Map([...before, [stored.id, file.name]]))
      onChange?.([...value, stored.id])
    } catch {
      // The step says why, and the person has read it.
    }
  }
  const isUploading = step?.state === UploadState.progress
  return (
    <div className="evidence">
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={ACCEPT}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      <ul aria-label={label}>
        {value.map((id) => (
          <li key={id}>
            {names.get(id) ?? `附件${id}`}
            <Button
              type="text"
              size="mini"
              status="danger"
              icon={<IconDelete />}
              aria-label={`删除${names.get(id) ?? '附件'}`}
              onClick={() => onChange?.(value.filter((each) => each !== id))}
            />
          </li>
        ))}
      </ul>
      {isUploading && <Progress percent={step.percent} aria-label={`${label}上传进度`} />}
      {step && !isUploading && <span role="alert">{step.message}</span>}
      <Button
        size="small"
        icon={<IconUpload />}
        disabled={isUploading || value.length >= MOST}
        title={value.length >= MOST ? `最多${MOST}份` : undefined}
        onClick={() => input.current?.click()}
      >
        上传{label}
      </Button>
    </div>
  )
}

interface FilesProps {
  label: string
  files: readonly { id: number; name: string; url: string }[]
}

/** Files of a case; the addresses last some minutes. */
export const EvidenceFiles = ({ label, files }: FilesProps) => (
  <section aria-label={label}>
    <h3>{label}</h3>
    {files.length === 0 && <p className="nothing">没有附件</p>}
    <ul>
      {files.map(({ id, name, url }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </li>
      ))}
    </ul>
  </section>
)
