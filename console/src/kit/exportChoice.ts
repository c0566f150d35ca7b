/** What an export is to hold. Pure: `ExportButton` asks for it and sends it. */

export interface ExportChoice {
  /** 显示的列, 全部列, one of the screen's sets by its name, or columns of one's own. */
  set: string
  /** Headings of one's own choice. */
  columns: readonly string[]
}

export const SHOWN = 'shown'
export const ALL = 'all'
export const OWN = 'own'

/** Columns for one purpose: what a form of the province or an insurance asks for. */
export interface ExportSet {
  name: string
  columns: readonly string[]
}

/** The headings of the file, in the order of the sheet but for those that are shown, which keep the person's. */
export const headingsOf = (
  { set, columns }: ExportChoice,
  sheet: readonly string[],
  shown: readonly string[],
  sets: readonly ExportSet[],
) => {
  if (set === ALL) return [...sheet]
  if (set === SHOWN) return shown.filter((heading) => sheet.includes(heading))
  const wanted = set === OWN ? columns : (sets.find(({ name }) => name === set)?.columns ?? [])
  return sheet.filter((heading) => wanted.includes(heading))
}

const isChoice = (value: unknown): value is ExportChoice =>
  typeof value === 'object' &&
  value !== null &&
  'set' in value &&
  typeof value.set === 'string' &&
  'columns' in value &&
  Array.isArray(value.columns) &&
  value.columns.every((column) => typeof column === 'string')

/** The person's last choice for a list, kept in this browser. */
export const readChoice = (key: string): ExportChoice | undefined => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isChoice(kept) ? kept : undefined
  } catch {
    return undefined
  }
}
