import { Button, Checkbox, Dropdown, Menu, Popover, Tooltip } from '@arco-design/web-react'
import {
  IconDown,
  IconFullscreen,
  IconFullscreenExit,
  IconLineHeight,
  IconPushpin,
  IconRefresh,
  IconSettings,
  IconUp,
} from '@arco-design/web-react/icon'
import type { Density, useTableSettings } from './tableSettings'
import { useMaximised } from './useMaximised'
import { usePhone } from './useMedia'

interface TableToolsProps<Row> {
  settings: ReturnType<typeof useTableSettings<Row>>
  onRefresh: () => void
}

const densities: readonly (readonly [Density, string])[] = [
  ['default', '宽松'],
  ['middle', '适中'],
  ['small', '紧凑'],
]

/** Refresh, density and column chooser at the right of the toolbar. */
export const TableTools = <Row,>({ settings, onRefresh }: TableToolsProps<Row>) => {
  const phone = usePhone()
  const { maximised, toggle } = useMaximised()
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
      <Tooltip content={maximised ? '退出全屏（Esc）' : '全屏'}>
        <Button
          type="text"
          aria-label={maximised ? '退出全屏' : '全屏'}
          icon={maximised ? <IconFullscreenExit /> : <IconFullscreen />}
          onClick={toggle}
        />
      </Tooltip>
      <Popover
        trigger="click"
        position="br"
        title="显示的列"
        content={
          <div className="column-chooser">
            <ul aria-label="显示的列">
              {settings.all.map(({ key, title, fixed }, at) => (
                <li key={key}>
                  <Checkbox
                    checked={Boolean(fixed) || !settings.hidden.includes(key)}
                    disabled={Boolean(fixed)}
                    onChange={(checked) =>
                      settings.setVisible(
                        settings.all
                          .map((column) => column.key)
                          .filter((each) => (each === key ? checked : !settings.hidden.includes(each))),
                      )
                    }
                  >
                    {title}
                  </Checkbox>
                  <Button
                    type="text"
                    size="mini"
                    aria-label={`上移${title}`}
                    title="上移"
                    disabled={at === 0}
                    icon={<IconUp />}
                    onClick={() => settings.move(key, -1)}
                  />
                  <Button
                    type="text"
                    size="mini"
                    aria-label={`下移${title}`}
                    title="下移"
                    disabled={at === settings.all.length - 1}
                    icon={<IconDown />}
                    onClick={() => settings.move(key, 1)}
                  />
                  <Button
                    type={settings.pinned.includes(key) ? 'primary' : 'text'}
                    size="mini"
                    aria-label={`固定${title}`}
                    aria-pressed={settings.pinned.includes(key)}
                    title="固定在左侧"
                    disabled={Boolean(fixed)}
                    icon={<IconPushpin />}
                    onClick={() => settings.pin(key)}
                  />
                </li>
              ))}
            </ul>
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
