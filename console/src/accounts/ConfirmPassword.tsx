import { Form, Input } from '@arco-design/web-react'

/** 确认密码 beside a field `loginPassword`. */
export const ConfirmPassword = ({ missing }: { missing: string }) => {
  const { form } = Form.useFormContext()
  return (
    <Form.Item
      field="confirmPassword"
      label="确认密码"
      rules={[
        { required: true, message: missing },
        {
          validator: (value, report) =>
            report(value && value !== form.getFieldValue('loginPassword') ? '登录密码和确认密码不一致' : undefined),
        },
      ]}
    >
      <Input.Password autoComplete="new-password" />
    </Form.Item>
  )
}
