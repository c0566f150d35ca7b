import { Button, Checkbox, Dropdown, Menu, Popover, Tooltip } from '@arco-design/web-react'
import {
  IconDown,
  IconDragDotVertical,
  IconFullscreen,
  IconFullscreenExit,
  IconLineHeight,
  IconPushpin,
  IconRefresh,
  IconSettings,
  IconUp,
} from '@arco-design/web-react/icon'
import { type DragEvent, useState } from 'react'
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

/** Which columns are shown, in which order and where: moved by dragging, or by the keyboard with 上移 and 下移. */
const ColumnChooser = <Row,>({ settings }: Pick<TableToolsProps<Row>, 'settings'>) => {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const drop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const dragging = (key: string, at: number) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      // Firefox drags nothing that carries nothing.
      event.dataTransfer.setData('text/plain', key)
      setDragged(key)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      setOver(key)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      if (dragged !== undefined) settings.moveTo(dragged, at)
      drop()
    },
    onDragEnd: drop,
  })
  return (
    <div className="column-chooser">
      <ul aria-label="显示的列">
        {settings.all.map(({ key, title, fixed }, at) => (
          <li
            key={key}
            draggable
            className={key === over && key !== dragged ? 'column-drop' : undefined}
            {...dragging(key, at)}
          >
            <IconDragDotVertical className="column-drag" aria-hidden />
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
              onClick={() => settings.moveTo(key, at - 1)}
            />
            <Button
              type="text"
              size="mini"
              aria-label={`下移${title}`}
              title="下移"
              disabled={at === settings.all.length - 1}
              icon={<IconDown />}
              onClick={() => settings.moveTo(key, at + 1)}
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
  )
}

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
      <Popover trigger="click" position="br" title="显示的列" content={<ColumnChooser settings={settings} />}>
        <Button type="text" aria-label="显示的列" title="显示的列" icon={<IconSettings />} />
      </Popover>
    </>
  )
}
