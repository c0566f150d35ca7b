import { Skeleton, Table, type TableColumnProps, type TableProps } from '@arco-design/web-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BulkEntry, RowAction } from './actions'
import { BulkBar } from './BulkBar'
import { Expander } from './Expander'
import { Failed } from './Loaded'
import { RowActions } from './RowActions'
import { flat, type Nested } from './treeOrder'
import { usePhone } from './useMedia'

interface TreeTableProps<Row extends Nested<Row>> extends Pick<TableProps<Row>, 'onRow' | 'scroll' | 'size'> {
  query: Pick<UseQueryResult<unknown>, 'isPending' | 'isError' | 'error' | 'data' | 'refetch'>
  /** What is shown of what came. */
  rows: Row[]
  /** What is listed, for the sentence of a failure. */
  what?: string
  nameOf: (row: Row) => string
  columns: readonly TableColumnProps<Row>[]
  actions: (row: Row) => readonly RowAction[]
  actionsWidth?: number
  /** Rows get boxes for these; `body` is what the list was asked for. */
  bulk?: { actions: readonly BulkEntry[]; body: object }
  /** Branches begin closed, where the tree is too long to be seen whole. */
  folded?: boolean
  empty: ReactNode
}

const FOLDED_ACTIONS_PX = 90

/** Which boxes are ticked. */
const useTicks = (all: readonly { id: number }[]) => {
  const [ticked, tick] = useState<readonly number[]>([])
  return {
    // What is no longer shown is not acted on.
    selected: ticked.filter((id) => all.some((row) => row.id === id)),
    tick,
    everything: false,
    total: all.length,
    selectEverything: () => tick(all.map(({ id }) => id)),
    clearSelection: () => tick([]),
  }
}

/** A tree that comes whole, with its branches open, its rows' actions, and what is done with ticked rows. */
export const TreeTable = <Row extends Nested<Row>>(props: TreeTableProps<Row>) => {
  const {
    query,
    rows,
    what = '列表',
    nameOf,
    columns,
    actions,
    actionsWidth = 230,
    bulk,
    folded = false,
    empty,
  } = props
  const { onRow, scroll, size } = props
  const phone = usePhone()
  const all = flat(rows)
  const byId = new Map(all.map((row) => [row.id, row]))
  const ticks = useTicks(all)
  return (
    <>
      {bulk && <BulkBar actions={bulk.actions} table={{ ...ticks, body: bulk.body }} />}
      {query.isPending && <Skeleton text={{ rows: 8 }} animation />}
      {query.isError && <Failed error={query.error} retry={() => query.refetch()} title={`${what}没有加载成功`} />}
      {query.data !== undefined && (
        <Table<Row>
          // Arco opens the branches that are there at first; a new one is opened by beginning anew.
          key={
            folded
              ? 'folded'
              : all
                  .map(({ id }) => id)
                  .sort((a, b) => a - b)
                  .join()
          }
          rowKey="id"
          size={size}
          data={rows}
          pagination={false}
          border={{ wrapper: true }}
          defaultExpandAllRows={!folded}
          expandProps={{
            icon: ({ expanded, record, ...button }) => {
              const row = byId.get(Number(record.id))
              return row?.children.length ? <Expander {...button} expanded={expanded} name={nameOf(row)} /> : null
            },
          }}
          rowSelection={
            bulk && {
              type: 'checkbox',
              checkStrictly: true,
              selectedRowKeys: ticks.selected,
              onChange: (keys) => ticks.tick(keys.map(Number)),
              checkboxProps: (row) => ({ 'aria-label': `选择${nameOf(row)}` }),
            }
          }
          onRow={onRow}
          noDataElement={empty}
          scroll={scroll}
          columns={[
            ...columns,
            {
              title: '操作',
              dataIndex: 'actions',
              width: phone ? FOLDED_ACTIONS_PX : actionsWidth,
              fixed: scroll && 'right',
              render: (_: unknown, row: Row) => <RowActions folded={phone} actions={actions(row)} />,
            },
          ]}
        />
      )}
    </>
  )
}
