import type { ReactNode } from 'react'
import type { FieldMeta, Operation, OperationMeta } from '@/api/operation'
import { formatNumber, formatTime } from './format'
import { fieldOf, labelOf } from './labels'
import { Enabled, type Tone, Word } from './Status'
import type { HasId, PageOf } from './useQueryTable'

export interface Column<Row> {
  key: string
  title: string
  /** The definition of a figure, on hover of its heading. */
  help?: string
  width: number
  align: 'left' | 'right'
  fixed?: 'left'
  /** Stands beneath the value of that column, where both are shown. */
  under?: string
  /** Offered in the column chooser, but not shown at first. */
  hidden: boolean
  /** The value of `sortField`, when the list can be ordered by it. */
  sort?: string
  render: (row: Row) => ReactNode
}

interface Wish<Row, Key extends keyof Row & string = keyof Row & string> {
  field: Key
  title?: string
  help?: string
  width?: number
  fixed?: 'left'
  under?: keyof Row & string
  hidden?: boolean
  /** Of a number that is told in words. */
  align?: 'left'
  /** Colours of an enumeration's words; the words come from the document. */
  tones?: Partial<Record<NonNullable<Row[Key]> & string, Tone>>
  render?: (row: Row) => ReactNode
}
type EachWish<Row> = { [Key in keyof Row & string]: Wish<Row, Key> }[keyof Row & string]

const widths: Record<FieldMeta['kind'], number> = {
  text: 150,
  integer: 100,
  number: 100,
  boolean: 90,
  date: 120,
  datetime: 180,
  enum: 100,
  list: 160,
  object: 160,
}

/** 2026 is a name, not a quantity: no thousands are parted. `tuitionPerYear` is money. */
const isYear = (field: string) => /year$/i.test(field) && !/peryear$/i.test(field)

const NOTHING = <span className="nothing">—</span>

/** How a value is written, by its kind in the document. */
export const show = (
  operation: OperationMeta,
  field: string,
  value: unknown,
  tones: Partial<Record<string, Tone>> | undefined,
): ReactNode => {
  if (value === null || value === undefined || value === '') return NOTHING
  const { kind } = fieldOf(operation, field)
  if (kind === 'boolean') return field === 'enabled' ? <Enabled value={value === true} /> : value ? '是' : '否'
  if (kind === 'datetime') return formatTime(String(value))
  if ((kind === 'integer' || kind === 'number') && typeof value === 'number')
    return isYear(field) ? String(value) : formatNumber(value)
  if (kind !== 'enum') return Array.isArray(value) ? value.join('、') : String(value)
  const word = labelOf(operation, field, String(value))
  return tones ? <Word tone={tones[String(value)]}>{word}</Word> : word
}

const PADDING = 24
/** Of the mark of an order, of a definition, and of the two sides of a tag. */
const MARK = 20
const HEADING = 14
const TAG = 12

/** The width of a text in pixels: Chinese signs are square, others about half. */
const written = (text: string, size: number) =>
  [...text].reduce((sum, sign) => sum + (sign > '\u2e80' ? size : 0.6 * size), 0)

/** So wide that neither the heading nor a word in a tag is cut, whatever the screen wishes. */
export const leastWidth = (title: string, marks: number, words: readonly string[]) => {
  const tags = words.map((word) => written(word, TAG) + MARK)
  return PADDING + Math.ceil(Math.max(written(title, HEADING) + MARK * marks, ...tags))
}

/** The columns of a list: headings, widths and wording come from the document, the rest from the screen. */
export const columnsOf = <Body, Row extends HasId>(
  operation: Operation<undefined, Body, PageOf<Row>>,
  wishes: readonly ((keyof Row & string) | EachWish<Row>)[],
): Column<Row>[] =>
  wishes.map((wish) => {
    const { field, tones, render, ...own }: Wish<Row> = typeof wish === 'string' ? { field: wish } : wish
    const { label, kind, options } = fieldOf(operation, field)
    const isNumber = (kind === 'integer' || kind === 'number') && !isYear(field)
    const sorts = operation.fields.sortField?.options?.some(([value]) => value === field) ?? false
    const title = own.title ?? label
    const words = tones ? (options ?? []).map(([, word]) => word) : []
    const least = leastWidth(title, Number(sorts) + Number(own.help !== undefined), words)
    return {
      key: field,
      title,
      help: own.help,
      width: Math.max(own.width ?? widths[kind], least),
      align: own.align ?? (isNumber ? 'right' : 'left'),
      fixed: own.fixed,
      under: own.under,
      hidden: own.hidden ?? false,
      sort: sorts ? field : undefined,
      render: render ?? ((row) => show(operation, field, row[field], tones)),
    }
  })
