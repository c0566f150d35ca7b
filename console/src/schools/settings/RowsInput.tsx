import { Button } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import type { SettingInputProps } from './settingWords'
import { isRecord } from './settingWords'
import { ValueInput } from './ValueInput'

/** A small table of values, a row each. */
export const RowsInput = ({ setting, value, onChange }: SettingInputProps) => {
  const rows = Array.isArray(value) ? value.filter(isRecord) : []
  const most = setting.maxLength ?? Number.MAX_SAFE_INTEGER
  return (
    <div className="setting-rows">
      {rows.length > 0 && (
        <table aria-label={setting.name}>
          <thead>
            <tr>
              <th scope="col">序号</th>
              {setting.parts.map(({ key, name }) => (
                <th key={key} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">操作</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
              <tr key={at}>
                <td>{at + 1}</td>
                {setting.parts.map((part) => (
                  <td key={part.key}>
                    <ValueInput
                      of={part}
                      value={row[part.key]}
                      onChange={(changed) => onChange?.(rows.with(at, { ...row, [part.key]: changed }))}
                      aria-label={`第${at + 1}行${part.name}`}
                    />
                  </td>
                ))}
                <td>
                  <Button
                    type="text"
                    status="danger"
                    icon={<IconDelete />}
                    aria-label={`删除第${at + 1}行`}
                    onClick={() => onChange?.(rows.toSpliced(at, 1))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        icon={<IconPlus />}
        disabled={rows.length >= most}
        onClick={() => onChange?.([...rows, {}])}
        aria-label={`${setting.name}：添加一行`}
      >
        添加一行
      </Button>
    </div>
  )
}
