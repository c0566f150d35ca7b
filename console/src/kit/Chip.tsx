import { Tag } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { OperationMeta } from '@/api/operation'
import { useDraft } from './draft'
import { labelOf } from './labels'

/** What is searched for in a field, in words of the document. */
export const wordsOf = (operation: OperationMeta, field: string, value: string) => {
  const meta = operation.fields[field]
  if (meta?.kind === 'boolean') return value === 'true' ? '是' : '否'
  if (!meta?.options) return value
  return value
    .split(',')
    .map((each) => labelOf(operation, field, each))
    .join('、')
}

interface ChipProps {
  label: string
  /** The fields that taking it off empties. */
  fields: readonly string[]
  children: ReactNode
}

/** A filter that is searched for; nothing while none of its fields is. */
export const Chip = ({ label, fields, children }: ChipProps) => {
  const draft = useDraft()
  if (fields.every((field) => !draft.valueOf(field))) return null
  return (
    <Tag
      closable
      bordered
      closeIcon={
        <span role="img" aria-label={`取消筛选${label}`}>
          ×
        </span>
      }
      onClose={() => draft.set(Object.fromEntries(fields.map((field) => [field, undefined])), true)}
    >
      {label}：{children}
    </Tag>
  )
}
