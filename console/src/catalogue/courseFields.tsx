import { InputNumber, Select } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import type { CourseSubmission } from '@/api/types/shared'
import { fenOf } from './courseContent'

/** Characters of an introduction; the server refuses more. */
export const INTRODUCTION = 2000

interface YuanProps {
  value?: number | null
  onChange?: (fen: number | undefined) => void
  'aria-label'?: string
}

/** An amount that is typed in 元 and kept in 分. */
export const Yuan = ({ value, onChange, ...named }: YuanProps) => (
  <InputNumber
    {...named}
    min={0}
    max={999_999.99}
    precision={2}
    hideControl
    suffix="元"
    value={typeof value === 'number' ? value / 100 : undefined}
    onChange={(yuan?: number) => onChange?.(typeof yuan === 'number' ? fenOf(yuan) : undefined)}
  />
)

interface HowProps {
  value?: CourseSubmission
  onChange?: (how: CourseSubmission) => void
  'aria-label'?: string
  /** Whose body has the field. */
  save: OperationMeta
  /** Whoever may call it publishes at once. */
  edit: OperationMeta
}

/** 保存方式: who may not edit what is published hands in. */
export const How = ({ value, onChange, save, edit, ...named }: HowProps) => {
  const mayPublish = useAllowed()(edit)
  const options = (save.fields.submission?.options ?? [])
    .filter(([word]) => word !== 'publish' || mayPublish)
    .map(([word, label]) => ({ value: word, label }))
  return <Select {...named} value={value} onChange={onChange} options={options} />
}
