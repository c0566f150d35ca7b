import { Form, Input } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { download } from '@/api/files'
import type { Operation } from '@/api/operation'
import { useNamed } from '@/api/schoolContext'
import { FormDialog } from '@/kit/FormDialog'
import type { DrawerProps } from '@/kit/useDrawer'

const LEAST = 2
const MOST = 200

/** A file whose numbers are whole for a reason alone. */
export interface WholeFile {
  do: Operation<{ whole?: boolean | null; reason?: string | null } | undefined, unknown, Blob>
  body: object
  name: string
}

/** A report to an authority: for what its whole numbers are needed, asked before it leaves. */
export const WholeDialog = ({ visible, record: file, onClose }: DrawerProps<WholeFile>) => {
  const named = useNamed()
  return (
    <FormDialog<{ reason?: string }, string>
      title={file?.do.title ?? ''}
      visible={visible}
      okText="导出"
      action={async ({ reason }) => {
        if (!file) throw new Error('nothing is asked for')
        const why = reason?.trim()
        const query = why ? { whole: true, reason: why } : {}
        await download(file.do, named(file.do, { query, body: file.body }), file.name)
        return file.name
      }}
      onDone={(name) => {
        onClose()
        tellSuccess(`已生成${name}`)
      }}
      onClose={onClose}
    >
      <Form.Item
        field="reason"
        label="用途"
        extra="填写后证件号显示完整内容，记入日志；不填则隐藏"
        rules={[{ minLength: LEAST, message: `请填写用途，至少${LEAST}个字` }]}
      >
        <Input aria-label="用途" placeholder="例如 学信网注册" maxLength={MOST} />
      </Form.Item>
    </FormDialog>
  )
}
