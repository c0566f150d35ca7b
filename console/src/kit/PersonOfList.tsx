import { Descriptions } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { Column } from './columns'
import { PersonFile } from './PersonFile'
import { WhenSeen } from './WhenSeen'

interface PersonOfListProps<Row> {
  label: string
  row: Row
  /** All that the list knows of the person. */
  columns: readonly Column<Row>[]
  name: string
  /** 工号: to be copied. */
  number: { label: string; value: string | null | undefined }
  /** By key: the state, and what is asked first. */
  status: string
  facts: readonly string[]
  /** Who changed the record. */
  history: ReactNode
}

/** A person whose list tells all of them: teacher, staff. The same card as a student's, and the list's fields below it. */
export const PersonOfList = <Row,>(props: PersonOfListProps<Row>) => {
  const { label, row, columns, name, number, status, facts, history } = props
  const written = (key: string) => columns.find((column) => column.key === key)
  return (
    <PersonFile
      label={label}
      head={{
        name,
        photo: undefined,
        number,
        status: written(status)?.render(row),
        facts: facts.flatMap((key) => {
          const column = written(key)
          return column ? [{ label: column.title, value: column.render(row) }] : []
        }),
      }}
      sections={[
        {
          title: '资料',
          content: (
            <Descriptions
              column={2}
              labelStyle={{ width: 112 }}
              data={columns.map((column) => ({ key: column.key, label: column.title, value: column.render(row) }))}
            />
          ),
        },
        { title: '操作日志', content: <WhenSeen>{history}</WhenSeen> },
      ]}
    />
  )
}
