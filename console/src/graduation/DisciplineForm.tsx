import type { Saved } from '@/api/types/shared'
import { known } from '@/basic_data/BasicSelect'
import { StudentSelect } from '@/course_selection/choices'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editDiscipline, saveDiscipline, viewDiscipline } from './api'
import type { Discipline } from './graduationWords'

const Field = fieldsOf(saveDiscipline)

/** What a punishment begins with that follows from a case. */
export interface Punished extends Pick<Discipline, 'studentId' | 'name' | 'reason'> {
  violationId: number
}

/** 新增, 编辑 of a punishment; of one that follows from a case the student and the reason stand there. */
export const DisciplineForm = ({ record: row, begun, ...drawer }: DrawerProps<Discipline> & { begun?: Punished }) => (
  <FormDrawer<Discipline, Saved>
    {...drawer}
    record={row}
    initial={begun && { studentId: begun.studentId, reason: begun.reason }}
    title={row ? `编辑处分 ${row.name}` : begun ? `登记处分 ${begun.name}` : '新增处分'}
    action={(held) =>
      held
        ? formAction(editDiscipline, '已保存处分', held)
        : formAction(
            saveDiscipline,
            '已新增处分',
            begun && { studentId: begun.studentId, violationId: begun.violationId },
          )
    }
    reload={({ id }, call) => call(viewDiscipline, { query: { id } })}
    keep={begun ? undefined : ['type', 'documentNo', 'decidedOn', 'expiresOn']}
  >
    <Field name="studentId">
      <StudentSelect
        disabled={row !== undefined || begun !== undefined}
        known={known(row?.studentId ?? begun?.studentId, row?.name ?? begun?.name)}
      />
    </Field>
    <Field name="type" label="处分类型" />
    <Field name="documentNo" />
    <Field name="reason" />
    <Field name="decidedOn" />
    <Field name="expiresOn" />
  </FormDrawer>
)
