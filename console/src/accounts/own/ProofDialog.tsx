import { Alert, Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '@/api/client'
import { fieldErrors, tellSuccess } from '@/api/errors'
import { queryClient, refetchAll } from '@/api/query'
import { websiteQuery } from '@/settings/website'
import { disableTotp, renewRecoveryCodes } from '../api'
import { encrypt } from '../rsa'

interface Proof {
  oldPassword: string
  code: string
}

interface ProofDialogProps {
  what: 'disable' | 'recovery'
  onClose: () => void
  onCodes: (codes: readonly string[]) => void
}

const words = {
  disable: { title: '停用两步验证', lead: '停用后，登录只需要密码。', ok: '停用' },
  recovery: { title: '重新生成恢复码', lead: '原有的恢复码会全部失效。', ok: '生成' },
}

/** Password and code once more, for what weakens the account. */
export const ProofDialog = ({ what, onClose, onCodes }: ProofDialogProps) => {
  const [form] = Form.useForm<Proof>()
  const formId = useId()
  const saving = useMutation({
    mutationFn: async ({ oldPassword, code }: Proof) => {
      const { publicKey } = await queryClient.ensureQueryData(websiteQuery)
      const body = { oldPassword: await encrypt(publicKey, oldPassword), code: code.trim() }
      if (what === 'recovery') return (await call(renewRecoveryCodes, { body })).recoveryCodes
      await call(disableTotp, { body })
      return undefined
    },
    onSuccess: (codes) => {
      if (codes) onCodes(codes)
      else tellSuccess('已停用两步验证')
      refetchAll()
      onClose()
    },
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => saving.mutate(await form.validate())
  return (
    <Modal
      title={words[what].title}
      style={{ width: 450 }}
      visible
      okText={words[what].ok}
      okButtonProps={{ status: what === 'disable' ? 'danger' : undefined }}
      cancelText="取消"
      confirmLoading={saving.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={onClose}
    >
      <Alert className="form-lead" type="warning" content={words[what].lead} />
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item field="oldPassword" label="登录密码" rules={[{ required: true, message: '请输入登录密码' }]}>
          <Input.Password autoFocus autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          field="code"
          label="动态验证码"
          extra="验证器中的6位数字，或一个恢复码"
          rules={[{ required: true, message: '请输入动态验证码' }]}
        >
          <Input autoComplete="one-time-code" maxLength={20} />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
