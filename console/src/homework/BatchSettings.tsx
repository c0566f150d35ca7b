import { Checkbox, Form } from '@arco-design/web-react'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { saveHomework, saveHomeworkBatch } from './api'

/** The settings of a batch are those of a homework, by the same names. */
const Field = fieldsOf(saveHomework)
const Own = fieldsOf(saveHomeworkBatch)

/** 统一设置 of all homework of a batch. */
export const BatchSettings = ({ mayPublish }: { mayPublish: boolean }) => (
  <>
    <Own name="titlePattern" help="可用 {课程名}、{学期}、{序号}；序号接着该课程已有的作业" />
    <Field name="startsAt" />
    <Field name="endsAt">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="lateUntil" help="在此之前可以补交">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="latePenalty" />
    <Field name="durationMinutes" help="不填为不限时" />
    <Field name="maxAttempts" />
    <Field name="attemptScoring" />
    <Field name="minIntervalMinutes" />
    <Field name="shuffleQuestions" />
    <Field name="shuffleOptions" />
    <Field name="showAnswer" />
    <Field name="requiredProgress" />
    <Field name="weight" />
    <Field name="similarityThreshold" help="30至100；不填为不检测" />
    <Field name="markDueAt">
      <DateTimeInput dayEnd />
    </Field>
    {mayPublish && (
      <Form.Item field="publish" triggerPropName="checked">
        <Checkbox>保存后发布</Checkbox>
      </Form.Item>
    )}
  </>
)
