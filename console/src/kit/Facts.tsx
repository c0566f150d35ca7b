import { Descriptions } from '@arco-design/web-react'
import type { Column } from './columns'

interface FactsProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
}

/** A row with the columns of its list below each other. */
export const Facts = <Row,>({ row, columns }: FactsProps<Row>) => (
  <Descriptions
    column={1}
    labelStyle={{ width: 112 }}
    data={columns.map((column) => ({ key: column.key, label: column.title, value: column.render(row) }))}
  />
)
