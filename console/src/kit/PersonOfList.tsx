import { Descriptions } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { Operation } from '@/api/operation'
import type { Column } from './columns'
import { EditInPlace } from './EditInPlace'
import { PersonFile } from './PersonFile'
import { WhenSeen } from './WhenSeen'

interface PersonOfListProps<Row, Body> {
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
  /** Which single fields are corrected where they are read. */
  edit: { do: Operation<undefined, Body, unknown>; fields: readonly (keyof Body & string)[] }
  /** Who changed the record. */
  history: ReactNode
}

/** A person whose list tells all of them: teacher, staff. The same card as a student's, and the list's fields below it. */
export const PersonOfList = <Row extends { id: number }, Body>(props: PersonOfListProps<Row, Body>) => {
  const { label, row, columns, name, number, status, facts, edit, history } = props
  const written = (key: string) => columns.find((column) => column.key === key)
  const mended = (column: Column<Row>) => {
    const field = edit.fields.find((each) => each === column.key)
    if (!field) return column.render(row)
    return (
      <EditInPlace do={edit.do} field={field} label={column.title} record={row}>
        {column.render(row)}
      </EditInPlace>
    )
  }
  return (
    <PersonFile
      // What was typed of one person is never saved to the next.
      key={`${row.id}.${name}`}
      label={label}
      head={{
        name,
        photo: undefined,
        number,
        status: written(status)?.render(row),
        facts: facts.flatMap((key) => {
          const column = written(key)
          return column ? [{ label: column.title, value: mended(column) }] : []
        }),
      }}
      sections={[
        {
          title: '资料',
          content: (
            <Descriptions
              column={2}
              labelStyle={{ width: 112 }}
              data={columns.map((column) => ({
                key: column.key,
                label: column.title,
                // What is mended at the head is not mended twice.
                value: facts.includes(column.key) ? column.render(row) : mended(column),
              }))}
            />
          ),
        },
        { title: '操作日志', content: <WhenSeen>{history}</WhenSeen> },
      ]}
    />
  )
}
