import { Alert, Form, Input } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import type { Operation } from '@/api/operation'
import type { OneClick as ClientSignIn } from '@/api/types/shared'
import type { RowAction } from '@/kit/actions'
import { FormDialog } from '@/kit/FormDialog'
import type { DrawerProps } from '@/kit/useDrawer'

interface Named {
  id: number
  name: string
}

interface OneClickProps extends DrawerProps<Named> {
  operation: Operation<{ id: number; reason?: string | null }, undefined, ClientSignIn>
  /** 学生端, 教师端, 站点端. */
  client: string
}

const REASON = '原因应为2至200个字符'

/** The row's action; for those without an account it is not offered by the caller. */
export const signingIn = <Row extends Named & { accountState: string }>(
  operation: OneClickProps['operation'],
  row: Row,
  open: (row: Row) => void,
): RowAction => ({
  label: '一键登录',
  do: operation,
  disabled: row.accountState === 'disabled' ? '账号已停用' : undefined,
  onClick: () => open(row),
})

/** Asks for the reason, then opens the client in a new tab as that person; the token goes in the fragment, which no server sees. */
export const OneClick = ({ visible, record, onClose, operation, client }: OneClickProps) => {
  if (!record) return null
  const open = async ({ reason }: { reason: string }, call: Caller) => {
    // Opened within the click, or the browser would hold it for an advertisement.
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    try {
      const { token, clientUrl } = await call(operation, { query: { id: record.id, reason: reason.trim() } })
      const address = `${clientUrl}#token=${token}`
      if (tab) tab.location.replace(address)
      else window.open(address, '_blank', 'noopener')
    } catch (error) {
      tab?.close()
      throw error
    }
  }
  return (
    <FormDialog
      title={`一键登录 ${record.name}`}
      visible={visible}
      okText={`打开${client}`}
      lead={
        <Alert
          className="form-lead"
          type="info"
          content="以对方身份在新标签页中打开客户端，30分钟内有效，可续期；默认仅可查看。原因和您的操作会记入日志。"
        />
      }
      action={open}
      onDone={onClose}
      onClose={onClose}
    >
      <Form.Item
        field="reason"
        label="原因"
        rules={[
          { required: true, message: '请填写原因' },
          { minLength: 2, message: REASON },
          { maxLength: 200, message: REASON },
        ]}
      >
        <Input.TextArea maxLength={200} showWordLimit placeholder="例如：协助核对课程显示问题" />
      </Form.Item>
    </FormDialog>
  )
}
