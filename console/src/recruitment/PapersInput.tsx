import type { Attachment, AttachmentForm } from '@/api/types/recruitment'
import { FileUpload } from '@/kit/FileUpload'
import { OTHER, paperKinds } from './papers'

type Paper = AttachmentForm
type Stored = Attachment

/** As many as a person may have. */
const MOST = 20

interface PapersInputProps {
  /** Whether the usual kinds are asked for, or the school's own alone. */
  usual: boolean
  /** The school's own file fields, by key and label. */
  own: readonly (readonly [key: string, label: string])[]
  /** Papers that are there already, with their names. */
  stored: readonly Stored[]
  value?: Paper[]
  onChange?: (papers: Paper[]) => void
  'aria-label'?: string
}

/** 材料: one file of each kind, several others; what is private is uploaded as such. */
export const PapersInput = ({ usual, own, stored, value = [], onChange, ...named }: PapersInputProps) => {
  const nameOf = (key: string) => stored.find((paper) => paper.key === key)?.name
  const replace = (old: Paper | undefined, kind: string, key: string | null) => {
    const next = key ? [{ kind, key }] : []
    onChange?.(old ? value.flatMap((paper) => (paper.key === old.key ? next : [paper])) : [...value, ...next])
  }
  return (
    <ul {...named} className="papers-input">
      {[...(usual ? paperKinds : []), ...own].map(([kind, label]) => {
        const there = value.filter((paper) => paper.kind === kind)
        const wanted = there.length === 0 || (kind === OTHER && value.length < MOST)
        return (
          <li key={kind}>
            <span>{label}</span>
            {there.map((paper) => (
              <div key={paper.key}>
                {nameOf(paper.key) && <small>{nameOf(paper.key)}</small>}
                <FileUpload
                  type={3}
                  purpose="registration"
                  accept=".pdf,.jpg,.jpeg,.png"
                  aria-label={label}
                  value={paper.key}
                  onChange={(key) => replace(paper, kind, key)}
                />
              </div>
            ))}
            {wanted && (
              <FileUpload
                key={there.length}
                type={3}
                purpose="registration"
                accept=".pdf,.jpg,.jpeg,.png"
                aria-label={label}
                onChange={(key) => replace(undefined, kind, key)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
