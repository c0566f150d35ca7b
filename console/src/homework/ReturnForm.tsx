import type { BulkResult } from '@/api/types/shared'
import { tellFailures } from '@/kit/BulkBar'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { returnSheets } from './api'

/** The sheets that go back. */
export interface Returned {
  sheetIds: number[]
  title: string
  done: (failed?: BulkResult['failed']) => void
}

const Field = fieldsOf(returnSheets)

/** 退回重做: why, and until when. */
export const ReturnForm = ({ record: wanted, ...drawer }: DrawerProps<Returned>) => (
  <FormDrawer<{ reason?: string; redoUntil?: string }, BulkResult>
    {...drawer}
    record={undefined}
    title={wanted?.title ?? '退回重做'}
    okText="退回重做"
    danger
    action={() => formAction(returnSheets, ({ done }) => `已退回${done}份答卷`, { sheetIds: wanted?.sheetIds ?? [] })}
    onSaved={(answer) => {
      wanted?.done(answer.failed)
      if (answer.failed.length > 0) tellFailures('退回', answer)
    }}
  >
    <p className="form-hint">学生在重做截止之前可以再做一次；没有重做的，原答卷的得分恢复有效。</p>
    <Field name="reason" help="学生可以看到" />
    <Field name="redoUntil" help="至少在1小时之后">
      <DateTimeInput dayEnd />
    </Field>
  </FormDrawer>
)
