import type { TableColumnProps } from '@arco-design/web-react'
import { Tooltip } from '@arco-design/web-react'
import { IconQuestionCircle } from '@arco-design/web-react/icon'
import { useRef } from 'react'
import type { RowAction } from './actions'
import type { Column } from './columns'
import { RowActions } from './RowActions'
import { type Stacked, stacked } from './tableSettings'
import { openingOf } from './useListOfSchools'
import type { HasId, Sorting } from './useQueryTable'

/** No column is drawn narrower. */
const LEAST_PX = 60

/** The right edge of a heading: drawn, it makes the column wider or narrower. */
const Grip = ({ width, onWidth }: { width: number; onWidth: (width: number) => void }) => {
  const from = useRef<number>(undefined)
  return (
    <span
      className="column-grip"
      aria-hidden="true"
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = event.clientX - width
      }}
      onPointerMove={(event) => {
        if (from.current !== undefined) onWidth(Math.max(LEAST_PX, Math.round(event.clientX - from.current)))
      }}
      onPointerUp={() => {
        from.current = undefined
      }}
    />
  )
}

/** The heading of a column that stands beneath another one: pressed, it orders the list by its own. */
const Beneath = <Row,>({
  column,
  sorting,
  onSort,
}: { column: Column<Row> } & Pick<Wanted<Row>, 'sorting' | 'onSort'>) => {
  const { sort, title } = column
  if (!sort) return <small className="beneath">{title}</small>
  const order = orderOf(sort, sorting)
  const next = order === undefined ? 'asc' : 'desc'
  return (
    <button
      type="button"
      className="beneath"
      aria-pressed={order !== undefined}
      onClick={(event) => {
        event.stopPropagation()
        onSort(order === 'descend' ? undefined : { field: sort, order: next })
      }}
    >
      {title}
      {order === 'ascend' && ' ↑'}
      {order === 'descend' && ' ↓'}
    </button>
  )
}

const heading = <Row,>(
  { key, title, help, width, beneath }: Stacked<Row>,
  { setWidth, sorting, onSort }: Pick<Wanted<Row>, 'setWidth' | 'sorting' | 'onSort'>,
) => (
  <>
    {help ? (
      <Tooltip content={help}>
        <span>
          {title} <IconQuestionCircle />
        </span>
      </Tooltip>
    ) : (
      title
    )}
    {beneath && <Beneath column={beneath} sorting={sorting} onSort={onSort} />}
    <Grip width={width} onWidth={(drawn) => setWidth(key, drawn)} />
  </>
)

interface Wanted<Row> {
  shown: readonly Column<Row>[]
  sorting: Sorting | undefined
  open: (row: Row) => void
  onSort: (sorting: Sorting | undefined) => void
  setWidth: (column: string, width: number) => void
  actions: ((row: Row) => readonly RowAction[]) | undefined
  actionsWidth: number
  /** On paper nothing is fixed or cut off, and there is nothing to press. */
  printing: boolean
}

const orderOf = (sort: string | undefined, sorting: Sorting | undefined) => {
  if (!sort || sorting?.field !== sort) return undefined
  return sorting.order === 'desc' ? 'descend' : 'ascend'
}

/** Our columns as Arco's table takes them: the screen's first opens the row by keyboard too, the last holds its actions. */
export const arcoColumns = <Row extends HasId>(wanted: Wanted<Row>) => {
  const { sorting, open, actions, actionsWidth, printing } = wanted
  // On paper each has a column of its own.
  const shown: readonly Stacked<Row>[] = printing ? wanted.shown : stacked(wanted.shown)
  const whole = shown.reduce((sum, column) => sum + column.width, 0)
  const opening = openingOf(shown)
  const columns = shown.map(
    (column): TableColumnProps<Row> => ({
      title: printing ? column.title : heading(column, wanted),
      dataIndex: column.key,
      width: printing ? `${(100 * column.width) / whole}%` : column.width,
      align: column.align,
      fixed: printing ? undefined : column.fixed,
      className: column.align === 'right' ? 'numeric' : undefined,
      ellipsis: !printing,
      sorter: column.sort ? true : undefined,
      sortOrder: orderOf(column.sort, sorting),
      render: (_, row) => {
        const value =
          column === opening ? (
            <button type="button" className="row-name" onClick={() => open(row)}>
              {column.render(row)}
            </button>
          ) : (
            column.render(row)
          )
        if (!column.beneath) return value
        return (
          <span className="two-lines">
            {value}
            <small className="beneath">{column.beneath.render(row)}</small>
          </span>
        )
      },
    }),
  )
  if (!actions || printing) return columns
  const last: TableColumnProps<Row> = {
    title: '操作',
    dataIndex: 'actions',
    width: actionsWidth,
    fixed: 'right',
    render: (_, row) => <RowActions actions={actions(row)} />,
  }
  return [...columns, last]
}
