import { useState } from 'react'
import { useIdentity } from '@/api/identity'
import type { Column } from './columns'

export type Density = 'default' | 'middle' | 'small'

interface Settings {
  hidden: readonly string[]
  density: Density
  /** Keys in the order of the person's choice; columns that came later stand where the screen has them. */
  order?: readonly string[]
  /** Stay at the left while the others are scrolled. */
  pinned?: readonly string[]
  /** By key, in pixels. */
  widths?: Readonly<Record<string, number>>
}

const read = (key: string): Settings | undefined => {
  const text = localStorage.getItem(key)
  if (!text) return undefined
  try {
    const settings: Settings = JSON.parse(text)
    return settings
  } catch {
    return undefined
  }
}

/** The columns in the order of the keys; a column that has no place in it follows the one that it follows on the screen. */
export const inOrder = <Row>(columns: readonly Column<Row>[], order: readonly string[]) => {
  const known = new Map(columns.map((column) => [column.key, column]))
  const placed = order.flatMap((key) => known.get(key) ?? [])
  for (const [at, column] of columns.entries()) {
    if (placed.includes(column)) continue
    const before = columns[at - 1]
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, column)
  }
  return placed
}

/** The keys with one of them at another place; at the ends it stays within. */
export const movedTo = (order: readonly string[], key: string, to: number) => {
  const others = order.filter((each) => each !== key)
  const place = Math.min(Math.max(0, to), others.length)
  return [...others.slice(0, place), key, ...others.slice(place)]
}

/** The columns as a person wants them: what is pinned first, each as wide as it was drawn. */
export const arranged = <Row>(
  columns: readonly Column<Row>[],
  { hidden, order = [], pinned = [], widths = {} }: Settings,
) => {
  const shown = inOrder(columns, order)
    .filter((column) => column.fixed || !hidden.includes(column.key))
    .map(
      (column): Column<Row> => ({
        ...column,
        width: widths[column.key] ?? column.width,
        fixed: column.fixed ?? (pinned.includes(column.key) ? 'left' : undefined),
      }),
    )
  return [...shown.filter(({ fixed }) => fixed), ...shown.filter(({ fixed }) => !fixed)]
}

/** A column of the table, with the one that stands beneath its value. */
export type Stacked<Row> = Column<Row> & { beneath?: Column<Row> }

/** The columns as they are drawn: one that goes beneath another takes no room of its own, unless a person pinned it. */
export const stacked = <Row>(columns: readonly Column<Row>[]): Stacked<Row>[] => {
  const goesBeneath = ({ under, fixed }: Column<Row>) => !fixed && columns.some(({ key }) => key === under)
  return columns
    .filter((column) => !goesBeneath(column))
    .map((column) => ({
      ...column,
      beneath: columns.find((other) => other.under === column.key && goesBeneath(other)),
    }))
}

/** Which columns a person sees, in which order and how wide, and how close the rows stand: kept for each list in this browser. */
export const useTableSettings = <Row>(list: string, columns: readonly Column<Row>[]) => {
  const person = useIdentity((state) => state.account?.userId)
  const key = `table.${person}.${list}`
  const usual: Settings = {
    hidden: columns.filter((column) => column.hidden).map((column) => column.key),
    density: 'middle',
  }
  const [chosen, setChosen] = useState<Settings | undefined>(() => read(key))
  const settings = chosen ?? usual
  const change = (changed: Partial<Settings>) => {
    const next = { ...settings, ...changed }
    setChosen(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  const all = inOrder(columns, settings.order ?? [])
  const { pinned = [], widths = {} } = settings
  return {
    ...settings,
    pinned,
    /** Every column, in the person's order. */
    all,
    shown: arranged(columns, settings),
    setDensity: (density: Density) => change({ density }),
    setVisible: (visible: readonly string[]) =>
      change({ hidden: columns.map((column) => column.key).filter((column) => !visible.includes(column)) }),
    /** To the place of another one: by one step, or where it was dragged. */
    moveTo: (column: string, to: number) =>
      change({
        order: movedTo(
          all.map((each) => each.key),
          column,
          to,
        ),
      }),
    pin: (column: string) =>
      change({ pinned: pinned.includes(column) ? pinned.filter((each) => each !== column) : [...pinned, column] }),
    setWidth: (column: string, width: number) => change({ widths: { ...widths, [column]: width } }),
    /** Exactly these columns, in this order: as a saved view has them. */
    show: (keys: readonly string[]) => {
      const order = [...keys, ...columns.map((column) => column.key).filter((key) => !keys.includes(key))]
      change({ order, hidden: columns.map((column) => column.key).filter((key) => !keys.includes(key)) })
    },
    restore: () => change({ ...usual, density: settings.density, order: [], pinned: [], widths: {} }),
  }
}
