import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { divideStudents } from './api'

/** The students who are to sit together. */
export interface Seated {
  items: { id: number; version: number }[]
  /** The ticks have served. */
  done: () => void
}

const Field = fieldsOf(divideStudents)

/** 分班: the ticked students into one class. */
export const DivideForm = ({ record, ...drawer }: DrawerProps<Seated>) => (
  <FormDrawer<{ classId?: number; force?: boolean }, BulkResult>
    {...drawer}
    record={undefined}
    title={`为${record?.items.length ?? 0}名学生分班`}
    action={() => formAction(divideStudents, '分班已完成', { items: record?.items })}
    onSaved={(result) => {
      record?.done()
      if (result.failed.length > 0) tellFailures('分班', result)
    }}
  >
    <Field name="classId" required help="年级、层次、专业和站点须与学生相同">
      <BasicSelect type="class" />
    </Field>
    <Field name="force" help="勾选后可超过班级容量" />
  </FormDrawer>
)
