import { Form, Radio } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { FormDialog } from '@/kit/FormDialog'
import { closeSchoolHelpQuestion } from './api'

interface CloseDialogProps {
  question: { id: number; title: string }
  onClose: () => void
}

/** 关闭 by the asker, who says whether the answer helped. */
export const CloseDialog = ({ question, onClose }: CloseDialogProps) => (
  <FormDialog<{ satisfied?: boolean }, { id: number }>
    title={`关闭咨询“${question.title}”`}
    okText="关闭咨询"
    action={({ satisfied }, call) => call(closeSchoolHelpQuestion, { body: { id: question.id, satisfied } })}
    onDone={async () => {
      onClose()
      await refetchAll()
      tellSuccess(`已关闭“${question.title}”`)
    }}
    onClose={onClose}
  >
    <Form.Item field="satisfied" label="对回复" extra="可不选；关闭后不能再追问，可以另提新的咨询">
      <Radio.Group
        aria-label="对回复"
        options={[
          { value: true, label: '满意' },
          { value: false, label: '不满意' },
        ]}
      />
    </Form.Item>
  </FormDialog>
)
