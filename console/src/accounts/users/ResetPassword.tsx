import { Alert, Button, Checkbox, Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { request } from '@/api/client'
import { fieldErrors, tellSuccess, tellWarning } from '@/api/errors'
import type { Operation } from '@/api/operation'
import { queryClient, refetchAll } from '@/api/query'
import type { components } from '@/api/schema'
import type { DrawerProps } from '@/kit/useDrawer'
import { websiteQuery } from '@/settings/website'
import { copyText } from '../copyText'
import { encrypt } from '../rsa'
import type { Account } from './account'
import { generatePassword } from './generatePassword'

type Reset = components['schemas']['PasswordReset']
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

/** 重置密码: whoever sets another's password gives his own once more. Passwords leave the browser encrypted. */
export const ResetPassword = ({ operation, visible, record, onClose }: ResetPasswordProps) => {
  const [form] = Form.useForm<Passwords>()
  const formId = useId()
  const saving = useMutation({
    mutationFn: async ({ id, passwords }: { id: number; passwords: Passwords }) => {
      const { publicKey } = await queryClient.ensureQueryData(websiteQuery)
      const [oldPassword, loginPassword, confirmPassword] = await Promise.all([
        encrypt(publicKey, passwords.oldPassword),
        encrypt(publicKey, passwords.loginPassword),
        encrypt(publicKey, passwords.confirmPassword),
      ])
      return request(operation, {
        body: { userId: id, oldPassword, loginPassword, confirmPassword, resetTotp: passwords.resetTotp ?? false },
      })
    },
    onSuccess: () => {
      tellSuccess(`已重置“${record?.realName}”的密码`)
      refetchAll()
      onClose()
    },
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => {
    const passwords = await form.validate()
    if (record) saving.mutate({ id: record.id, passwords })
  }
  const generate = async () => {
    const made = generatePassword()
    form.setFieldsValue({ loginPassword: made, confirmPassword: made })
    if (await copyText(made)) tellSuccess('已生成并复制新密码')
    else tellWarning('已生成新密码，点击眼睛查看后手工复制')
  }
  return (
    <Modal
      title={`重置密码 ${record?.realName ?? ''}`}
      style={{ width: 480 }}
      visible={visible}
      okText="重置密码"
      cancelText="取消"
      confirmLoading={saving.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={onClose}
      unmountOnExit
    >
      <Alert
        className="form-lead"
        type="info"
        content={`账号 ${record?.loginName ?? ''} 会立即退出登录并解除锁定，下次登录时须修改密码。`}
      />
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item
          field="oldPassword"
          label="本人登录密码"
          extra="用于确认是您本人操作"
          rules={[{ required: true, message: '请输入您本人的登录密码' }]}
        >
          <Input.Password autoFocus autoComplete="current-password" />
        </Form.Item>
        <Form.Item
          field="loginPassword"
          label="新密码"
          extra={
            <>
              8至32位，且至少包含大写字母、小写字母、数字、特殊符号中的三类。
              <Button type="text" size="mini" onClick={generate}>
                随机生成
              </Button>
            </>
          }
          rules={[{ required: true, message: '请输入新密码' }]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <Form.Item
          field="confirmPassword"
          label="确认密码"
          rules={[
            { required: true, message: '请再次输入新密码' },
            {
              validator: (value, report) =>
                report(value && value !== form.getFieldValue('loginPassword') ? '登录密码和确认密码不一致' : undefined),
            },
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        {record?.totpEnabled && (
          <Form.Item field="resetTotp" triggerPropName="checked">
            <Checkbox>同时解除两步验证（本人更换手机或遗失恢复码）</Checkbox>
          </Form.Item>
        )}
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
