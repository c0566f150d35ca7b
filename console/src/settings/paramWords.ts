import type { RowOf } from '@/api/operation'
import type { listParams } from './api'

type ParamRow = RowOf<typeof listParams>

/** A value as people read it: 是 for true, the word of a choice. */
export const valueWords = ({ paramType, options }: Pick<ParamRow, 'paramType' | 'options'>, value: string) => {
  if (paramType === 'bool') return value === 'true' ? '是' : '否'
  return options.find(({ code }) => code === value)?.desc ?? (value || '—')
}

/** What the value may be. */
export const rangeOf = ({ paramType, minValue, maxValue, options }: ParamRow) => {
  if (minValue != null && maxValue != null) return minValue === maxValue ? `${minValue}` : `${minValue}～${maxValue}`
  if (paramType === 'bool') return '是、否'
  return options.map(({ desc }) => desc).join('、') || '—'
}
