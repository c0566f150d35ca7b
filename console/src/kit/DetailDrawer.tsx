import { Descriptions, Drawer } from '@arco-design/web-react'
import { type ReactNode, useEffect } from 'react'
import type { SchoolContext } from '@/api/schoolContext'
import type { Column } from './columns'
import { DialogName } from './DialogName'
import { OfSchool } from './OfSchool'

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
  onMove: (step: 1 | -1) => void
  onClose: () => void
}

/** A row in full. ↑ and ↓ go through the rows while it is open, Esc closes it. */
export const DetailDrawer = <Row,>(props: DetailDrawerProps<Row>) => {
  const { title, row, context, columns, more, file, onMove, onClose } = props
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
      onMove(event.key === 'ArrowDown' ? 1 : -1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open, onMove, onClose])

  return (
    <Drawer
      className="detail"
      title={title}
      width={file ? 860 : 480}
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long detail without buttons is scrolled by the keyboard too */}
          <section aria-label="详情" tabIndex={0}>
            {file ? (
              file(row)
            ) : (
              <Descriptions
                column={1}
                labelStyle={{ width: 112 }}
                data={columns.map((column) => ({ key: column.key, label: column.title, value: column.render(row) }))}
              />
            )}
            {more?.(row)}
            <p className="detail-hint">按 ↑ ↓ 查看上一条、下一条，按 Esc 关闭</p>
          </section>
        </OfSchool>
      )}
    </Drawer>
  )
}
