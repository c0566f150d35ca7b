import { useRequest } from '@/api/schoolContext'
import type { BulkResult } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { afterwards, type Selected } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { offerUndo } from '@/kit/undo'
import type { DrawerProps } from '@/kit/useDrawer'
import { divideStudents } from './api'
import { backToClasses, type Divided } from './backToClasses'

/** The students whom a step is for. */
export type Students = Selected<{ id: number; version: number }, object> & {
  /** The ticked rows as they were before. */
  former: readonly (Divided & { studentNo?: string | null })[]
}

const Field = fieldsOf(divideStudents)

/** 分班: the ticked students into one class. */
export const DivideForm = ({ record, ...drawer }: DrawerProps<Students>) => {
  const request = useRequest()
  return (
    <FormDrawer<{ classId?: number; force?: boolean }, BulkResult>
      {...drawer}
      record={undefined}
      title={`为${record?.count ?? 0}名学生分班`}
      action={() => formAction(divideStudents, afterwards(record, '分班已完成'), record?.rows)}
      onSaved={(result) => {
        record?.done(result.failed)
        const numberOf = ({ id }: { id: number }) => record?.former.find((row) => row.id === id)?.studentNo ?? undefined
        if (result.failed.length > 0) tellFailures('分班', result, numberOf)
        const failed = new Set(result.failed.map(({ id }) => id))
        const undo = result.done > 0 ? backToClasses(record?.former ?? [], failed) : undefined
        if (undo) offerUndo(`分班：已完成${result.done}人`, undo, request)
      }}
    >
      <Field name="classId" required help="年级、层次、专业和站点须与学生相同">
        <BasicSelect type="class" />
      </Field>
      <Field name="force" help="打开后可超过班级容量" />
    </FormDrawer>
  )
}
