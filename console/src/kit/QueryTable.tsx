import { Table as ArcoTable, Pagination, Skeleton } from '@arco-design/web-react'
import type { MouseEvent, ReactNode } from 'react'
import { useAllowed } from '@/api/identity'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import type { BulkEntry, RowAction } from './actions'
import { arcoColumns } from './arcoColumns'
import { BulkBar } from './BulkBar'
import { Cards } from './Cards'
import type { Column } from './columns'
import { DetailDrawer } from './DetailDrawer'
import { formatNumber } from './format'
import { Failed } from './Loaded'
import { Nothing } from './Nothing'
import { contextOfRow, TableRowOfSchool } from './OfSchool'
import { NotFoundNames } from './PasteNames'
import { SavedViews } from './SavedViews'
import { SchoolNotices } from './SchoolNotices'
import { type ShownColumns, ShownColumnsContext } from './shownColumns'
import { TableTools } from './TableTools'
import { stacked, useTableSettings } from './tableSettings'
import { useHeight } from './useHeight'
import { useListOfSchools } from './useListOfSchools'
import { usePhone, usePrinting } from './useMedia'
import { useOpened } from './useOpened'
import type { HasId, useQueryTable } from './useQueryTable'

interface QueryTableProps<Body, Row extends HasId> {
  table: ReturnType<typeof useQueryTable<Body, Row>>
  columns: readonly Column<Row>[]
  /** What a row is called: the name of its checkbox and of its detail. */
  nameOf: (row: Row) => string
  actions?: (row: Row) => readonly RowAction[]
  actionsWidth?: number
  bulk?: readonly BulkEntry[]
  detail?: (row: Row) => ReactNode
  /** Stands in the drawer instead of the list's fields. */
  file?: (row: Row) => ReactNode
  /** Rows can be dragged to another place (`useListOrder`). */
  order?: { row: (row: Row) => { className: string | undefined } }
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

const rowsOfSchools = { body: { row: TableRowOfSchool } }

/** A list on its page: toolbar, bulk bar, table, pager, detail. */
export const QueryTable = <Body, Row extends HasId>(props: QueryTableProps<Body, Row>) => {
  const { table, nameOf, detail, file, order, empty } = props
  const allowed = useAllowed()
  const offered = useListOfSchools(table, props)
  const { columns, primary, tools, actionsWidth = 200 } = offered
  const { query, rows, total, sorting, keyOf, openKey, open } = table
  // What nobody may do here takes no room: no column of actions, no ticks.
  const bulk = offered.bulk.filter((action) => allowed(action.do))
  const hasActions = rows.some((row) => offered.actions?.(row).some((action) => allowed(action.do)))
  const actions = hasActions ? offered.actions : undefined
  const settings = useTableSettings(table.operation.id, columns)
  const [box, height] = useHeight()
  const printing = usePrinting()
  const phone = usePhone() && !printing
  const context = useSchoolContext()
  const overAll = isOverAll(context)
  const opened = useOpened(table)
  // Rows of many schools come newest first, and in no other order.
  const shown = overAll ? settings.shown.map((column) => ({ ...column, sort: undefined })) : settings.shown

  const at = rows.findIndex((row) => keyOf(row) === openKey)
  const toRow = (row: Row | undefined) =>
    row &&
    (() => {
      open(row)
      document.querySelector(`[data-row="${keyOf(row)}"]`)?.scrollIntoView({ block: 'nearest' })
    })
  const columnsShown: ShownColumns = {
    list: table.operation.id,
    keys: settings.shown.map(({ key }) => key),
    titles: settings.shown.map(({ title }) => title),
    show: settings.show,
  }
  /** The number that stands beneath the name, as plain text. */
  const numberOf = (row: HasId) => {
    const field = columns.find(({ under }) => under)?.key
    const known = rows.find((each) => keyOf(each) === keyOf(row)) ?? table.tickedRows.find((each) => each.id === row.id)
    const value = field && known ? Object.entries(known).find(([name]) => name === field)?.[1] : undefined
    return typeof value === 'string' ? value : undefined
  }
  const nothing = (
    <Nothing filtered={table.isFiltered} reset={table.reset} empty={overAll ? '所查看的院校还没有记录' : empty} />
  )

  return (
    <>
      <div className="toolbar">
        {primary}
        <div className="toolbar-right">
          <ShownColumnsContext.Provider value={columnsShown}>
            {tools}
            <SavedViews operation={table.operation} />
          </ShownColumnsContext.Provider>
          <TableTools settings={settings} onRefresh={() => query.refetch()} />
        </div>
        <BulkBar actions={bulk} table={table} numberOf={numberOf} />
      </div>
      <SchoolNotices operation={table.operation} notices={table.notices} />
      <NotFoundNames names={table.notFound} total={total} />
      <div className={query.isPlaceholderData ? 'table-box table-stale' : 'table-box'} ref={box}>
        {query.isPending && <Skeleton className="table-skeleton" text={{ rows: 10 }} animation />}
        {query.isError && <Failed error={query.error} retry={() => query.refetch()} title="列表没有加载成功" />}
        {phone && query.data && !query.isError && rows.length === 0 && nothing}
        {phone && query.data && !query.isError && rows.length > 0 && (
          <Cards
            table={table}
            columns={shown}
            nameOf={nameOf}
            actions={actions}
            selectable={bulk.length > 0}
            open={open}
            overAll={overAll}
          />
        )}
        {!phone && query.data && !query.isError && (
          <ArcoTable
            rowKey={keyOf}
            components={overAll ? rowsOfSchools : undefined}
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
                      stacked(shown).reduce((sum, column) => sum + column.width, actions ? actionsWidth : 0) +
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
                    selectedRowKeys: [...(table.everything ? rows.map(keyOf) : table.ticked)],
                    preserveSelectedRowKeys: true,
                    onChange: (keys) => table.tick(keys.map(String)),
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
              ...order?.row(row),
              'data-row': keyOf(row),
              className: keyOf(row) === openKey ? 'row-open' : order?.row(row).className,
              onClick: (event: MouseEvent) => {
                const own = event.target instanceof Element && event.target.closest('button, a, input, label')
                if (!own) open(row)
              },
            })}
            columns={arcoColumns({
              shown,
              sorting,
              open,
              onSort: table.setSorting,
              setWidth: settings.setWidth,
              actions,
              actionsWidth,
              printing,
            })}
          />
        )}
      </div>
      <Pagination
        className="pager"
        size="small"
        current={table.pageCurrent}
        pageSize={table.pageSize}
        total={total}
        showTotal={(count) => query.data && `共 ${formatNumber(count)} 条`}
        sizeCanChange={!phone}
        pageItemStyle={phone ? { margin: 0 } : undefined}
        sizeOptions={[20, 50, 100, 200, 500]}
        showJumper={!phone && total > table.pageSize * 5}
        onChange={table.setPage}
      />
      <DetailDrawer
        title={opened ? [nameOf(opened), overAll && opened.schoolName].filter(Boolean).join(' · ') : ''}
        row={opened}
        context={overAll && opened ? contextOfRow(opened) : context}
        columns={columns}
        more={detail}
        file={file}
        actions={actions}
        previous={toRow(rows[at - 1])}
        next={at < 0 ? undefined : toRow(rows[at + 1])}
        onClose={() => {
          // The focus goes on from the row that was looked at last.
          document.querySelector<HTMLElement>(`[data-row="${openKey}"] .row-name`)?.focus()
          open(undefined)
        }}
      />
    </>
  )
}
