import { Alert, Button, Checkbox, Form, Input } from '@arco-design/web-react'
import type { Caller } from '@/api/client'
import { tellSuccess, tellWarning } from '@/api/errors'
import type { BodyOf, Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { copyText } from '@/kit/copyText'
import { FormDialog } from '@/kit/FormDialog'
import type { DrawerProps } from '@/kit/useDrawer'
import { sealed } from '@/schools/website'
import type { resetSchoolUserPassword } from '../api'
import { ConfirmPassword } from '../ConfirmPassword'
import type { Account } from './account'
import { generatePassword } from './generatePassword'

type Reset = BodyOf<typeof resetSchoolUserPassword>
interface Passwords {
  oldPassword: string
  loginPassword: string
  confirmPassword: string
  resetTotp?: boolean
}

interface ResetPasswordProps extends DrawerProps<Account> {
  /** Of platform or of school accounts. */
  operation: Operation<undefined, Reset, boolean>
}

const Generate = () => {
  const { form } = Form.useFormContext()
  const generate = async () => {
    const made = generatePassword()
    form.setFieldsValue({ loginPassword: made, confirmPassword: made })
    if (await copyText(made)) tellSuccess('已生成并复制新密码')
    else tellWarning('已生成新密码，点击眼睛查看后手工复制')
  }
  return (
    <Button type="text" size="mini" onClick={generate}>
      随机生成
    </Button>
  )
}

/** 重置密码: whoever sets another's password gives their own once more. Passwords leave the browser encrypted. */
export const ResetPassword = ({ operation, visible, record, onClose }: ResetPasswordProps) => {
  if (!record) return null
  const reset = async ({ resetTotp = false, ...typed }: Passwords, call: Caller) => {
    const [oldPassword, loginPassword, confirmPassword] = await Promise.all([
      sealed(typed.oldPassword),
      sealed(typed.loginPassword),
      sealed(typed.confirmPassword),
    ])
    return call(operation, {
      body: { userId: record.id, oldPassword, loginPassword, confirmPassword, resetTotp },
    })
  }
  return (
    <FormDialog
      title={`重置密码 ${record.realName}`}
      visible={visible}
      okText="重置密码"
      lead={
        <Alert
          className="form-lead"
          type="info"
          content={`账号 ${record.loginName} 会立即退出登录并解除锁定，下次登录时须修改密码。`}
        />
      }
      action={reset}
      onDone={() => {
        tellSuccess(`已重置“${record.realName}”的密码`)
        refetchAll()
        onClose()
      }}
      onClose={onClose}
    >
      <Form.Item
        field="oldPassword"
        label="本人登录密码"
        extra="用于确认是您本人操作"
        rules={[{ required: true, message: '请输入您本人的登录密码' }]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        field="loginPassword"
        label="新密码"
        extra={
          <>
            8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类。
            <Generate />
          </>
        }
        rules={[{ required: true, message: '请输入新密码' }]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <ConfirmPassword missing="请再次输入新密码" />
      {record.totpEnabled && (
        <Form.Item field="resetTotp" triggerPropName="checked">
          <Checkbox>同时解除两步验证（本人更换手机或遗失恢复码）</Checkbox>
        </Form.Item>
      )}
    </FormDialog>
  )
}
