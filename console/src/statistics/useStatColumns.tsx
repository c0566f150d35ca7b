import { Link } from 'react-router'
import type { StatRow, StatTable as Table } from '@/api/types/statistics'
import { type Column, leastWidth } from '@/kit/columns'
import { useAddress } from '@/kit/useAddress'
import { type Below, cellWords, isTotal, isWrong } from './statRules'

const NAME_PX = 180
const widths = { text: 130, count: 96, decimal: 104, percent: 96 } as const

/** The address with what a row narrows it to. */
const narrowed = (search: URLSearchParams, filters: Record<string, string | undefined>) => {
  const after = new URLSearchParams(search)
  for (const name of ['pageCurrent', 'open', 'sortField', 'sortOrder']) after.delete(name)
  for (const [name, value] of Object.entries(filters)) {
    if (value) after.set(name, value)
    else after.delete(name)
  }
  return `?${after}`
}

/** The columns that an answer tells; its counts lead to the level below, with all filters kept. */
export const useStatColumns = (table: Table | undefined, overAll: boolean, below: Below): Column<StatRow>[] => {
  const [search] = useAddress()
  if (!table) return []
  const name: Column<StatRow> = {
    key: 'name',
    title: table.nameTitle,
    width: NAME_PX,
    align: 'left',
    fixed: 'left',
    hidden: false,
    render: ({ name }) => name,
  }
  const figures = table.columns.map((column, at): Column<StatRow> => {
    const { key, title, help, kind } = column
    return {
      key,
      title,
      help: help ?? undefined,
      width: Math.max(widths[kind], leastWidth(title, Number(Boolean(help)), [])),
      align: kind === 'text' ? 'left' : 'right',
      hidden: false,
      render: (row) => {
        const cell = row.cells[at]
        const words = cellWords(column, cell)
        if (isWrong(column, cell)) return <span className="stat-wrong">{words}</span>
        const deeper = kind === 'count' && cell?.number && !isTotal(row) && !overAll ? below(row) : undefined
        if (!deeper) return words
        return (
          <Link className="overview-link" to={narrowed(search, deeper)} title={`查看${row.name}的${title}`}>
            {words}
          </Link>
        )
      },
    }
  })
  // Over schools the list itself says whose a row is.
  return overAll ? figures : [name, ...figures]
}
