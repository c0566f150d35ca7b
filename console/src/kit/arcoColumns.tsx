import type { TableColumnProps } from '@arco-design/web-react'
import { Tooltip } from '@arco-design/web-react'
import { IconQuestionCircle } from '@arco-design/web-react/icon'
import { useRef } from 'react'
import type { RowAction } from './actions'
import type { Column } from './columns'
import { RowActions } from './RowActions'
import { SCHOOL_COLUMN } from './useListOfSchools'
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

const heading = <Row,>({ key, title, help, width }: Column<Row>, setWidth: Wanted<Row>['setWidth']) => (
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
    <Grip width={width} onWidth={(drawn) => setWidth(key, drawn)} />
  </>
)

interface Wanted<Row> {
  shown: readonly Column<Row>[]
  sorting: Sorting | undefined
  open: (row: Row) => void
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
  const { shown, sorting, open, setWidth, actions, actionsWidth, printing } = wanted
  const whole = shown.reduce((sum, column) => sum + column.width, 0)
  const opening = shown.find(({ key }) => key !== SCHOOL_COLUMN)
  const columns = shown.map(
    (column): TableColumnProps<Row> => ({
      title: printing ? column.title : heading(column, setWidth),
      dataIndex: column.key,
      width: printing ? `${(100 * column.width) / whole}%` : column.width,
      align: column.align,
      fixed: printing ? undefined : column.fixed,
      className: column.align === 'right' ? 'numeric' : undefined,
      ellipsis: !printing,
      sorter: column.sort ? true : undefined,
      sortOrder: orderOf(column.sort, sorting),
      render: (_, row) =>
        column === opening ? (
          <button type="button" className="row-name" onClick={() => open(row)}>
            {column.render(row)}
          </button>
        ) : (
          column.render(row)
        ),
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
