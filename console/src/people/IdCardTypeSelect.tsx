import { Select } from '@arco-design/web-react'
import { saveTeacher } from './api'

/** Comes in with old data alone. */
const IMPORTED = 'military_id'

interface IdCardTypeSelectProps {
  value?: string
  onChange?: (type: string | undefined) => void
  disabled?: boolean
  /** The record's own document, which may stay whatever it is. */
  stored?: string | null
  allowClear?: boolean
  'aria-label'?: string
}

/** 证件类型, without what nobody types. */
export const IdCardTypeSelect = ({ stored, ...rest }: IdCardTypeSelectProps) => (
  <Select
    {...rest}
    placeholder="请选择"
    options={(saveTeacher.fields.idCardType?.options ?? [])
      .filter(([type]) => type !== IMPORTED || type === stored)
      .map(([value, label]) => ({ value, label }))}
  />
)
