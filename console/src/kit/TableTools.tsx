import { Button, Checkbox, Dropdown, Menu, Popover, Tooltip } from '@arco-design/web-react'
import { IconLineHeight, IconRefresh, IconSettings } from '@arco-design/web-react/icon'
import type { Column } from './columns'
import type { Density, useTableSettings } from './tableSettings'
import { usePhone } from './useMedia'

interface TableToolsProps<Row> {
  columns: readonly Column<Row>[]
  settings: ReturnType<typeof useTableSettings<Row>>
  onRefresh: () => void
}

const densities: readonly (readonly [Density, string])[] = [
  ['default', '宽松'],
  ['middle', '适中'],
  ['small', '紧凑'],
]

/** Refresh, density and column chooser at the right of the toolbar. */
export const TableTools = <Row,>({ columns, settings, onRefresh }: TableToolsProps<Row>) => {
  const phone = usePhone()
  return (
    <>
      <Tooltip content="刷新">
        <Button type="text" aria-label="刷新列表" icon={<IconRefresh />} onClick={onRefresh} />
      </Tooltip>
      {!phone && (
        <Dropdown
          trigger="click"
          position="br"
          droplist={
            <Menu
              selectedKeys={[settings.density]}
              onClickMenuItem={(key) => {
                const density = densities.find(([value]) => value === key)?.[0]
                if (density) settings.setDensity(density)
              }}
            >
              {densities.map(([value, label]) => (
                <Menu.Item key={value}>{label}</Menu.Item>
              ))}
            </Menu>
          }
        >
          <Button type="text" aria-label="行高" title="行高" icon={<IconLineHeight />} />
        </Dropdown>
      )}
      <Popover
        trigger="click"
        position="br"
        title="显示的列"
        content={
          <div className="column-chooser">
            <Checkbox.Group
              direction="vertical"
              aria-label="显示的列"
              value={columns.map(({ key }) => key).filter((key) => !settings.hidden.includes(key))}
              onChange={(keys: string[]) => settings.setVisible(keys)}
              options={columns.map(({ key, title, fixed }) => ({ label: title, value: key, disabled: Boolean(fixed) }))}
            />
            <Button size="mini" onClick={settings.restore}>
              恢复默认
            </Button>
          </div>
        }
      >
        <Button type="text" aria-label="显示的列" title="显示的列" icon={<IconSettings />} />
      </Popover>
    </>
  )
}
