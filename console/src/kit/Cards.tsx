import { Checkbox } from '@arco-design/web-react'
import type { RowAction } from './actions'
import type { Column } from './columns'
import { RowActions } from './RowActions'
import type { HasId, useQueryTable } from './useQueryTable'

/** So many columns stand on a card; the rest is in the record's own drawer. */
const MOST = 5

interface CardsProps<Row extends HasId> {
  table: Pick<ReturnType<typeof useQueryTable<unknown, Row>>, 'rows' | 'selected' | 'everything' | 'select'>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  actions: ((row: Row) => readonly RowAction[]) | undefined
  selectable: boolean
  open: (id: number) => void
}

/** The rows of a list on a phone: name, first columns, actions in 更多. */
export const Cards = <Row extends HasId>(props: CardsProps<Row>) => {
  const { table, columns, nameOf, actions, selectable, open } = props
  const { rows, selected, everything, select } = table
  const ids = rows.map((row) => row.id)
  const ticked = everything ? ids : selected
  const fields = columns.filter((column) => !column.fixed).slice(0, MOST)
  return (
    <>
      {selectable && (
        <Checkbox
          className="cards-all"
          checked={ids.every((id) => ticked.includes(id))}
          indeterminate={ticked.length > 0 && ticked.length < ids.length}
          onChange={(all) => select(all ? ids : [])}
        >
          选择本页
        </Checkbox>
      )}
      <ul className="cards">
        {rows.map((row) => (
          <li key={row.id} className="card" data-row={row.id}>
            <header>
              {selectable && (
                <Checkbox
                  aria-label={`选择${nameOf(row)}`}
                  checked={ticked.includes(row.id)}
                  onChange={(on) => select(on ? [...ticked, row.id] : ticked.filter((id) => id !== row.id))}
                />
              )}
              <button type="button" className="row-name" onClick={() => open(row.id)}>
                {nameOf(row)}
              </button>
              {actions && <RowActions actions={actions(row)} folded />}
            </header>
            <dl>
              {fields.map((column) => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}
