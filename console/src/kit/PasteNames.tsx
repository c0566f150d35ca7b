import { Alert, Button, Input, Modal } from '@arco-design/web-react'
import { IconPaste } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { CopyButton } from './CopyButton'
import { formatNumber } from './format'
import { namesIn } from './pasted'

/** The server's limit. */
const MOST = 500
/** So many names are told in the line; all of them can be copied. */
const TOLD = 20

interface PasteNamesProps {
  table: { setFilters: (values: Record<string, string | undefined>) => void }
}

/** 粘贴名单: names or numbers out of a sheet become the list of those people. */
export const PasteNames = ({ table }: PasteNamesProps) => {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const names = namesIn(text)
  const many = names.length > MOST
  const search = () => {
    table.setFilters({ among: names.join(',') })
    setOpen(false)
    setText('')
  }
  return (
    <>
      <Button type="text" icon={<IconPaste />} onClick={() => setOpen(true)}>
        粘贴名单
      </Button>
      <Modal
        title="粘贴名单"
        style={{ width: 520 }}
        visible={open}
        okText={names.length > 0 ? `查找${formatNumber(names.length)}项` : '查找'}
        cancelText="取消"
        okButtonProps={{ disabled: names.length === 0 || many }}
        onOk={search}
        onCancel={() => setOpen(false)}
        unmountOnExit
      >
        <p className="dialog-lead">从表格中复制姓名或号码（学号、考生号、证件号、手机），每行一个，最多{MOST}项。</p>
        <Input.TextArea aria-label="名单" autoFocus rows={10} value={text} onChange={setText} />
        {many && (
          <p role="alert" className="paste-many">
            共{formatNumber(names.length)}项，最多{MOST}项，请分批查找
          </p>
        )}
      </Modal>
    </>
  )
}

/** Of the names that were asked for: what the list does not have, or not within the person's data scope. */
export const NotFoundNames = ({ names, total }: { names: readonly string[]; total: number }) => {
  if (names.length === 0) return null
  const more = names.length > TOLD ? ' 等' : ''
  return (
    <Alert
      type="warning"
      className="not-found"
      content={
        <>
          找到{formatNumber(total)}条，未找到{formatNumber(names.length)}项：{names.slice(0, TOLD).join('、')}
          {more}
          <CopyButton label="未找到的名单" value={names.join('\n')} />
        </>
      }
    />
  )
}
