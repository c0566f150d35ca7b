import { Table as ArcoTable, Button, Empty, Pagination, Result, Skeleton } from '@arco-design/web-react'
import type { MouseEvent, ReactNode } from 'react'
import { messageOf } from '@/api/errors'
import type { BulkAction, RowAction } from './actions'
import { arcoColumns } from './arcoColumns'
import { BulkBar } from './BulkBar'
import { Cards } from './Cards'
import type { Column } from './columns'
import { DetailDrawer } from './DetailDrawer'
import { formatNumber } from './format'
import { TableTools } from './TableTools'
import { useTableSettings } from './tableSettings'
import { useHeight } from './useHeight'
import { usePhone, usePrinting } from './useMedia'
import type { HasId, useQueryTable } from './useQueryTable'

interface QueryTableProps<Body, Row extends HasId> {
  table: ReturnType<typeof useQueryTable<Body, Row>>
  columns: readonly Column<Row>[]
  /** What a row is called: the name of its checkbox and of its detail. */
  nameOf: (row: Row) => string
  actions?: (row: Row) => readonly RowAction[]
  actionsWidth?: number
  bulk?: readonly BulkAction[]
  detail?: (row: Row) => ReactNode
  /** Stands in the drawer instead of the list's fields. */
  file?: (row: Row) => ReactNode
  /** Primary action at the left of the toolbar. */
  primary?: ReactNode
  /** Import and export at its right. */
  tools?: ReactNode
  /** Why there is nothing yet, and what to do next. */
  empty: ReactNode
}

const HEAD_PX = 41
const LEAST_BODY_PX = 160
const SELECT_PX = 44

/** A list on its page: toolbar, bulk bar, table, pager, detail. */
export const QueryTable = <Body, Row extends HasId>(props: QueryTableProps<Body, Row>) => {
  const { table, columns, nameOf, actions, bulk = [], detail, file, primary, tools, empty } = props
  const { query, rows, total, sorting } = table
  const settings = useTableSettings(table.operation.id, columns)
  const [box, height] = useHeight()
  const printing = usePrinting()
  const phone = usePhone() && !printing
  const { openId, setOpenId } = table
  const at = rows.findIndex((row) => row.id === openId)
  const shown = columns.filter((column) => column.fixed || !settings.hidden.includes(column.key))
  const actionsWidth = props.actionsWidth ?? 200

  const move = (step: 1 | -1) => {
    const next = rows[at + step]
    if (!next) return
    setOpenId(next.id)
    document.querySelector(`[data-row="${next.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const nothing = query.isError ? null : table.isFiltered ? (
    <Empty
      description={
        <>
          没有符合筛选条件的记录
          <Button type="text" onClick={table.reset}>
            清除筛选
          </Button>
        </>
      }
    />
  ) : (
    <Empty description={empty} />
  )

  return (
    <>
      <div className="toolbar">
        {primary}
        <div className="toolbar-right">
          {tools}
          <TableTools columns={columns} settings={settings} onRefresh={() => query.refetch()} />
        </div>
      </div>
      <BulkBar actions={bulk} table={table} />
      <div className={query.isPlaceholderData ? 'table-box table-stale' : 'table-box'} ref={box}>
        {query.isPending && <Skeleton className="table-skeleton" text={{ rows: 10 }} animation />}
        {query.isError && (
          <Result
            status="error"
            title="列表没有加载成功"
            subTitle={messageOf(query.error)}
            extra={<Button onClick={() => query.refetch()}>重试</Button>}
          />
        )}
        {phone && query.data && !query.isError && rows.length === 0 && nothing}
        {phone && query.data && !query.isError && rows.length > 0 && (
          <Cards
            table={table}
            columns={shown}
            nameOf={nameOf}
            actions={actions}
            selectable={bulk.length > 0}
            open={setOpenId}
          />
        )}
        {!phone && query.data && !query.isError && (
          <ArcoTable
            rowKey="id"
            size={settings.density}
            border={{ wrapper: true }}
            data={rows}
            pagination={false}
            noDataElement={nothing}
            scroll={
              printing
                ? undefined
                : {
                    x:
                      shown.reduce((sum, column) => sum + column.width, actions ? actionsWidth : 0) +
                      (bulk.length ? SELECT_PX : 0),
                    y: Math.max(LEAST_BODY_PX, height - HEAD_PX),
                  }
            }
            rowSelection={
              bulk.length > 0 && !printing
                ? {
                    type: 'checkbox',
                    fixed: true,
                    columnWidth: SELECT_PX,
                    selectedRowKeys: [...(table.everything ? rows.map((row) => row.id) : table.selected)],
                    onChange: (keys) => table.select(keys.map(Number)),
                    checkboxProps: (row) => ({ 'aria-label': `选择${nameOf(row)}` }),
                  }
                : undefined
            }
            onChange={(_, sorter) => {
              const order = Array.isArray(sorter) ? sorter[0] : sorter
              const direction = order?.direction
              table.setSorting(
                direction && order?.field
                  ? { field: String(order.field), order: direction === 'descend' ? 'desc' : 'asc' }
                  : undefined,
              )
            }}
            onRow={(row) => ({
              'data-row': row.id,
              className: row.id === openId ? 'row-open' : undefined,
              onClick: (event: MouseEvent) => {
                const own = event.target instanceof Element && event.target.closest('button, a, input, label')
                if (!own) setOpenId(row.id)
              },
            })}
            columns={arcoColumns({ shown, sorting, open: setOpenId, actions, actionsWidth, printing })}
          />
        )}
      </div>
      <Pagination
        className="pager"
        size="small"
        current={table.pageCurrent}
        pageSize={table.pageSize}
        total={total}
        showTotal={(count) => `共 ${formatNumber(count)} 条`}
        sizeCanChange={!phone}
        pageItemStyle={phone ? { margin: 0 } : undefined}
        sizeOptions={[20, 50, 100, 200, 500]}
        showJumper={!phone && total > table.pageSize * 5}
        onChange={table.setPage}
      />
      <DetailDrawer
        title={at >= 0 && rows[at] ? nameOf(rows[at]) : ''}
        row={rows[at]}
        columns={columns}
        more={detail}
        file={file}
        onMove={move}
        onClose={() => {
          // The focus goes on from the row that was looked at last.
          document.querySelector<HTMLElement>(`[data-row="${openId}"] .row-name`)?.focus()
          setOpenId(undefined)
        }}
      />
    </>
  )
}
