import type { RulesProps } from '@arco-design/web-react'
import type { FieldMeta } from '@/api/operation'

const CHOSEN: readonly FieldMeta['kind'][] = ['enum', 'date', 'datetime', 'list']

/** Why a text is not accepted, if so. An empty one is a matter of the required mark alone. */
export const textRefusal = ({ minLength = 0, maxLength, pattern, help }: FieldMeta, label: string, text: string) => {
  if (!text) return undefined
  // Characters as the server counts them, not UTF-16 units.
  const { length } = [...text]
  if (length < minLength) return `${label}至少${minLength}个字符`
  if (maxLength !== undefined && length > maxLength) return `${label}最多${maxLength}个字符`
  if (pattern && !new RegExp(pattern, 'u').test(text)) return help ?? `${label}格式不正确`
  return undefined
}

/** The checks of a field as the document states them; the server repeats them all. `chosen`: picked, not typed. */
export const rulesOf = (meta: FieldMeta, label: string, chosen = CHOSEN.includes(meta.kind)): RulesProps[] => {
  const verb = chosen ? '请选择' : '请输入'
  const rules: RulesProps[] = []
  if (meta.required && meta.kind !== 'boolean') rules.push({ required: true, message: `${verb}${label}` })
  if (meta.kind === 'text') {
    rules.push({
      validator: (value: unknown, report) =>
        report(typeof value === 'string' ? textRefusal(meta, label, value.trim()) : undefined),
    })
  }
  return rules
}

/** A text without its outer spaces; an empty one is no value. */
const tidy = (value: unknown) => (typeof value === 'string' ? value.trim() || null : value)

export const tidied = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, tidy(value)]))
