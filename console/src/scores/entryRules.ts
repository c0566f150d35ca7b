import type { BodyOf, DataOf } from '@/api/operation'
import type { enterScores, listScoreSheetRows } from './api'

export type Row = DataOf<typeof listScoreSheetRows>['list'][number]
type Entry = NonNullable<BodyOf<typeof enterScores>['rows']>[number]

/** What was typed into the rows of a sheet and is not saved yet, as text. */
export type Typed = ReadonlyMap<number, string>

const ABSENT_WORDS = ['缺', '缺考', 'q', 'Q']
const SCORE = /^\d{1,4}(?:\.\d)?$/

/** Marks that a register makes, and rows that no longer count, are typed over by nobody. */
export const mayType = ({ markFixed, excluded }: Pick<Row, 'markFixed' | 'excluded'>) => !markFixed && !excluded

/** What stands in a row, as it is typed. */
export const textOf = ({ raw, mark }: Pick<Row, 'raw' | 'mark'>) => {
  if (mark === 'absent') return '缺考'
  return raw === null || raw === undefined ? '' : String(raw)
}

interface Read {
  raw: number | null
  mark: Entry['mark']
}

/** What a text means; nothing of it where it is no score of this paper. */
export const read = (text: string, paperTotal: number): Read | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return { raw: null, mark: null }
  if (ABSENT_WORDS.includes(trimmed)) return { raw: null, mark: 'absent' }
  if (!SCORE.test(trimmed)) return undefined
  const raw = Number(trimmed)
  return raw <= paperTotal ? { raw, mark: null } : undefined
}

export const refusalOf = (text: string, paperTotal: number) =>
  read(text, paperTotal) ? undefined : `请输入0到${paperTotal}之间的数字，最多一位小数，或“缺考”`

/** With what was typed; what is as it stands is no change. */
export const withText = (typed: Typed, row: Row, text: string): Typed => {
  const next = new Map(typed)
  if (text.trim() === textOf(row)) next.delete(row.id)
  else next.set(row.id, text)
  return next
}

/** Without what has been saved, unless it was typed over meanwhile. */
export const without = (typed: Typed, saved: Typed, failed: ReadonlySet<number>): Typed =>
  new Map([...typed].filter(([id, text]) => failed.has(id) || saved.get(id) !== text))

/** The rows to be sent: those that are readable, each with the version that was last seen. */
export const entriesOf = (typed: Typed, rows: readonly Row[]): Entry[] =>
  rows.flatMap((row) => {
    const text = typed.get(row.id)
    const meant = text === undefined ? undefined : read(text, row.paperTotal)
    return meant && mayType(row) ? [{ rowId: row.id, version: row.version, ...meant }] : []
  })

/** The next row in which one may type, upwards or downwards; where there is none, none. */
export const nextRow = (rows: readonly Row[], id: number, by: 1 | -1): number | undefined => {
  const at = rows.findIndex((row) => row.id === id)
  for (let next = at + by; next >= 0 && next < rows.length; next += by) {
    const row = rows[next]
    if (row && mayType(row)) return row.id
  }
  return undefined
}

/** Rows that count and have neither a score nor a mark. */
export const missing = (rows: readonly Row[]) =>
  rows.filter(({ excluded, raw, mark }) => !excluded && (raw === null || raw === undefined) && !mark)
