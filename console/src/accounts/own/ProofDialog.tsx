import { Alert, Form, Input } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { FormDialog } from '@/kit/FormDialog'
import { sealed } from '@/schools/website'
import { disableTotp, renewRecoveryCodes } from '../api'

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
  const { title, lead, ok } = words[what]
  const prove = async ({ oldPassword, code }: Proof, call: Caller) => {
    const body = { oldPassword: await sealed(oldPassword), code: code.trim() }
    if (what === 'recovery') return (await call(renewRecoveryCodes, { body })).recoveryCodes
    await call(disableTotp, { body })
    return undefined
  }
  return (
    <FormDialog
      title={title}
      width={450}
      okText={ok}
      danger={what === 'disable'}
      lead={<Alert className="form-lead" type="warning" content={lead} />}
      action={prove}
      onDone={(codes) => {
        if (codes) onCodes(codes)
        else tellSuccess('已停用两步验证')
        refetchAll()
        onClose()
      }}
      onClose={onClose}
    >
      <Form.Item field="oldPassword" label="登录密码" rules={[{ required: true, message: '请输入登录密码' }]}>
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        field="code"
        label="动态验证码"
        extra="验证器中的6位数字，或一个恢复码"
        rules={[{ required: true, message: '请输入动态验证码' }]}
      >
        <Input autoComplete="one-time-code" maxLength={20} />
      </Form.Item>
    </FormDialog>
  )
}
