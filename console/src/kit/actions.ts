import type { ReactNode } from 'react'
import type { Input, LooseInput } from '@/api/client'
import type { Operation, OperationMeta } from '@/api/operation'
import { errorRows } from './csv'
import { type Done, wordsOf } from './saved'
import type { Undo } from './undo'
import type { HasId } from './useQueryTable'

interface Labelled {
  /** A verb. */
  label: string
  /** Whose permission is asked. */
  do: OperationMeta
  /** Why it cannot be done now; shown on hover of the disabled button. */
  disabled?: string
  danger?: boolean
}

/** Opens something: a form, a dialog, another page. */
interface Opening extends Labelled {
  onClick: () => void
}

export interface Asking {
  title: string
  content?: ReactNode
}

/** Calls its operation, after a question where the effect is not easily undone. */
export interface Step extends Labelled {
  do: Operation<unknown, unknown, unknown>
  with: LooseInput
  confirm?: Asking
  /** What is said of the answer. */
  done(answer: unknown): string
  /** How it is taken back, where something does. */
  undo?(answer: unknown): Undo | undefined
}

export type RowAction = Opening | Step

const rankOf = ({ disabled, danger }: RowAction) => (disabled ? 2 : danger ? 1 : 0)

/** What is done with a row in its state goes first, then what takes away, at last what may not be done now. */
export const byState = (actions: readonly RowAction[]) => actions.toSorted((one, other) => rankOf(one) - rankOf(other))

interface StepWish<Query, Body, Data> {
  label: string
  with: Input<Query, Body>
  confirm?: Asking
  done: Done<Data>
  /** How it is taken back within half a minute. */
  undo?(answer: Data): Undo | undefined
  disabled?: string
  danger?: boolean
}

/** A row action that calls an operation; `with` is checked against the operation's types. */
export const step = <Query, Body, Data>(
  operation: Operation<Query, Body, Data>,
  wish: StepWish<Query, Body, Data>,
): Step => {
  const done = (answer: Data) => wordsOf(wish.done, answer)
  return { ...wish, do: operation, done }
}

/** What a bulk operation answers: each row succeeds or fails by itself. */
export interface BulkResult {
  done: number
  failed: (HasId & { name: string; msg: string })[]
  /** What was done and is worth a second look, by row, or for some steps in words of its own. */
  warnings?: readonly unknown[] | null
  /** A step over all that the list's filter names goes on after the answer. */
  jobId?: number | null
}

/** The rows of a step in its body: ticked ones, or what the list was asked for. */
export type Chosen<Item, Filter> = { items: Item[] } | { filter: Filter }

/** What a form for several rows is opened with. */
export interface Selected<Item = unknown, Filter = unknown> {
  rows: Chosen<Item, Filter>
  count: number
  /** The ticks have served; those of what was left as it is stay. */
  done: (failed?: BulkResult['failed']) => void
}

/** What a person reads when a step goes on after the answer. */
export const IN_BACKGROUND = '已转为后台任务，进度和结果在任务中心查看'

/** What a form says afterwards: over ticked rows that it is done. */
export const afterwards = (selected: Selected | undefined, done: string) =>
  selected && 'filter' in selected.rows ? IN_BACKGROUND : done

/** An item of a step over rows, with the school whose the row is where the list tells it. */
export const withSchool = <Item extends object>({ schoolId }: HasId, item: Item) => ({ ...item, schoolId })

/** An item of a step over rows: which row, as it was when it was read. */
export const itemOf = ({ id, version }: { id: number; version: number }) => ({ id, version })

/** Why the only row was left as it is, in the answer of an operation that takes several. */
export const refusalIn = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'failed' in answer ? errorRows(answer.failed)[0]?.[2] : undefined

export interface BulkAction {
  label: string
  do: Operation<unknown, unknown, BulkResult>
  confirm: (count: number) => Asking
  danger?: boolean
  input: (ids: readonly number[]) => LooseInput
  /** Present where the operation takes the list's filter, so that 选择全部 is possible. */
  all?: (filter: object) => LooseInput
  /** Gets the whole answer, for what is shown this once. */
  show?(answer: BulkResult): void
  /** How it is taken back for those that it did not leave as they were; gets the numbers of those. */
  undo?: (failed: ReadonlySet<number>) => Undo | undefined
}

/** Opens a form for the ticked rows. */
export interface BulkOpening {
  label: string
  do: OperationMeta
  open: (ids: readonly number[]) => void
  /** Present where the form's operation takes the list's filter; gets how many it names. */
  openAll?: (filter: object, count: number) => void
}

export type BulkEntry = BulkAction | BulkOpening

interface BulkWish<Query, Body, Data> {
  label: string
  confirm: (count: number) => Asking
  danger?: boolean
  input: (ids: number[]) => Input<Query, Body>
  all?: (filter: object) => Input<Query, Body>
  show?(answer: Data): void
  undo?: (failed: ReadonlySet<number>) => Undo | undefined
}

/** An action on the ticked rows. */
export const bulkStep = <Query, Body, Data extends BulkResult>(
  operation: Operation<Query, Body, Data>,
  wish: BulkWish<Query, Body, Data>,
): BulkAction => ({
  ...wish,
  do: operation,
  input: (ids) => wish.input([...ids]),
})
