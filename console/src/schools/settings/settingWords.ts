import type { SettingItem, SettingPart } from '@/api/types/schools'

export type Setting = SettingItem

/** What the control of a setting gets. */
export interface SettingInputProps {
  setting: Setting
  value?: unknown
  onChange?: (value: unknown) => void
}
type Part = SettingPart

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const wordOf = ({ options }: Pick<Part, 'options'>, value: unknown) =>
  options.find(({ code }) => code === String(value))?.desc ?? String(value ?? '')

const partWords = (part: Part, value: unknown) => {
  if (value === null || value === undefined || value === '') return ''
  return `${part.name}${part.type === 'bool' ? (value === true ? '是' : '否') : wordOf(part, value)}`
}

/** A value as people read it. */
export const settingWords = (setting: Setting, value: unknown): string => {
  if (value === null || value === undefined || value === '') return '未填'
  if (setting.type === 'bool') return value === true ? '是' : '否'
  if (setting.type === 'object' && isRecord(value)) {
    const parts = setting.parts.map((part) => partWords(part, value[part.key])).filter(Boolean)
    return parts.join('、') || '未填'
  }
  if (!Array.isArray(value)) return wordOf(setting, value)
  if (setting.type === 'pairs') {
    const pairs = value.filter(Array.isArray).map(([from, to]) => `${wordOf(setting, from)}→${wordOf(setting, to)}`)
    return pairs.join('、') || '无'
  }
  if (setting.type === 'choices') {
    return value.length === setting.options.length ? `全部${value.length}项` : `${value.length}项`
  }
  return value.length > 0 ? `${value.length}行` : '无'
}

/** Two values that are written the same; an empty text and no value are one. */
export const isSame = (one: unknown, other: unknown): boolean => {
  const written = (value: unknown): string =>
    JSON.stringify(value === '' || value === undefined ? null : value, (_, inner) =>
      isRecord(inner)
        ? Object.fromEntries(
            Object.entries(inner)
              .filter(([, each]) => each !== null && each !== undefined && each !== '')
              .sort(([a], [b]) => a.localeCompare(b)),
          )
        : inner,
    )
  return written(one) === written(other)
}

/** What is saved: only what differs from what was read; a value that is the default's goes back to it. */
export const changedValues = (settings: readonly Setting[], typed: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    settings
      .filter(({ key, readOnly, value }) => !readOnly && !isSame(typed[key], value))
      .map(({ key, defaultValue }) => {
        const value = typeof typed[key] === 'string' ? typed[key].trim() : typed[key]
        return [key, isSame(value, defaultValue) || value === undefined || value === '' ? null : value]
      }),
  )
