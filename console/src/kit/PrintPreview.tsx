import { Button, Space } from '@arco-design/web-react'
import { IconPrinter } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { Paper } from './Paper'
import { Watermark } from './Watermark'

interface PrintPreviewProps {
  /** Beside the button. */
  note: ReactNode
  /** Further buttons before it. */
  tools?: ReactNode
  /** Why there is nothing to print. */
  refused?: string
  /** A4 upright, for sheets of few columns. */
  upright?: boolean
  /** What is printed. */
  children: ReactNode
}

/** A sheet as it will be printed, with the button that prints it; also Ctrl+P prints the sheet alone. */
export const PrintPreview = ({ note, tools, refused, upright, children }: PrintPreviewProps) => (
  <>
    <div className="toolbar">
      <span>{note}</span>
      <div className="toolbar-right">
        <Space>
          {tools}
          <Button
            type="primary"
            icon={<IconPrinter />}
            disabled={refused !== undefined}
            title={refused}
            onClick={() => window.print()}
          >
            打印
          </Button>
        </Space>
      </div>
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the page is scrolled by the keyboard too */}
    <section className="sheet-view" aria-label="打印预览" tabIndex={0}>
      {children}
      <Watermark />
    </section>
    <Paper upright={upright}>{children}</Paper>
  </>
)
