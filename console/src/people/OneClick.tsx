import { Alert, Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { fieldErrors } from '@/api/errors'
import type { Operation } from '@/api/operation'
import type { components } from '@/api/schema'
import { useRequest } from '@/api/whose'
import type { RowAction } from '@/kit/actions'
import type { DrawerProps } from '@/kit/useDrawer'

interface Named {
  id: number
  name: string
}

interface OneClickProps extends DrawerProps<Named> {
  operation: Operation<{ id: number; reason?: string | null }, undefined, components['schemas']['OneClick']>
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
  const request = useRequest()
  const [form] = Form.useForm<{ reason: string }>()
  const formId = useId()
  const signing = useMutation({
    mutationFn: ({ id, reason }: { id: number; reason: string; tab: Window | null }) =>
      request(operation, { query: { id, reason } }),
    onSuccess: ({ token, clientUrl }, { tab }) => {
      const address = `${clientUrl}#token=${token}`
      if (tab) tab.location.replace(address)
      else window.open(address, '_blank', 'noopener')
      onClose()
    },
    onError: (error, { tab }) => {
      tab?.close()
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => {
    const { reason } = await form.validate()
    if (!record) return
    // Opened within the click, or the browser would hold it for an advertisement.
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    signing.mutate({ id: record.id, reason: reason.trim(), tab })
  }
  return (
    <Modal
      title={`一键登录 ${record?.name ?? ''}`}
      style={{ width: 480 }}
      visible={visible}
      okText={`打开${client}`}
      cancelText="取消"
      confirmLoading={signing.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={onClose}
      unmountOnExit
    >
      <Alert
        className="form-lead"
        type="info"
        content="以对方身份在新标签页中打开客户端，30分钟内有效，可续期；默认仅可查看。原因和您的操作会记入日志。"
      />
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item
          field="reason"
          label="原因"
          rules={[
            { required: true, message: '请填写原因' },
            { minLength: 2, message: REASON },
            { maxLength: 200, message: REASON },
          ]}
        >
          <Input.TextArea autoFocus maxLength={200} showWordLimit placeholder="例如：协助核对课程显示问题" />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
