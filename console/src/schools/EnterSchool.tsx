import { Alert, Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { createSchoolToken } from '@/accounts/api'
import { call } from '@/api/client'
import { fieldErrors } from '@/api/errors'
import type { components } from '@/api/schema'
import { becomeAnother } from '@/api/session'
import type { DrawerProps } from '@/kit/useDrawer'

type School = components['schemas']['School']

/** Asks for the reason, then goes on as a visitor of the school, with nothing kept from before. */
export const EnterSchool = ({ visible, record, onClose }: DrawerProps<School>) => {
  const [form] = Form.useForm<{ reason: string }>()
  const formId = useId()
  const enter = useMutation({
    mutationFn: async ({ id, name, reason }: { id: number; name: string; reason: string }) => {
      const entered = await call(createSchoolToken, { query: { id, reason } })
      becomeAnother(entered.token, { id: entered.schoolId ?? id, name: entered.schoolName ?? name })
    },
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => {
    const { reason } = await form.validate()
    if (record) enter.mutate({ id: record.id, name: record.name, reason: reason.trim() })
  }
  return (
    <Modal
      title={`进入院校 ${record?.name ?? ''}`}
      style={{ width: 480 }}
      visible={visible}
      okText="进入院校"
      cancelText="取消"
      confirmLoading={enter.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={onClose}
      unmountOnExit
    >
      <Alert
        className="form-lead"
        type="info"
        content={
          record?.status === 'suspended' || record?.status === 'archived'
            ? '该院校已停用或归档，进入后仅可查看。进入和离开都会记入双方日志。'
            : '可停留30分钟，到时可以续期。您的操作会记入双方日志。'
        }
      />
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item
          field="reason"
          label="进入原因"
          rules={[
            { required: true, message: '请输入进入原因' },
            { minLength: 2, message: '进入原因应为2至200个字符' },
            { maxLength: 200, message: '进入原因应为2至200个字符' },
          ]}
        >
          <Input.TextArea autoFocus maxLength={200} showWordLimit placeholder="例如：协助导入2026级新生" />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
