import { Alert, Form, Input } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { FormDialog } from '@/kit/FormDialog'
import type { DrawerProps } from '@/kit/useDrawer'
import { deleteSchool, type listSchools } from './api'
import { sealed } from './website'

type School = RowOf<typeof listSchools>
interface Typed {
  confirmCode: string
  password: string
}

/** 删除院校: cannot be undone, so the code is typed by hand and the person says who they are once more. */
export const DeleteSchool = ({ visible, record, onClose }: DrawerProps<School>) => {
  if (!record) return null
  const { id, name, code } = record
  return (
    <FormDialog
      title={`删除院校 ${name}`}
      visible={visible}
      okText="永久删除"
      danger
      lead={
        <Alert
          className="form-lead"
          type="error"
          title="删除后无法恢复"
          content="院校的全部数据、文件和账号绑定都会删除，只保留操作日志。请确认已下载归档后导出的数据。"
        />
      }
      action={async (typed: Typed, call) =>
        call(deleteSchool, {
          body: { id, confirmCode: typed.confirmCode.trim(), password: await sealed(typed.password) },
        })
      }
      onDone={() => {
        tellSuccess(`已开始删除“${name}”，进度见任务中心`)
        refetchAll()
        onClose()
      }}
      onClose={onClose}
    >
      <Form.Item
        field="confirmCode"
        label={`请输入院校代码 ${code} 以确认`}
        rules={[
          { required: true, message: '请输入院校代码' },
          {
            validator: (value: string | undefined, report) =>
              report(value && value.trim() !== code ? '院校代码输入不一致' : undefined),
          },
        ]}
      >
        <Input aria-label="院校代码" autoComplete="off" />
      </Form.Item>
      <Form.Item field="password" label="本人登录密码" rules={[{ required: true, message: '请输入本人登录密码' }]}>
        <Input.Password aria-label="本人登录密码" autoComplete="current-password" />
      </Form.Item>
    </FormDialog>
  )
}
