import { useEffect, useRef } from 'react'
import { useSchoolChoice } from './schoolChoice'
import type { HasId, useQueryTable } from './useQueryTable'

interface Seen<Row> {
  key: string
  row: Row
  /** How many rows the list had. */
  total: number
}

/**
 * The row whose detail is shown: one of the page; or the one by which its school was chosen, wherever it stands now; or, where
 * others took its place on the page, as it was seen last. A list that has become shorter without it has lost it.
 */
export const useOpened = <Body, Row extends HasId>(
  table: Pick<
    ReturnType<typeof useQueryTable<Body, Row>>,
    'operation' | 'query' | 'rows' | 'total' | 'keyOf' | 'openKey'
  >,
) => {
  const { operation, query, rows, total, keyOf, openKey } = table
  const chosen = useSchoolChoice()?.row
  // Not a state: some tables make their rows anew each time they are painted.
  const seen = useRef<Seen<Row>>(undefined)
  const isOpen = (row: HasId) => keyOf(row) === openKey
  // A row of the same list, seen from another side.
  const brought = chosen?.list === operation.id && isOpen(chosen.row) ? (chosen.row as Row) : undefined
  const here = rows.find(isOpen)
  const last = seen.current?.key === openKey ? seen.current : undefined
  const isGone = last !== undefined && !here && query.data !== undefined && total < last.total
  useEffect(() => {
    if (here && openKey) seen.current = { key: openKey, row: here, total }
    // Rows that are added later do not bring it back.
    else if (isGone) seen.current = undefined
  })
  return here ?? brought ?? (isGone ? undefined : last?.row)
}
