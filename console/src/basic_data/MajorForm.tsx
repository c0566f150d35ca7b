import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editMajor, type listNationalMajors, saveMajor, viewMajor } from './api'
import { BasicSelect, known } from './BasicSelect'
import { Tuition } from './Tuition'

type Major = RowOf<typeof viewMajor>
type NationalMajor = RowOf<typeof listNationalMajors>

/** A major that is edited, or a new one, perhaps taken from the national catalogue. */
export interface MajorDraft {
  major?: Major
  from?: NationalMajor
}

const Field = fieldsOf(saveMajor)

export const MajorForm = ({ record, ...drawer }: DrawerProps<MajorDraft>) => {
  const major = record?.major
  const from = record?.from
  return (
    <FormDrawer<Major, Warned>
      {...drawer}
      record={major}
      width={720}
      title={major ? `编辑专业 ${major.name}` : '新增专业'}
      initial={{ studyForm: 'non_full_time', ...(from && { nationalMajorId: from.id, name: from.name }) }}
      action={(known) => (known ? formAction(editMajor, '已保存专业', known) : formAction(saveMajor, '已新增专业'))}
      reload={(known, call) => call(viewMajor, { query: { id: known.id } })}
      keep={['levelId', 'studyForm', 'organizationId', 'totalCredits', 'tuitionPerYear']}
    >
      <Field name="nationalMajorId">
        <BasicSelect
          type="nationalMajor"
          known={known(major?.nationalMajorId ?? from?.id, major?.nationalName ?? from?.name)}
        />
      </Field>
      <Field name="levelId" help="专科专业选专科层次，本科专业选本科层次">
        <BasicSelect type="level" known={known(major?.levelId, major?.levelName)} />
      </Field>
      <Field name="code" />
      <Field name="name" />
      <Field name="studyForm" />
      <Field name="direction" />
      <Field name="schoolingYears" help="留空时取层次的学制" />
      <Field name="totalCredits" />
      <Field name="organizationId">
        <BasicSelect type="organization" known={known(major?.organizationId, major?.organizationName)} />
      </Field>
      <Field name="degreeAwarded" />
      <Field name="degree" help="授学位时填写国家专业允许的学位之一" />
      <Field name="tuitionPerYear" label="学费(元/年)">
        <Tuition />
      </Field>
      <Field name="sortNo" />
      <Field name="remark" />
    </FormDrawer>
  )
}
