import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { divideStudents } from './api'

/** The students whom a step is for. */
export type Students = Selected<{ id: number; version: number }, object>

const Field = fieldsOf(divideStudents)

/** 分班: the ticked students into one class. */
export const DivideForm = ({ record, ...drawer }: DrawerProps<Students>) => (
  <FormDrawer<{ classId?: number; force?: boolean }, BulkResult>
    {...drawer}
    record={undefined}
    title={`为${record?.count ?? 0}名学生分班`}
    action={() => formAction(divideStudents, afterwards(record, '分班已完成'), record?.rows)}
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
