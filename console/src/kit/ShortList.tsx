import { Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { Operation } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Column } from './columns'
import { formatNumber } from './format'
import { Loaded } from './Loaded'
import { FIRST_PAGE, type HasId, type PageOf } from './useQueryTable'

/** So many are shown at most; who looks for more looks on the page of them all. */
const MOST = 200

/** What is wider than the file scrolls, and without anything to press it takes the focus itself. */
const scrolls = (table: HTMLDivElement | null) =>
  table?.querySelector('.arco-table-content-inner')?.setAttribute('tabindex', '0')

interface ShortListProps<Body, Row extends HasId> {
  of: Operation<undefined, Body, PageOf<Row>>
  filter: Partial<Body>
  columns: readonly Column<Row>[]
  /** What the page of them all is called. */
  page: string
  empty: string
}

/** What hangs on a record, within its file: to look at only. */
export const ShortList = <Body, Row extends HasId>({ of, filter, columns, page, empty }: ShortListProps<Body, Row>) => {
  const request = useRequest()
  const body = { ...filter, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const rows = useQuery({
    queryKey: [of.path, body],
    queryFn: ({ signal }) => request(of, { body }, { signal }),
  })
  return (
    <Loaded query={rows}>
      {({ list, totalCount }) => (
        <>
          <div ref={scrolls}>
            <Table
              rowKey="id"
              size="small"
              border={{ wrapper: true }}
              pagination={{ pageSize: 10, hideOnSinglePage: true }}
              scroll={{ x: columns.reduce((sum, { width }) => sum + width, 0) }}
              data={list}
              noDataElement={<Empty description={empty} />}
              columns={columns.map((column) => ({
                title: column.title,
                dataIndex: column.key,
                width: column.width,
                align: column.align,
                render: (_: unknown, row: Row) => column.render(row),
              }))}
            />
          </div>
          {totalCount > MOST && (
            <p>
              共{formatNumber(totalCount)}条，这里显示前{formatNumber(MOST)}条，全部在“{page}”中查看。
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

/** The same under its heading, for those who may see it. */
export const TitledList = <Body, Row extends HasId>({
  title,
  of,
  filter,
  columns,
  page,
  empty,
}: ShortListProps<Body, Row> & { title: string }) =>
  useAllowed()(of) ? (
    <>
      <h4>{title}</h4>
      <ShortList of={of} filter={filter} columns={columns} page={page} empty={empty} />
    </>
  ) : null
