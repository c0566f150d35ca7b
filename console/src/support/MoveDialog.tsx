import { Form } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import type { BulkResult } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { FormDialog } from '@/kit/FormDialog'
import { formatNumber } from '@/kit/format'
import { CategorySelect } from './categories'
import type { Desk } from './desks'

interface MoveDialogProps {
  desk: Desk
  ids: readonly number[]
  done: (failed: BulkResult['failed']) => void
  onClose: () => void
}

/** 移动分类 of the ticked articles. */
export const MoveDialog = ({ desk, ids, done, onClose }: MoveDialogProps) => (
  <FormDialog<{ categoryId: number }, BulkResult>
    title={`移动${formatNumber(ids.length)}篇文章`}
    okText="移动"
    action={({ categoryId }, call) => call(desk.sort, { body: { ids: [...ids], categoryId } })}
    onDone={async (answer) => {
      onClose()
      done(answer.failed)
      await refetchAll()
      if (answer.failed.length > 0) tellFailures('移动分类', answer)
      else tellSuccess(`已移动${formatNumber(answer.done)}篇`)
    }}
    onClose={onClose}
  >
    <Form.Item field="categoryId" label="分类" required rules={[{ required: true, message: '请选择分类' }]}>
      <CategorySelect desk={desk} />
    </Form.Item>
  </FormDialog>
)
