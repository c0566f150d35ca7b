import type { RowOf } from '@/api/operation'
import { LecturerSelect } from '@/catalogue/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editQuizClass, type listQuizClasses, saveQuizClass, viewQuizClass } from './api'

type Row = RowOf<typeof listQuizClasses>
type View = RowOf<typeof viewQuizClass>

const Field = fieldsOf(saveQuizClass)

const lecturerOf = (row: Row | undefined) =>
  row?.lecturerId && row.lecturerName ? { code: row.lecturerId, desc: row.lecturerName } : undefined

/** 新增 and 编辑 of a class; its code is drawn by the server. */
export const QuizClassForm = ({ record: row, ...drawer }: DrawerProps<Row>) => (
  <FormDrawer<Row | View, { id: number }>
    {...drawer}
    record={row}
    title={row ? `编辑班级 ${row.gradeName}` : '新增班级'}
    initial={{ maxMembers: 200, verify: 'free', enabled: true }}
    action={(edited) =>
      edited ? formAction(editQuizClass, '已保存班级', edited) : formAction(saveQuizClass, '已新增班级')
    }
    reload={(edited, call) => call(viewQuizClass, { query: { id: edited.id } })}
    keep={['lecturerId', 'maxMembers', 'verify', 'startsOn', 'endsOn', 'enabled']}
  >
    <Field name="gradeName" />
    <Field name="lecturerId">
      <LecturerSelect known={lecturerOf(row)} clearable />
    </Field>
    <Field name="maxMembers" help="1至2000，不能少于已加入的人数" />
    <Field name="verify" help="需审核的班级，由管理员通过后才算加入" />
    <Field name="startsOn" />
    <Field name="endsOn" />
    <Field name="enabled" />
  </FormDrawer>
)
