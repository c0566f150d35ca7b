import { Form, InputNumber } from '@arco-design/web-react'
import { semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { ClassesInput } from '@/exams/ClassesInput'
import { batches, sessionsOf } from '@/exams/choices'
import { SlotsInput } from '@/exams/SlotsInput'
import { fieldsOf } from '@/kit/Field'
import { OptionSelect } from '@/kit/OptionSelect'
import { saveOfflineSetup } from './api'
import type { ExamBody, ExamView } from './offlineRules'

const Field = fieldsOf(saveOfflineSetup)

interface FieldsProps {
  before: Partial<ExamBody>
  view?: ExamView
}

const useTyped = <Name extends keyof ExamBody>(name: Name, before: Partial<ExamBody>): Partial<ExamBody>[Name] => {
  const { form } = Form.useFormContext()
  return Form.useWatch(name, form) ?? before[name]
}

const percents = ['minProgress', 'minHomework', 'maxAbsence'] as const

/** The fields of an examination on paper. */
export const OfflineFields = ({ before, view }: FieldsProps) => {
  const fixed = view !== undefined && view.status !== 'draft'
  const batchId = useTyped('batchId', before)
  const courseId = useTyped('courseId', before)
  const semesterId = useTyped('semesterId', before)
  const sessionId = useTyped('sessionId', before)
  return (
    <>
      <div className="form-grid">
        <Field name="batchId" disabled={fixed}>
          <OptionSelect
            label="批次"
            {...batches}
            disabled={fixed}
            known={view && { code: view.batchId, desc: view.batchName }}
          />
        </Field>
        <Field name="courseId" disabled={fixed}>
          <OptionSelect
            label="课程"
            {...courses}
            disabled={fixed}
            known={view && { code: view.courseId, desc: view.courseName }}
          />
        </Field>
        <Field name="semesterId" disabled={fixed} help="课程修读的学期；期末考试与批次的学期相同">
          <OptionSelect
            label="学期"
            {...semesters}
            disabled={fixed}
            known={view && { code: view.semesterId, desc: view.semesterName }}
          />
        </Field>
        <Field name="name" disabled={fixed} />
        <Field name="round" disabled={fixed} placeholder="按批次的类型" />
        <Field name="assessMode" disabled={fixed} placeholder="与开课相同" />
        <Field name="sessionId" disabled={fixed} help="不选时按日期和时间取场次，没有时新建">
          <OptionSelect
            label="场次"
            {...sessionsOf(batchId)}
            disabled={fixed}
            known={
              view?.sessionId && view.sessionCode ? { code: view.sessionId, desc: `${view.sessionCode}场` } : undefined
            }
          />
        </Field>
        {sessionId == null && !fixed && (
          <>
            <Field name="date" />
            <Field name="startTime" placeholder="09:00" />
            <Field name="endTime" placeholder="11:00" />
          </>
        )}
        <Field name="durationMinutes" disabled={fixed} help="不填为场次的时长" />
        <Field name="noSeating" disabled={fixed} help="口试、实操和大作业可以不编排座位" />
      </div>
      <Form.Item field="classIds" label="考试对象" extra="所选班级中选修该课程的学生；保存时生成考生名单">
        <ClassesInput courseId={courseId} semesterId={semesterId} disabled={fixed} />
      </Form.Item>
      <div className="form-grid">
        {percents.map((name) => (
          <Field key={name} name={name} help="不填为不要求">
            <InputNumber min={0} max={100} precision={1} hideControl disabled={fixed} />
          </Field>
        ))}
        <Field name="requireFee" disabled={fixed} help="欠费的学生取消资格" />
        <Field name="includeDeferred" disabled={fixed} />
      </div>
      <Form.Item field="papers" label="试卷" extra="用于打印，可以不选；A卷和B卷按顺序选择">
        <SlotsInput courseId={courseId} disabled={fixed} />
      </Form.Item>
      <Field name="remark" />
    </>
  )
}
