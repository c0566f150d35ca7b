import { Empty, Table, type TableColumnProps } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LooseInput } from '@/api/client'
import type { Operation } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { RowAction } from './actions'
import { Failed } from './Loaded'
import { RowActions } from './RowActions'
import { FIRST_PAGE, type HasId, type PageOf } from './useQueryTable'

const PAGE = 20
const ACTIONS_PX = 190

interface DrawerListProps<Body, Row extends HasId> {
  of: Operation<undefined, Body, PageOf<Row>>
  /** What the rows belong to, and what was typed to narrow them. */
  filter: object
  columns: TableColumnProps<Row>[]
  actions?: (row: Row) => RowAction[]
  empty: string
  /** Rows that can be ticked, and those that are. */
  ticked?:
    | {
        rows: readonly Row[]
        onChange: (rows: Row[]) => void
        may: (row: Row) => boolean
        nameOf: (row: Row) => string
      }
    | undefined
}

/** A list within a drawer: its page is its own and not the address's. */
export const DrawerList = <Body, Row extends HasId>(props: DrawerListProps<Body, Row>) => {
  const { of, filter, columns, actions, empty, ticked } = props
  const request = useRequest()
  const asked = JSON.stringify(filter)
  const [at, setAt] = useState({ asked, page: FIRST_PAGE })
  const pageCurrent = at.asked === asked ? at.page : FIRST_PAGE
  const query = useQuery({
    queryKey: [of.path, asked, pageCurrent],
    queryFn: ({ signal }) => {
      const input: LooseInput = { body: { ...filter, pageCurrent, pageSize: PAGE } }
      return request(of, input, { signal })
    },
    // From page to page the rows stay until the others come; those of another filter may be somebody else's.
    placeholderData: (before, former) => (former?.queryKey[1] === asked ? before : undefined),
  })
  const rows = query.data?.list ?? []
  /** What was ticked on another page stays so. */
  const tick = (keys: readonly (string | number)[]) => {
    const known = new Map([...(ticked?.rows ?? []), ...rows].map((row) => [row.id, row]))
    ticked?.onChange(keys.flatMap((key) => known.get(Number(key)) ?? []))
  }
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  const all: TableColumnProps<Row>[] = actions
    ? [
        ...columns,
        {
          title: '操作',
          width: ACTIONS_PX,
          fixed: 'right',
          render: (_: unknown, row: Row) => <RowActions actions={actions(row)} />,
        },
      ]
    : columns
  return (
    <Table<Row>
      rowKey="id"
      size="small"
      loading={query.isPending || query.isPlaceholderData}
      data={rows}
      border={{ wrapper: true }}
      scroll={{ x: 'max-content' }}
      pagination={{
        current: pageCurrent,
        pageSize: PAGE,
        total: query.data?.totalCount ?? 0,
        onChange: (page) => setAt({ asked, page }),
        showTotal: true,
        // Whoever removed the last row of a later page goes back by it.
        hideOnSinglePage: pageCurrent === FIRST_PAGE,
      }}
      rowSelection={
        ticked && {
          type: 'checkbox',
          preserveSelectedRowKeys: true,
          selectedRowKeys: ticked.rows.map(({ id }) => id),
          onChange: tick,
          checkboxProps: (row: Row) => ({ disabled: !ticked.may(row), 'aria-label': `选择${ticked.nameOf(row)}` }),
        }
      }
      noDataElement={<Empty description={empty} />}
      columns={all}
    />
  )
}
