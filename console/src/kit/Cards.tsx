import { Checkbox } from '@arco-design/web-react'
import type { RowAction } from './actions'
import type { Column } from './columns'
import { contextOfRow, OfSchool } from './OfSchool'
import { RowActions } from './RowActions'
import { openingOf } from './useListOfSchools'
import type { HasId, useQueryTable } from './useQueryTable'

/** So many columns stand on a card; the rest is in the record's own drawer. */
const MOST = 5

interface CardsProps<Row extends HasId> {
  table: Pick<ReturnType<typeof useQueryTable<unknown, Row>>, 'rows' | 'ticked' | 'everything' | 'tick' | 'keyOf'>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  actions: ((row: Row) => readonly RowAction[]) | undefined
  selectable: boolean
  open: (row: Row) => void
  /** Each row is another school's. */
  overAll: boolean
}

/** The rows of a list on a phone: name, first columns, actions in 更多. */
export const Cards = <Row extends HasId>(props: CardsProps<Row>) => {
  const { table, columns, nameOf, actions, selectable, open, overAll } = props
  const { rows, everything, tick, keyOf } = table
  const keys = rows.map(keyOf)
  const ticked = everything ? keys : table.ticked
  const opening = openingOf(columns)
  const fields = columns.filter((column) => column !== opening).slice(0, MOST)
  return (
    <>
      {selectable && (
        <Checkbox
          className="cards-all"
          checked={keys.every((key) => ticked.includes(key))}
          indeterminate={ticked.length > 0 && ticked.length < keys.length}
          onChange={(all) => tick(all ? keys : [])}
        >
          选择本页
        </Checkbox>
      )}
      <ul className="cards">
        {rows.map((row) => {
          const card = (
            <>
              <header>
                {selectable && (
                  <Checkbox
                    aria-label={`选择${nameOf(row)}`}
                    checked={ticked.includes(keyOf(row))}
                    onChange={(on) => tick(on ? [...ticked, keyOf(row)] : ticked.filter((key) => key !== keyOf(row)))}
                  />
                )}
                <button type="button" className="row-name" onClick={() => open(row)}>
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
            </>
          )
          return (
            <li key={keyOf(row)} className="card" data-row={keyOf(row)}>
              {overAll ? <OfSchool context={contextOfRow(row)}>{card}</OfSchool> : card}
            </li>
          )
        })}
      </ul>
    </>
  )
}
