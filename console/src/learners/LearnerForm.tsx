import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { OptionSelect } from '@/kit/OptionSelect'
import { PictureUpload } from '@/kit/PictureUpload'
import type { DrawerProps } from '@/kit/useDrawer'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'
import { editLearner, saveLearner, viewLearner } from './api'

type Detail = RowOf<typeof viewLearner>

const Field = fieldsOf(saveLearner)

/** 新增 and 编辑 of a learner (01 §9.6). */
export const LearnerForm = ({ record, ...drawer }: DrawerProps<Detail>) => {
  const { linkedSchoolId, linkedSchoolName } = record ?? {}
  const known = linkedSchoolId ? { code: linkedSchoolId, desc: linkedSchoolName ?? '' } : undefined
  return (
    <FormDrawer<Detail, Warned>
      {...drawer}
      record={record}
      title={record ? `编辑学员 ${record.nickname ?? record.phone}` : '新增学员'}
      action={(learner) =>
        learner ? formAction(editLearner, '已保存学员', learner) : formAction(saveLearner, '已新增学员')
      }
      reload={(learner, call) => call(viewLearner, { query: { id: learner.id } })}
      keep={['linkedSchoolId']}
    >
      <Field name="phone" help={record ? '不修改时保留原号码；修改后须重新登录' : '用短信验证码登录'} />
      <Field name="nickname" />
      <Field name="gender" />
      <Field name="birthday" />
      <Field name="headImg" help="">
        <PictureUpload width={178} />
      </Field>
      <Field name="linkedSchoolId">
        <OptionSelect label="关联院校" options={listAvailableSchools} query={schoolOptions} known={known} />
      </Field>
      <Field name="linkedStudentNo" help={linkedSchoolId ? '院校不变时留空保留原关联' : undefined} />
    </FormDrawer>
  )
}
