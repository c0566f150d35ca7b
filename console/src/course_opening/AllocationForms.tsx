import { Alert, Checkbox, Form, Select } from '@arco-design/web-react'
import { ApiError, fieldErrors } from '@/api/errors'
import type { DataOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { tellLeftOut } from '@/kit/leftOut'
import { tidied } from '@/kit/rules'
import type { DrawerProps } from '@/kit/useDrawer'
import { assignmentsOf, type Grid, isForAny, type Line } from './allocationRules'
import { editAllocation, saveAllocations, viewAllocation } from './api'

const Field = fieldsOf(editAllocation)

export type Allocation = DataOf<typeof viewAllocation>
type SavedMany = DataOf<typeof saveAllocations>

/** Of a list with one item a refusal stands at the fields of the form. */
const atFields = (error: unknown) =>
  error instanceof ApiError && error.code === 422
    ? new ApiError(
        error.code,
        error.message,
        fieldErrors(error).map(({ field, message }) => ({ field: field.replace(/^items\[0\]\./, ''), message })),
      )
    : error

/** What both ways of saving answer. */
type Told = Pick<Warned, 'warnings'>

const saveOne = (openingId: number | undefined): FormAction<Told> => {
  const save = formAction(saveAllocations, '')
  return {
    operation: save.operation,
    done: '已安排任课',
    send: async (values, request) => {
      try {
        return await save.send({ items: [{ ...tidied(values), openingId }] }, request)
      } catch (error) {
        throw atFields(error)
      }
    },
  }
}

/** 同步更新未上课的排课: what a lecturer has ahead goes to whoever takes over, unless it is unticked. */
const editOne = (held: Allocation): FormAction<Told> => {
  const edit = formAction(editAllocation, '', held)
  return {
    operation: edit.operation,
    done: '已保存任课安排',
    send: (values, request) => {
      const { syncTimetable = true, ...typed }: { syncTimetable?: boolean } = values
      return edit.send(typed, (operation, input, options) =>
        request(operation, { ...input, query: { syncTimetable } }, options),
      )
    },
  }
}

interface AllocationFormProps extends DrawerProps<Allocation> {
  /** The opening in which it is, with its classes. */
  opening: Grid | undefined
}

/** 任课安排 of a teacher: in which class, in which role, for how many hours. */
export const AllocationForm = ({ record, opening, ...drawer }: AllocationFormProps) => (
  <FormDrawer<Allocation, Told>
    {...drawer}
    record={record}
    title={record ? `编辑任课安排 ${record.teacherName}` : `新增任课安排 ${opening?.courseName ?? ''}`}
    initial={{ role: 'lecturer' }}
    keep={['role', 'hours']}
    action={(held) => (held ? editOne(held) : saveOne(opening?.id))}
    reload={({ id }, call) => call(viewAllocation, { query: { id } })}
  >
    <Field name="classId">
      {opening && isForAny(opening) ? (
        <BasicSelect type="class" placeholder="全部班级" known={known(record?.classId, record?.className)} />
      ) : (
        <Select
          placeholder="全部班级"
          allowClear
          options={(opening?.classes ?? []).map(({ classId, className }) => ({ value: classId, label: className }))}
        />
      )}
    </Field>
    <Field name="teacherId">
      <BasicSelect type="teacher" known={known(record?.teacherId, record?.teacherName)} />
    </Field>
    <Field name="role" />
    <Form.Item noStyle shouldUpdate>
      {({ teacherId, role }: Partial<Allocation>) =>
        record?.role === 'lecturer' &&
        role === 'lecturer' &&
        teacherId !== record.teacherId && (
          <Form.Item
            field="syncTimetable"
            triggerPropName="checked"
            initialValue={true}
            extra="新教师在这些时间已有安排时，不保存并列出冲突"
          >
            <Checkbox>同步更新未上课的排课</Checkbox>
          </Form.Item>
        )
      }
    </Form.Item>
    <Field name="hours" help="计入教师工作量" />
    <Field name="remark" />
  </FormDrawer>
)

interface Wanted {
  teacherId: number
  role: Allocation['role']
  hours?: number | null
  remark?: string | null
}

/** So many are saved in one call. */
const MOST = 500

/** 批量安排: one teacher for many lines. */
export const AssignForm = ({
  record: lines = [],
  onDone,
  ...drawer
}: DrawerProps<readonly Line[]> & { onDone: () => void }) => {
  const save = formAction(saveAllocations, '')
  const wish = (values: object) => assignmentsOf(lines, tidied(values) as unknown as Wanted)
  return (
    <FormDrawer<Wanted, SavedMany>
      {...drawer}
      record={undefined}
      title={`为选中的${formatNumber(lines.length)}行安排任课`}
      okText="安排"
      initial={{ role: 'lecturer' }}
      action={() => ({
        ...save,
        send: async (values, request) => {
          const { items, left } = wish(values)
          if (items.length === 0) return { ids: [], warnings: [] }
          const saved = await save.send({ items }, request)
          tellLeftOut('保持不变的行', left, '课程和班级')
          return saved
        },
        done: ({ ids }) =>
          ids.length > 0 ? `已安排${formatNumber(ids.length)}行任课` : '选中的行都已有相应的任课，没有变动',
      })}
      onSaved={onDone}
    >
      {lines.length > MOST && (
        <Alert className="form-lead" type="warning" content={`一次最多安排${MOST}行，请减少勾选`} />
      )}
      <Field name="teacherId">
        <BasicSelect type="teacher" />
      </Field>
      <Field name="role" />
      <Form.Item noStyle shouldUpdate>
        {({ teacherId, role }: Partial<Wanted>) => {
          const left = teacherId && role ? assignmentsOf(lines, { teacherId, role }).left : []
          return (
            left.length > 0 && (
              <Alert
                className="form-lead"
                type="warning"
                content={`其中${formatNumber(left.length)}行保持不变：已有主讲或该教师已在任课`}
              />
            )
          )
        }}
      </Form.Item>
      <Field name="hours" help="计入教师工作量" />
      <Field name="remark" />
    </FormDrawer>
  )
}
