import { Form, Input } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import { FormDialog } from '@/kit/FormDialog'
import { sealed } from '@/schools/website'
import { changeOwnPassword } from '../api'
import { ConfirmPassword } from '../ConfirmPassword'
import { passwordRefusal } from '../passwordRules'
import { signOut } from '../signOut'

interface Passwords {
  oldPassword: string
  loginPassword: string
  confirmPassword: string
}

const change = async (typed: Passwords, call: Caller) => {
  const [oldPassword, loginPassword, confirmPassword] = await Promise.all([
    sealed(typed.oldPassword),
    sealed(typed.loginPassword),
    sealed(typed.confirmPassword),
  ])
  await call(changeOwnPassword, { body: { oldPassword, loginPassword, confirmPassword } })
}

/** `forced`: the password must be changed first, so the dialog has no way out but signing out. */
export const PasswordDialog = ({ forced = false, onClose }: { forced?: boolean; onClose?: () => void }) => (
  <FormDialog
    title="修改密码"
    width={450}
    okText="确定"
    leave={forced ? { text: '退出登录', onClick: () => signOut() } : undefined}
    lead={forced && <p className="dialog-lead">为了账号安全，请先修改密码，再继续使用。</p>}
    action={change}
    onDone={() => signOut('修改成功，请重新登录')}
    onClose={onClose}
  >
    <Form.Item field="oldPassword" label="原密码" rules={[{ required: true, message: '请输入原密码' }]}>
      <Input.Password autoComplete="current-password" />
    </Form.Item>
    <Form.Item
      field="loginPassword"
      label="新密码"
      extra="8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类"
      rules={[
        { required: true, message: '请输入新密码' },
        { validator: (value: string | undefined, report) => report(value ? passwordRefusal(value) : undefined) },
      ]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
    <ConfirmPassword missing="请输入密码" />
  </FormDialog>
)
