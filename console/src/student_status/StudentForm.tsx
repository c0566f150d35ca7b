import { Button } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { MajorOfLevel } from '@/basic_data/MajorOfLevel'
import { saveCorrection } from '@/corrections/api'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { Sections } from '@/kit/Sections'
import type { DrawerProps } from '@/kit/useDrawer'
import { IdCardInput } from '@/people/IdCardInput'
import { IdCardTypeSelect } from '@/people/IdCardTypeSelect'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { editStudent, saveStudent, viewStudent } from './api'

export type Student = RowOf<typeof viewStudent>

const Field = fieldsOf(saveStudent)

/** 基本信息: who the person is. Key fields of a known student are only shown. */
const Person = ({ student }: { student: Student | undefined }) => {
  const fixed = student !== undefined
  return (
    <>
      <Field name="name" disabled={fixed} />
      <Field name="formerName" />
      <Field name="idCardType" required>
        <IdCardTypeSelect disabled={fixed} stored={student?.idCardType} />
      </Field>
      <Field name="idCardNo" disabled={fixed}>
        <IdCardInput disabled={fixed} />
      </Field>
      <Field name="gender" disabled={fixed} />
      <Field name="birthday" disabled={fixed} />
      <Field name="ethnicity">
        <DictionarySelect type="ethnicity" disabled={fixed} />
      </Field>
      <Field name="politicalStatus">
        <DictionarySelect type="political_status" />
      </Field>
      <Field name="nativePlace" />
      <Field name="hukouPlace" />
    </>
  )
}

/** 学籍信息: what the person studies, where, and since when. */
const Enrolment = ({ student }: { student: Student | undefined }) => {
  const fixed = student !== undefined
  return (
    <>
      {!fixed && <Field name="studentNo" />}
      <Field name="examineeNo" disabled={fixed} />
      <Field name="gradeId">
        <BasicSelect type="grade" disabled={fixed} known={known(student?.gradeId, student?.gradeName)} />
      </Field>
      <Field name="levelId">
        <BasicSelect type="level" disabled={fixed} known={known(student?.levelId, student?.levelName)} />
      </Field>
      <Field name="majorId">
        <MajorOfLevel disabled={fixed} record={student} />
      </Field>
      <Field name="studyForm" disabled={fixed} />
      <Field name="schoolingYears" disabled={fixed} />
      <Field name="enrolledOn" disabled={fixed} />
      <Field name="siteId">
        <BasicSelect type="site" known={known(student?.siteId, student?.siteName)} />
      </Field>
      <Field name="classId" help="班级须与年级、层次、专业和站点一致">
        <BasicSelect type="class" known={known(student?.classId, student?.className)} />
      </Field>
      {!fixed && (
        <>
          <Field name="status" />
          <Field name="statusReason" />
          <Field name="registeredOn" />
          <Field name="endedOn" help="毕业、结业、肄业、退学、转出的学生填写离校的日期" />
          <Field name="source" />
        </>
      )}
      <Field name="totalScore" />
      <Field name="examCategory" />
      <Field name="remark" />
    </>
  )
}

const FormerEducation = () => (
  <>
    <Field name="preEduLevel" />
    <Field name="preEduSchool" />
    <Field name="preEduMajor" />
    <Field name="preEduCertificateNo" />
    <Field name="preEduGraduatedOn" />
  </>
)

const Contact = () => (
  <>
    <Field name="phone" />
    <Field name="email" />
    <Field name="postalCode" />
    <Field name="workUnit" />
    <Field name="occupation" />
    <Field name="emergencyContact" />
    <Field name="emergencyPhone" />
    <Field name="address" />
  </>
)

interface StudentFormProps extends DrawerProps<Student> {
  /** Leads to where the key fields of a known student are corrected. */
  onCorrect: (student: Student) => void
}

/** 新增 and 编辑 of a student (02 §9.7). */
export const StudentForm = ({ record, onCorrect, ...drawer }: StudentFormProps) => (
  <FormDrawer<Student, Warned>
    {...drawer}
    record={record}
    width={760}
    title={record ? `编辑学生 ${record.name}` : '新增学生'}
    initial={{
      idCardType: 'resident_id',
      studyForm: 'non_full_time',
      status: 'pending_registration',
      source: 'legacy',
    }}
    action={(student) =>
      student ? formAction(editStudent, '已保存学生', student) : formAction(saveStudent, '已新增学生')
    }
    reload={(student, call) => call(viewStudent, { query: { id: student.id } })}
  >
    {record && (
      <p className="form-hint">
        姓名、证件等学籍关键信息不能在此修改，请办理信息更正或学籍异动。
        <Can do={saveCorrection}>
          <Button type="text" size="mini" onClick={() => onCorrect(record)}>
            申请更正
          </Button>
        </Can>
      </p>
    )}
    <Sections
      label="学生资料"
      className="form-grid"
      sections={[
        { title: '基本信息', content: <Person student={record} /> },
        { title: '学籍信息', content: <Enrolment student={record} /> },
        { title: '入学前学历', content: <FormerEducation /> },
        { title: '联系方式', content: <Contact /> },
      ]}
    />
  </FormDrawer>
)
