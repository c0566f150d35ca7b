import type { ReactNode } from 'react'
import type { Operation } from '@/api/operation'
import { type BulkResult, bulkStep, step, withSchool } from '@/kit/actions'
import type { Column } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, OptionFilter, TextFilter } from '@/kit/filters'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type HasId, type PageOf, useQueryTable } from '@/kit/useQueryTable'

interface Filter {
  batchId?: number | null
  keyword?: string | null
  deletedBy?: string | null
  deletedFrom?: string | null
  deletedTo?: string | null
}

interface Deleted extends HasId {
  name: string
  version: number
}

type Items = (Pick<Deleted, 'id' | 'version' | 'schoolId'> & object)[]

interface BinProps<Asked extends Filter, Row extends Deleted, Query> {
  title: string
  help: string
  /** What lies here, in words: 预报名. */
  what: string
  list: Operation<undefined, Asked, PageOf<Row>>
  exports: Operation<{ job?: boolean | null } | undefined, unknown, Blob>
  recover: Operation<undefined, { items?: Items | null; filter?: object | null }, BulkResult>
  destroy: Operation<{ id: number }, undefined, unknown>
  destroyAll: Operation<undefined, { items: Items }, BulkResult>
  /** How its batches are asked for. */
  batches: { options: Operation<Query, undefined, Choice[]>; query: (keyword: string) => Query }
  columns: readonly Column<Row>[]
  file: (row: Row) => ReactNode
  /** How one comes back. */
  asBefore: string
  /** Which of several do not. */
  kept: string
  /** What goes when it is destroyed. */
  forGood: string
}

/** A recycle bin: what was deleted, to be had back, or destroyed by an operator (02 §8). */
export const Bin = <Asked extends Filter, Row extends Deleted, Query>(props: BinProps<Asked, Row, Query>) => {
  const { title, help, what, list, exports, recover, destroy, destroyAll, batches, columns, file } = props
  const { asBefore, kept, forGood } = props
  const table = useQueryTable(list)
  const itemOf = (row: Row) => withSchool(row, { id: row.id, version: row.version })
  return (
    <Page title={title} help={help} personal>
      <FilterBar table={table}>
        <OptionFilter of={list} field="batchId" {...batches} />
        <TextFilter of={list} field="keyword" />
        <TextFilter of={list} field="deletedBy" />
        <DateRangeFilter of={list} from="deletedFrom" to="deletedTo" label="删除日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.name}
        tools={<ExportButton do={exports} table={table} />}
        bulk={[
          bulkStep(recover, {
            label: '批量恢复',
            confirm: (count) => ({ title: `恢复选中的${count}条${what}？`, content: `${asBefore}${kept}` }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
            all: (filter) => ({ body: { filter } }),
          }),
          bulkStep(destroyAll, {
            label: '批量删除',
            danger: true,
            confirm: (count) => ({ title: `彻底删除选中的${count}条${what}？`, content: forGood }),
            input: () => ({ body: { items: table.tickedRows.map(itemOf) } }),
          }),
        ]}
        actionsWidth={120}
        file={file}
        actions={(row) => [
          step(recover, {
            label: '恢复',
            with: { body: { items: [itemOf(row)] } },
            confirm: { title: `恢复“${row.name}”的${what}？`, content: asBefore },
            done: `已恢复“${row.name}”的${what}`,
          }),
          step(destroy, {
            label: '删除',
            danger: true,
            with: { query: { id: row.id } },
            confirm: { title: `彻底删除“${row.name}”的${what}？`, content: forGood },
            done: `已彻底删除“${row.name}”的${what}`,
          }),
        ]}
        empty="回收站是空的。"
      />
    </Page>
  )
}
