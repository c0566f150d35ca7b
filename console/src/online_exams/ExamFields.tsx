import { Form, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import type { ReactElement } from 'react'
import { semesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { ClassesInput } from '@/exams/ClassesInput'
import { batches, rulesOf } from '@/exams/choices'
import type { SlotPaper } from '@/exams/examRules'
import { SlotsInput } from '@/exams/SlotsInput'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { OptionSelect } from '@/kit/OptionSelect'
import { saveOnlineSetup } from './api'
import { type ExamBody, type ExamView, isDraft, papersRefusal } from './onlineRules'

/** The fields of an examination on the net, in the parts in which both the wizard and the settings show them. */

const Field = fieldsOf(saveOnlineSetup)

type Report = (message?: string) => void

interface PartProps {
  before: Partial<ExamBody>
  view?: ExamView
}

const useTyped = <Name extends keyof ExamBody>(name: Name, before: Partial<ExamBody>): Partial<ExamBody>[Name] => {
  const { form } = Form.useFormContext()
  return Form.useWatch(name, form) ?? before[name]
}

const MOST_LATE = 300
const MOST_ATTEMPTS = 3

interface NumberProps {
  name: keyof ExamBody & string
  min: number
  max: number
  precision?: number
  help?: string
  disabled?: boolean
  required?: boolean
}

/** A number whose limits are the room's, not the document's. */
const NumberField = ({ name, min, max, precision = 0, help, disabled, required }: NumberProps) => (
  <Field name={name} help={help} required={required}>
    <InputNumber min={min} max={max} precision={precision} hideControl disabled={disabled} />
  </Field>
)

/** 基本与时间. */
export const Basics = ({ view }: PartProps) => {
  const open = isDraft(view?.status)
  return (
    <div className="form-grid">
      <Field name="batchId" disabled={!open}>
        <OptionSelect
          label="批次"
          {...batches}
          disabled={!open}
          known={view && { code: view.batchId, desc: view.batchName }}
        />
      </Field>
      <Field name="courseId" disabled={!open}>
        <OptionSelect
          label="课程"
          {...courses}
          disabled={!open}
          known={view && { code: view.courseId, desc: view.courseName }}
        />
      </Field>
      <Field name="semesterId" disabled={!open} help="课程修读的学期；期末考试与批次的学期相同">
        <OptionSelect
          label="学期"
          {...semesters}
          disabled={!open}
          known={view && { code: view.semesterId, desc: view.semesterName }}
        />
      </Field>
      <Field name="name" disabled={!open} />
      <Field name="round" disabled={!open} placeholder="按批次的类型" />
      <Field name="startsAt" disabled={!open} />
      <Field name="endsAt" help={open ? undefined : '发布后只能延后'}>
        <DateTimeInput dayEnd />
      </Field>
      <Field name="durationMinutes" disabled={!open} help="10至300" />
      <NumberField name="lateLimitMinutes" min={0} max={MOST_LATE} help="开考后多少分钟内可以进入，不填时到考试结束" />
      <NumberField
        name="earliestSubmitMinutes"
        min={0}
        max={MOST_LATE}
        disabled={!open}
        help="开考多少分钟后方可交卷"
      />
      <Field name="remark" disabled={!open} />
    </div>
  )
}

/** 试卷与规则. */
export const PaperRules = ({ before, view }: PartProps) => {
  const open = isDraft(view?.status)
  const mode = useTyped('paperMode', before)
  const courseId = useTyped('courseId', before)
  const attempts = useTyped('maxAttempts', before)
  const marking = useTyped('markingMode', before)
  return (
    <div className="form-grid">
      <Field
        name="paperMode"
        disabled={!open}
        help="多套随机：每名考生一份；按班级：各班依次使用；每人随机：按策略抽题"
      />
      {mode === 'random_rule' ? (
        <Field name="ruleId" required disabled={!open}>
          <OptionSelect label="组卷策略" {...rulesOf(courseId)} disabled={!open} />
        </Field>
      ) : (
        <Form.Item
          field="papers"
          label="试卷"
          required
          extra="用途为考试或补考、审核通过的试卷，总分应相同"
          rules={[
            {
              validator: (value, report: Report) =>
                report(papersRefusal(mode, (Array.isArray(value) ? value : []) as SlotPaper[])),
            },
          ]}
        >
          <SlotsInput courseId={courseId} single={mode === 'fixed'} disabled={!open} />
        </Form.Item>
      )}
      <Field name="shuffleQuestions" disabled={!open} />
      <Field name="shuffleOptions" disabled={!open} />
      <NumberField name="maxAttempts" min={1} max={MOST_ATTEMPTS} disabled={!open} help="1至3次" />
      {Number(attempts) > 1 && <Field name="attemptScoring" disabled={!open} />}
      <NumberField name="passScore" min={0} max={100} precision={1} disabled={!open} help="百分制，只用于显示" />
      <Field name="markingMode" disabled={!open} help="全自动只用于没有主观题的试卷" />
      {marking === 'double' && (
        <NumberField
          name="markDiffPercent"
          min={5}
          max={50}
          disabled={!open}
          help="两次评分相差超过题目分值的该比例时仲裁"
        />
      )}
      <Field name="anonymousMarking" disabled={!open} />
      <Field name="showScore" />
      <Field name="showAnswer" disabled={!open} />
    </div>
  )
}

/** 考试对象 and who of them may sit. */
export const Whom = ({ before, view }: PartProps) => {
  const open = isDraft(view?.status)
  const courseId = useTyped('courseId', before)
  const semesterId = useTyped('semesterId', before)
  return (
    <>
      <Form.Item field="classIds" label="考试对象" extra="所选班级中选修该课程的学生；保存后在“考生”中刷新名单">
        <ClassesInput courseId={courseId} semesterId={semesterId} disabled={!open} />
      </Form.Item>
      <div className="form-grid">
        <NumberField name="minProgress" min={0} max={100} precision={1} disabled={!open} help="不填为不要求" />
        <NumberField name="minHomework" min={0} max={100} precision={1} disabled={!open} help="不填为不要求" />
        <NumberField name="maxAbsence" min={0} max={100} precision={1} disabled={!open} help="不填为不要求" />
        <Field name="requireFee" disabled={!open} help="欠费的学生取消资格" />
        <Field name="includeDeferred" disabled={!open} />
      </div>
    </>
  )
}

interface WatchProps {
  field: string
  label: string
  help?: string
  checked?: boolean
  children: ReactElement
}

/** A field of what is watched; the document describes them together. */
const Watch = ({ field, label, help, checked, children }: WatchProps) => (
  <Form.Item field={`antiCheat.${field}`} label={label} extra={help} triggerPropName={checked ? 'checked' : undefined}>
    {children}
  </Form.Item>
)

const faces = [
  { value: 'none', label: '不核验' },
  { value: 'entry', label: '进入时' },
  { value: 'periodic', label: '进入时和考试中' },
]

/** 防作弊. */
export const AntiCheat = ({ view }: Pick<PartProps, 'view'>) => {
  const fixed = !isDraft(view?.status)
  return (
    <div className="form-grid">
      <Watch field="fullScreen" label="全屏作答" checked>
        <Switch aria-label="全屏作答" disabled={fixed} />
      </Watch>
      <Watch field="disableCopy" label="禁止复制粘贴" checked>
        <Switch aria-label="禁止复制粘贴" disabled={fixed} />
      </Watch>
      <Watch field="switchLimit" label="切屏上限" help="超过后强制交卷，不填为不限">
        <InputNumber aria-label="切屏上限" min={0} max={100} precision={0} hideControl disabled={fixed} />
      </Watch>
      <Watch field="switchToleranceSeconds" label="切屏容忍秒数" help="离开页面超过该秒数计1次">
        <InputNumber aria-label="切屏容忍秒数" min={0} max={600} precision={0} hideControl disabled={fixed} />
      </Watch>
      <Watch field="faceMode" label="人脸核验">
        <Select aria-label="人脸核验" options={faces} disabled={fixed} />
      </Watch>
      <Watch field="faceFailLimit" label="人脸核验失败上限" help="核验人脸时填写，不填为不限">
        <InputNumber aria-label="人脸核验失败上限" min={1} max={100} precision={0} hideControl disabled={fixed} />
      </Watch>
      <Watch field="snapshotSeconds" label="抓拍间隔秒数" help="0为不抓拍，否则不少于10秒">
        <InputNumber aria-label="抓拍间隔秒数" min={0} max={600} precision={0} hideControl disabled={fixed} />
      </Watch>
      <Watch field="idleSubmitSeconds" label="无操作交卷秒数" help="60至7200，不填为不检查">
        <InputNumber aria-label="无操作交卷秒数" min={60} max={7200} precision={0} hideControl disabled={fixed} />
      </Watch>
      <Watch field="singleDevice" label="单设备作答" checked>
        <Switch aria-label="单设备作答" disabled={fixed} />
      </Watch>
      <Watch field="ipLock" label="锁定网络地址" checked>
        <Switch aria-label="锁定网络地址" disabled={fixed} />
      </Watch>
    </div>
  )
}

const MOST_NOTICE = 2000

/** 通知: what students read before they begin. */
export const Notice = () => (
  <Watch field="notice" label="考试须知" help="学生进入考试前看到；发布后可以修改">
    <Input.TextArea
      aria-label="考试须知"
      maxLength={MOST_NOTICE}
      showWordLimit
      autoSize={{ minRows: 4, maxRows: 12 }}
    />
  </Watch>
)
