import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'

type Kind =
  | 'grade'
  | 'level'
  | 'organization'
  | 'site'
  | 'major'
  | 'class'
  | 'nationalMajor'
  | 'classManager'
  | 'teacher'

interface BasicSelectProps {
  type: Kind
  label?: string
  'aria-label'?: string
  /** Only what hangs below this: the majors of a level. */
  parentId?: number
  value?: number
  onChange?: (id: number | undefined) => void
  known?: Choice
  /** Left out of the choices. */
  except?: number
  disabled?: boolean
  placeholder?: string
}

export type Option = RowOf<typeof listOptions>

/** How options of basic data are asked for: switched-off ones are left out. */
export const basicOptions = (type: Kind, parentId?: number) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  parentId,
  enabled: true,
})

/** A select over basic data, searched by code, name or pinyin initials. */
export const BasicSelect = ({ type, parentId, label, ...rest }: BasicSelectProps) => (
  <OptionSelect
    {...rest}
    label={label ?? rest['aria-label'] ?? ''}
    options={listOptions}
    query={basicOptions(type, parentId)}
  />
)

/** The record's own choice, for a form whose record is not among the first choices. */
export const known = (id: number | null | undefined, name: string | null | undefined): Choice | undefined =>
  id && name ? { code: id, desc: name } : undefined
