import { Alert, Form, Input, Modal } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { encrypt } from '@/accounts/rsa'
import { request } from '@/api/client'
import { fieldErrors, tellSuccess } from '@/api/errors'
import { queryClient, refetchAll } from '@/api/query'
import type { components } from '@/api/schema'
import type { DrawerProps } from '@/kit/useDrawer'
import { websiteQuery } from '@/settings/website'
import { deleteSchool } from './api'

type School = components['schemas']['School']
interface Typed {
  confirmCode: string
  password: string
}

/** 删除院校: cannot be undone, so the code is typed by hand and the person says who he is once more. */
export const DeleteSchool = ({ visible, record, onClose }: DrawerProps<School>) => {
  const [form] = Form.useForm<Typed>()
  const formId = useId()
  const deleting = useMutation({
    mutationFn: async ({ id, typed }: { id: number; typed: Typed }) => {
      const { publicKey } = await queryClient.ensureQueryData(websiteQuery)
      const password = await encrypt(publicKey, typed.password)
      return request(deleteSchool, { body: { id, confirmCode: typed.confirmCode.trim(), password } })
    },
    onSuccess: () => {
      tellSuccess(`已开始删除“${record?.name}”，进度见任务中心`)
      refetchAll()
      onClose()
    },
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) form.setFields({ [field]: { error: { message } } })
    },
  })
  const submit = async () => {
    const typed = await form.validate()
    if (record) deleting.mutate({ id: record.id, typed })
  }
  return (
    <Modal
      title={`删除院校 ${record?.name ?? ''}`}
      style={{ width: 480 }}
      visible={visible}
      okText="永久删除"
      okButtonProps={{ status: 'danger' }}
      cancelText="取消"
      confirmLoading={deleting.isPending}
      onOk={() => submit().catch(() => {})}
      onCancel={onClose}
      unmountOnExit
    >
      <Alert
        className="form-lead"
        type="error"
        title="删除后无法恢复"
        content="院校的全部数据、文件和账号绑定都会删除，只保留操作日志。请确认已下载归档后导出的数据。"
      />
      <Form form={form} id={formId} layout="vertical" onSubmit={() => submit().catch(() => {})}>
        <Form.Item
          field="confirmCode"
          label={`请输入院校代码 ${record?.code ?? ''} 以确认`}
          rules={[
            { required: true, message: '请输入院校代码' },
            {
              validator: (value: string | undefined, report) =>
                report(value && value.trim() !== record?.code ? '院校代码输入不一致' : undefined),
            },
          ]}
        >
          <Input aria-label="院校代码" autoComplete="off" />
        </Form.Item>
        <Form.Item field="password" label="本人登录密码" rules={[{ required: true, message: '请输入本人登录密码' }]}>
          <Input.Password aria-label="本人登录密码" autoComplete="current-password" />
        </Form.Item>
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
