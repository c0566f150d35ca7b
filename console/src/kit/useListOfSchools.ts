import type { ReactNode } from 'react'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import type { BulkEntry, RowAction } from './actions'
import type { Column } from './columns'
import { useSchoolChoice } from './schoolChoice'
import type { HasId } from './useQueryTable'

export const SCHOOL_COLUMN = 'schoolName'
const CHOOSE_PX = 110

/** The column whose value opens the row: the screen's first. */
export const openingOf = <Row>(columns: readonly Column<Row>[]) => columns.find(({ key }) => key !== SCHOOL_COLUMN)

const schoolColumn = <Row extends HasId>(): Column<Row> => ({
  key: SCHOOL_COLUMN,
  title: '院校',
  width: 180,
  align: 'left',
  fixed: 'left',
  hidden: false,
  render: (row) => row.schoolName ?? '',
})

const schoolOfRow = ({ schoolId, schoolName }: HasId) =>
  schoolId ? { code: schoolId, desc: schoolName ?? '' } : undefined

/** What a screen says of its list, as far as it depends on whose rows these are. */
interface Wished<Row extends HasId> {
  columns: readonly Column<Row>[]
  actions?: (row: Row) => readonly RowAction[]
  actionsWidth?: number
  bulk?: readonly BulkEntry[]
  primary?: ReactNode
  tools?: ReactNode
}

/**
 * The list as an operator sees it: the school stands first. Over all schools a row can only be looked at, or its school
 * be chosen: what makes or changes rows needs the one school and hides by itself, and so does an order of one's own. The
 * export goes over all of them, and a step over ticked rows where its items name their schools.
 */
export const useListOfSchools = <Row extends HasId>(
  { operation, rows }: { operation: OperationMeta; rows: readonly Row[] },
  { columns, actions, actionsWidth, bulk = [], primary, tools }: Wished<Row>,
): Wished<Row> & { bulk: readonly BulkEntry[] } => {
  const context = useSchoolContext()
  const choice = useSchoolChoice()
  const allowed = useAllowed()
  if (context.area === 'school') return { columns, actions, actionsWidth, bulk, primary, tools }
  // A list of one school may say nothing of it.
  const untold = rows.length > 0 && rows.every(({ schoolName }) => schoolName == null)
  const all = untold ? columns : [schoolColumn<Row>(), ...columns]
  if (!isOverAll(context)) {
    const acts = rows.some((row) => actions?.(row).some((action) => allowed(action.do)))
    return {
      columns: all,
      actions: acts ? actions : undefined,
      actionsWidth,
      bulk: bulk.filter((entry) => allowed(entry.do)),
      primary,
      tools,
    }
  }
  // A sum of all schools is none of them.
  const choosing = (row: Row): RowAction[] =>
    schoolOfRow(row)
      ? [
          {
            label: '选定院校',
            do: operation,
            onClick: () => choice?.choose(schoolOfRow(row), { list: operation.id, row }),
          },
        ]
      : []
  return {
    columns: all.map((column) => ({ ...column, sort: undefined })),
    actions: choosing,
    actionsWidth: CHOOSE_PX,
    bulk: bulk.filter((entry) => entry.do.many && allowed(entry.do)),
    primary,
    tools,
  }
}
