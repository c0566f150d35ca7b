import { Empty, Table } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { summarizeSiteEnrollments } from './api'

/** A major of a batch, as the tables of plans name it. */
interface Major {
  majorName: string
  majorCode: string
  levelName: string
  studyForm: string
}

export interface MajorColumn<Row> {
  title: string
  width?: number
  align?: 'right'
  of: (row: Row) => ReactNode
}

interface MajorTableProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => number
  /** Beside the major itself. */
  columns: readonly MajorColumn<Row>[]
  empty: string
  /** Below all rows. */
  foot?: ReactNode
}

const studyForms = new Map<string, string>(summarizeSiteEnrollments.columns.studyForm?.options)
const MAJOR_PX = 200
const FORM_PX = 140

/** A line a major, with figures beside it. */
export const MajorTable = <Row extends Major>({ rows, keyOf, columns, empty, foot }: MajorTableProps<Row>) => (
  <Table
    rowKey={(row: Row) => String(keyOf(row))}
    size="small"
    border={{ wrapper: true }}
    pagination={false}
    data={[...rows]}
    noDataElement={<Empty description={empty} />}
    scroll={{ x: columns.reduce((sum, { width = 0 }) => sum + width, MAJOR_PX + FORM_PX) }}
    summary={foot ? () => foot : undefined}
    columns={[
      {
        title: '专业',
        dataIndex: 'majorName',
        width: MAJOR_PX,
        render: (_: unknown, { majorName, majorCode }: Row) => `${majorName} ${majorCode}`,
      },
      {
        title: '层次、学习形式',
        dataIndex: 'levelName',
        width: FORM_PX,
        render: (_: unknown, { levelName, studyForm }: Row) => `${levelName} ${studyForms.get(studyForm) ?? ''}`,
      },
      ...columns.map(({ title, width, align, of }) => ({
        title,
        dataIndex: title,
        width,
        align,
        render: (_: unknown, row: Row) => of(row),
      })),
    ]}
  />
)
