import { Alert, Form, Input } from '@arco-design/web-react'
import { createSchoolToken } from '@/accounts/api'
import type { RowOf } from '@/api/operation'
import { becomeAnother } from '@/api/session'
import { FormDialog } from '@/kit/FormDialog'
import type { DrawerProps } from '@/kit/useDrawer'
import type { listSchools } from './api'

type Row = RowOf<typeof listSchools>
type School = Pick<Row, 'id' | 'name'> & Partial<Pick<Row, 'status'>>

/** Asks for the reason, then goes on as a visitor of the school, with nothing kept from before. */
export const EnterSchool = ({ visible, record, onClose }: DrawerProps<School>) => {
  if (!record) return null
  const { id, name, status } = record
  return (
    <FormDialog
      title={`进入院校 ${name}`}
      visible={visible}
      okText="进入院校"
      lead={
        <Alert
          className="form-lead"
          type="info"
          content={
            status === 'suspended' || status === 'archived'
              ? '该院校已停用或归档，进入后仅可查看。进入和离开都会记入双方日志。'
              : '可停留30分钟，到时可以续期。您的操作会记入双方日志。'
          }
        />
      }
      action={({ reason }: { reason: string }, call) =>
        call(createSchoolToken, { query: { id, reason: reason.trim() } })
      }
      onDone={({ token, schoolId, schoolName }) =>
        becomeAnother(token, { id: schoolId ?? id, name: schoolName ?? name })
      }
      onClose={onClose}
    >
      <Form.Item
        field="reason"
        label="进入原因"
        rules={[
          { required: true, message: '请输入进入原因' },
          { minLength: 2, message: '进入原因应为2至200个字符' },
          { maxLength: 200, message: '进入原因应为2至200个字符' },
        ]}
      >
        <Input.TextArea maxLength={200} showWordLimit placeholder="例如：协助导入2026级新生" />
      </Form.Item>
    </FormDialog>
  )
}
