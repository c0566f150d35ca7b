import { Form, Input } from '@arco-design/web-react'
import type { BodyOf } from '@/api/operation'
import { FormDialog } from '@/kit/FormDialog'
import { useFileOf } from '@/kit/useFileOf'
import { printSuperviseSheets } from './api'

const LEAST = 2
const MOST = 200

/** Who is printed: of the cases of a filter those that are ticked, or all. */
export type Printed = Pick<BodyOf<typeof printSuperviseSheets>, 'filter' | 'ids'>

interface PrintSheetsProps {
  printed: Printed
  onClose: () => void
}

/** 打印联系单: a page for each class; whole numbers for whoever may, and says why. */
export const PrintSheets = ({ printed, onClose }: PrintSheetsProps) => {
  const paper = useFileOf(printSuperviseSheets)
  return (
    <FormDialog<{ reason?: string }, void>
      title="打印联系单"
      okText="生成联系单"
      lead={<p className="form-hint">列出{printed.ids ? '勾选' : '筛选出'}的待处理和跟进中的学生，每班一页，A4纵向，一次最多1000名。</p>}
      action={({ reason }) => {
        const why = reason?.trim()
        const body = why ? { ...printed, whole: true, reason: why } : printed
        return paper.mutateAsync({ input: { body }, name: '督学联系单.pdf' })
      }}
      onDone={onClose}
      onClose={onClose}
    >
      <Form.Item
        field="reason"
        label="用途"
        extra="填写后手机显示完整号码，记入日志；不填则隐藏"
        rules={[{ minLength: LEAST, message: `请填写用途，至少${LEAST}个字` }]}
      >
        <Input aria-label="用途" placeholder="例如 班主任电话联系" maxLength={MOST} />
      </Form.Item>
    </FormDialog>
  )
}
