import type { RulesProps } from '@arco-design/web-react'
import type { FieldMeta } from '@/api/operation'

const CHOSEN: readonly FieldMeta['kind'][] = ['enum', 'date', 'datetime', 'list']

/** The checks of a field as the document states them; the server repeats them all. */
export const rulesOf = (meta: FieldMeta, label: string): RulesProps[] => {
  const verb = CHOSEN.includes(meta.kind) ? '请选择' : '请输入'
  const rules: RulesProps[] = []
  if (meta.required && meta.kind !== 'boolean') rules.push({ required: true, message: `${verb}${label}` })
  if (meta.kind === 'text') {
    const { minLength, maxLength, pattern } = meta
    if (minLength !== undefined) rules.push({ minLength, message: `${label}至少${minLength}个字符` })
    if (maxLength !== undefined) rules.push({ maxLength, message: `${label}最多${maxLength}个字符` })
    if (pattern) rules.push({ match: new RegExp(pattern, 'u'), message: meta.help ?? `${label}格式不正确` })
  }
  return rules
}

/** A text without its outer spaces; an empty one is no value. */
const tidy = (value: unknown) => (typeof value === 'string' ? value.trim() || null : value)

export const tidied = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, tidy(value)]))
