import { Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { changeOwnPassword } from '@/accounts/api'
import { encrypt } from '@/accounts/rsa'
import { call } from '@/api/client'
import { fieldErrors } from '@/api/errors'
import { queryClient } from '@/api/query'
import { websiteQuery } from '@/settings/website'
import { signOut } from './signOut'

interface Passwords {
  oldPassword: string
  loginPassword: string
  confirmPassword: string
}

const change = async (passwords: Passwords) => {
  const { publicKey } = await queryClient.ensureQueryData(websiteQuery)
  const [oldPassword, loginPassword, confirmPassword] = await Promise.all([
    encrypt(publicKey, passwords.oldPassword),
    encrypt(publicKey, passwords.loginPassword),
    encrypt(publicKey, passwords.confirmPassword),
  ])
  await call(changeOwnPassword, { body: { oldPassword, loginPassword, confirmPassword } })
}

/** `forced`: the password must be changed first, so the dialog has no way out but signing out. */
export const PasswordDialog = ({ forced = false, onClose }: { forced?: boolean; onClose?: () => void }) => {
  const [form] = Form.useForm<Passwords>()
  const formId = useId()
  const saving = useMutation({
    mutationFn: change,
    onSuccess: () => signOut('修改成功，请重新登录'),
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => saving.mutate(await form.validate())

  return (
    <Modal
      title="修改密码"
      style={{ width: 450 }}
      visible
      closable={!forced}
      escToExit={!forced}
      okText="确定"
      cancelText={forced ? '退出登录' : '取消'}
      confirmLoading={saving.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={() => (forced ? signOut() : onClose?.())}
    >
      {forced && <p className="dialog-lead">为了账号安全，请先修改密码，再继续使用。</p>}
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item field="oldPassword" label="原密码" rules={[{ required: true, message: '请输入原密码' }]}>
          <Input.Password autoFocus autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          field="loginPassword"
          label="登录密码"
          extra="8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"
          rules={[{ required: true, message: '请输入登录密码' }]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          field="confirmPassword"
          label="确认密码"
          rules={[
            { required: true, message: '请输入密码' },
            {
              validator: (value, report) =>
                report(value && value !== form.getFieldValue('loginPassword') ? '登录密码和确认密码不一致' : undefined),
            },
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
