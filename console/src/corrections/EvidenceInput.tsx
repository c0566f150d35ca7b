import type { CorrectionEvidence, CorrectionEvidenceForm } from '@/api/types/corrections'
import { FileUpload } from '@/kit/FileUpload'
import { evidenceKinds } from './evidence'

/** As many as a correction may have. */
const MOST = 20

interface EvidenceInputProps {
  /** Papers that are there already, with their names. */
  stored: readonly CorrectionEvidence[]
  value?: CorrectionEvidenceForm[]
  onChange?: (papers: CorrectionEvidenceForm[]) => void
  'aria-label'?: string
}

/** 材料: files of each kind, as both sides of a card are two. */
export const EvidenceInput = ({ stored, value = [], onChange, ...named }: EvidenceInputProps) => {
  const nameOf = (key: string) => stored.find((paper) => paper.key === key)?.name
  const replace = (old: CorrectionEvidenceForm, key: string | null) =>
    onChange?.(value.flatMap((paper) => (paper.key === old.key ? (key ? [{ ...paper, key }] : []) : [paper])))
  return (
    <ul {...named} className="evidence-input">
      {evidenceKinds.map(([kind, label]) => {
        const there = value.filter((paper) => paper.kind === kind)
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
                  onChange={(key) => replace(paper, key)}
                />
              </div>
            ))}
            {value.length < MOST && (
              <FileUpload
                key={there.length}
                type={3}
                purpose="registration"
                accept=".pdf,.jpg,.jpeg,.png"
                aria-label={label}
                onChange={(key) => key && onChange?.([...value, { kind, key }])}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
