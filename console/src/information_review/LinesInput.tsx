import { Button, Input } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'

interface LineColumn<Name extends string> {
  name: Name
  label: string
  width?: number
  placeholder?: string
  maxLength: number
}

interface LinesInputProps<Name extends string> {
  columns: readonly LineColumn<Name>[]
  /** As many as a form takes. */
  most?: number
  value?: Partial<Record<Name, string | null>>[]
  onChange?: (lines: Partial<Record<Name, string | null>>[]) => void
  'aria-label'?: string
}

/** Lines of texts, such as a résumé: typed in place, one below the other. */
export const LinesInput = <Name extends string>(props: LinesInputProps<Name>) => {
  const { columns, most = 20, value = [], onChange, 'aria-label': label = '' } = props
  const type = (at: number, name: Name, text: string) =>
    onChange?.(value.map((line, each) => (each === at ? { ...line, [name]: text || null } : line)))
  return (
    <div className="information-lines">
      {value.length > 0 && (
        <table className="information-items" aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" style={{ width: column.width }}>
                  {column.label}
                </th>
              ))}
              <th scope="col" style={{ width: 60 }}>
                操作
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its place
              <tr key={at}>
                {columns.map(({ name, label: words, placeholder, maxLength }) => (
                  <td key={name}>
                    <Input
                      aria-label={`第${at + 1}行${words}`}
                      placeholder={placeholder}
                      maxLength={maxLength}
                      value={line[name] ?? ''}
                      onChange={(text) => type(at, name, text)}
                    />
                  </td>
                ))}
                <td>
                  <Button
                    type="text"
                    status="danger"
                    icon={<IconDelete />}
                    aria-label={`删除${label}第${at + 1}行`}
                    onClick={() => onChange?.(value.toSpliced(at, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        icon={<IconPlus />}
        disabled={value.length >= most}
        aria-label={`${label}：添加一行`}
        onClick={() => onChange?.([...value, {}])}
      >
        添加一行
      </Button>
    </div>
  )
}
