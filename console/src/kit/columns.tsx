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

/** The columns of a list: headings, widths and wording come from the document, the rest from the screen. */
export const columnsOf = <Body, Row extends HasId>(
  operation: Operation<undefined, Body, PageOf<Row>>,
  wishes: readonly ((keyof Row & string) | EachWish<Row>)[],
): Column<Row>[] =>
  wishes.map((wish) => {
    const { field, tones, render, ...own }: Wish<Row> = typeof wish === 'string' ? { field: wish } : wish
    const { label, kind } = fieldOf(operation, field)
    const isNumber = (kind === 'integer' || kind === 'number') && !isYear(field)
    const sorts = operation.fields.sortField?.options?.some(([value]) => value === field)
    return {
      key: field,
      title: own.title ?? label,
      help: own.help,
      width: own.width ?? widths[kind],
      align: own.align ?? (isNumber ? 'right' : 'left'),
      fixed: own.fixed,
      under: own.under,
      hidden: own.hidden ?? false,
      sort: sorts ? field : undefined,
      render: render ?? ((row) => show(operation, field, row[field], tones)),
    }
  })
