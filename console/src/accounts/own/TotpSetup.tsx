import { Form, Input, Modal, Typography } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '@/api/client'
import { fieldErrors, tellSuccess } from '@/api/errors'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { QrCode } from '@/kit/QrCode'
import { sealed } from '@/schools/website'
import { beginTotp, confirmTotp } from '../api'
import { signOut } from '../signOut'
import { RecoveryCodes } from './RecoveryCodes'

type Secret = RowOf<typeof beginTotp>

interface Typed {
  oldPassword: string
  code: string
}

/** 启用两步验证: password, then the code of the authenticator that scanned the picture, then the recovery codes. */
export const TotpSetup = ({ forced = false, onClose }: { forced?: boolean; onClose: () => void }) => {
  const [form] = Form.useForm<Typed>()
  const formId = useId()
  const [secret, setSecret] = useState<Secret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const showErrors = (error: unknown) => {
    for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
  }
  const begin = useMutation({
    mutationFn: async ({ oldPassword }: Typed) => call(beginTotp, { body: { oldPassword: await sealed(oldPassword) } }),
    onSuccess: setSecret,
    onError: showErrors,
  })
  const confirm = useMutation({
    mutationFn: ({ code }: Typed) => call(confirmTotp, { body: { code: code.trim() } }),
    onSuccess: ({ recoveryCodes }) => {
      tellSuccess('已启用两步验证')
      setCodes(recoveryCodes)
    },
    onError: showErrors,
  })
  const submit = async () => (secret ? confirm : begin).mutate(await form.validate())
  if (codes) {
    const finish = () => {
      useIdentity.setState({ mustSetTotp: false })
      refetchAll()
      onClose()
    }
    return <RecoveryCodes codes={codes} onClose={finish} />
  }
  return (
    <Modal
      title="启用两步验证"
      style={{ width: 480 }}
      visible
      closable={!forced}
      escToExit={!forced}
      maskClosable={false}
      okText={secret ? '启用' : '下一步'}
      cancelText={forced ? '退出登录' : '取消'}
      confirmLoading={begin.isPending || confirm.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={() => (forced ? signOut() : onClose())}
    >
      {forced && <p className="dialog-lead">您的角色要求启用两步验证，请先启用，再继续使用。</p>}
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        {secret ? (
          <>
            <p>用手机验证器（如微信小程序“腾讯身份验证器”、Microsoft Authenticator）扫描：</p>
            <QrCode text={secret.url} label="两步验证二维码" />
            <p>
              不能扫描时，手工输入密钥：<Typography.Text code>{secret.secret}</Typography.Text>
            </p>
            <Form.Item
              field="code"
              label="动态验证码"
              rules={[{ required: true, match: /^\d{6}$/, message: '请输入验证器中的6位数字' }]}
            >
              <Input autoFocus autoComplete="one-time-code" maxLength={6} />
            </Form.Item>
          </>
        ) : (
          <Form.Item
            field="oldPassword"
            label="登录密码"
            extra="用于确认是您本人操作"
            rules={[{ required: true, message: '请输入登录密码' }]}
          >
            <Input.Password autoFocus autoComplete="current-password" />
          </Form.Item>
        )}
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
