import { listOptions } from '@/api/infra'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'

type Kind = 'questionBank' | 'chapter' | 'knowledgePoint' | 'paperRule' | 'account'

/** How options of this module are asked for: those of a course, without what was switched off. */
export const bankOptions = (type: Kind, courseId?: number) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  parentId: courseId,
  enabled: true,
})

/** The same for a filter, which also finds what was switched off. */
export const allBankOptions = (type: Kind, courseId?: number) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  parentId: courseId,
  enabled: false,
})

interface BankSelectProps {
  type: Kind
  /** Of which course. */
  courseId?: number
  label?: string
  'aria-label'?: string
  value?: number
  onChange?: (id: number | undefined, choice: Choice | undefined) => void
  known?: Choice
  except?: number
  disabled?: boolean
  placeholder?: string
}

/** A select over banks, chapters or rules of a course. */
export const BankSelect = ({ type, courseId, label, ...rest }: BankSelectProps) => (
  <OptionSelect
    {...rest}
    label={label ?? rest['aria-label'] ?? ''}
    options={listOptions}
    query={bankOptions(type, courseId)}
  />
)

interface SeveralProps {
  type: Kind
  courseId?: number
  label?: string
  'aria-label'?: string
  value?: number[]
  onChange?: (ids: number[]) => void
  known?: readonly Choice[]
  placeholder?: string
}

export const SeveralOfBank = ({ type, courseId, label, ...rest }: SeveralProps) => (
  <SeveralOptions
    {...rest}
    label={label ?? rest['aria-label'] ?? ''}
    options={listOptions}
    query={bankOptions(type, courseId)}
  />
)

/** Choices as a record has them: its numbers beside its names. */
export const knownOf = (ids: readonly number[], names: readonly string[]): Choice[] =>
  ids.map((code, at) => ({ code, desc: names[at] ?? `编号${code}` }))
