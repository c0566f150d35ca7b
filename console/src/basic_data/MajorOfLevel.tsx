import { Form } from '@arco-design/web-react'
import { BasicSelect, known } from './BasicSelect'

interface MajorOfLevelProps {
  /** The record that is edited, whose major may not be among the first choices. */
  record: { levelId: number; majorId: number; majorName: string } | undefined
  value?: number
  onChange?: (id: number | undefined) => void
  disabled?: boolean
}

/** The majors of the level that is chosen in the same form. */
export const MajorOfLevel = ({ record, disabled, ...rest }: MajorOfLevelProps) => {
  const { form } = Form.useFormContext()
  const levelId: number | undefined = Form.useWatch('levelId', form)
  return (
    <BasicSelect
      {...rest}
      type="major"
      parentId={levelId}
      disabled={disabled || !levelId}
      placeholder={levelId ? '请选择' : '请先选择层次'}
      known={record && record.levelId === levelId ? known(record.majorId, record.majorName) : undefined}
    />
  )
}
