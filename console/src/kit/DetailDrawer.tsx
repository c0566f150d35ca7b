import { Button, Drawer, Space } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { type ReactNode, useEffect } from 'react'
import type { SchoolContext } from '@/api/schoolContext'
import type { RowAction } from './actions'
import type { Column } from './columns'
import { DialogName } from './DialogName'
import { Facts } from './Facts'
import { OfSchool } from './OfSchool'
import { RowActions } from './RowActions'

interface DetailDrawerProps<Row> {
  title: string
  row: Row | undefined
  /** Whose the row is. */
  context: SchoolContext
  columns: readonly Column<Row>[]
  /** Below the fields of the list. */
  more?: (row: Row) => ReactNode
  /** In the place of the list's fields, wide: the record's own file. */
  file?: (row: Row) => ReactNode
  /** What may be done with the row, as in its line of the list. */
  actions?: (row: Row) => readonly RowAction[]
  /** To the rows before and behind it, where there are such. */
  previous?: () => void
  next?: () => void
  onClose: () => void
}

/** A row in full. ↑ and ↓ go through the rows while it is open, Esc closes it. */
export const DetailDrawer = <Row,>(props: DetailDrawerProps<Row>) => {
  const { title, row, context, columns, more, file, actions, previous, next, onClose } = props
  const open = row !== undefined
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      // What is pressed in a form that was opened from here is the form's.
      const inner = event.target instanceof Element && event.target.closest('.arco-drawer:not(.detail), .arco-modal')
      if (inner) return
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, [role=combobox]')
      if (event.key === 'Escape') onClose()
      if (typing || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
      event.preventDefault()
      const move = event.key === 'ArrowDown' ? next : previous
      move?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open, previous, next, onClose])

  return (
    <Drawer
      className="detail"
      title={title}
      width={file ? 760 : 480}
      visible={open}
      mask={false}
      footer={null}
      autoFocus={false}
      focusLock={false}
      onCancel={onClose}
      unmountOnExit
    >
      {row && (
        <OfSchool context={context}>
          <DialogName name={title} />
          <div className="detail-steps">
            {actions && <RowActions actions={actions(row)} />}
            <Space size={0}>
              <Button type="text" size="small" icon={<IconUp />} disabled={!previous} onClick={previous}>
                上一条
              </Button>
              <Button type="text" size="small" icon={<IconDown />} disabled={!next} onClick={next}>
                下一条
              </Button>
            </Space>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long detail without buttons is scrolled by the keyboard too */}
          <section aria-label="详情" tabIndex={0}>
            {file ? file(row) : <Facts row={row} columns={columns} />}
            {more?.(row)}
            <p className="detail-hint">按 ↑ ↓ 查看上一条、下一条，按 Esc 关闭</p>
          </section>
        </OfSchool>
      )}
    </Drawer>
  )
}
