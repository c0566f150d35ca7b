import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editTeachingPlan, saveTeachingPlan, viewTeachingPlan } from './api'
import type { PlanView } from './planRules'

const Field = fieldsOf(saveTeachingPlan)

/** For which grade and major a plan is missing. */
export type Wanting = Pick<PlanView, 'gradeId' | 'gradeName' | 'majorId' | 'majorName'>

interface PlanFormProps extends DrawerProps<PlanView> {
  /** The grade and major of a new plan, where they are known. */
  wanting?: Wanting
  onSaved?: (id: number) => void
}

/** 新增 and 编辑 of a plan's head; grade and major stay as they were. */
export const PlanForm = ({ record: plan, wanting, onSaved, ...drawer }: PlanFormProps) => {
  const of = plan ?? wanting
  return (
    <FormDrawer<PlanView, Saved>
      {...drawer}
      record={plan}
      width={680}
      title={plan ? `编辑教学计划 ${plan.name}` : '新增教学计划'}
      initial={wanting && { gradeId: wanting.gradeId, majorId: wanting.majorId }}
      action={(held) =>
        held
          ? formAction(editTeachingPlan, '已保存教学计划', held)
          : formAction(saveTeachingPlan, '已新增教学计划，请添加课程')
      }
      reload={({ id }, call) => call(viewTeachingPlan, { query: { id } })}
      onSaved={({ id }) => onSaved?.(id)}
    >
      <Field name="gradeId">
        <BasicSelect type="grade" disabled={plan !== undefined} known={known(of?.gradeId, of?.gradeName)} />
      </Field>
      <Field name="majorId">
        <BasicSelect type="major" disabled={plan !== undefined} known={known(of?.majorId, of?.majorName)} />
      </Field>
      <Field name="name" />
      <Field name="totalCredits" />
      <Field name="minCompulsoryCredits" />
      <Field name="minElectiveCredits" />
      <Field name="termCount" />
      <Field name="objective" />
      <Field name="remark" />
      <Field name="fileKey">
        <FileUpload type={3} accept=".pdf,.doc,.docx" />
      </Field>
    </FormDrawer>
  )
}
