import { Drawer } from '@arco-design/web-react'
import { DialogName } from '@/kit/DialogName'
import type { DrawerProps } from '@/kit/useDrawer'
import { QuestionFile } from './QuestionFile'

/** A question of a paper as it stands in its bank. */
export const QuestionDrawer = ({ record, visible, onClose }: DrawerProps<{ questionId: number }>) => {
  const title = `试题 ${record?.questionId ?? ''}`
  return (
    <Drawer title={title} width={760} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <QuestionFile id={record.questionId} />}
    </Drawer>
  )
}
