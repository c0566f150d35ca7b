import { Button, Form, Input, InputNumber, Select, Switch } from '@arco-design/web-react'
import type { DataOf } from '@/api/operation'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { CourseSelect } from '@/courses/CourseSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import type { DrawerProps } from '@/kit/useDrawer'
import { editScoreRule, saveScoreRule, viewScoreRule } from './api'
import { initialRule, isItems, mayNameCourse, type Rule, type ScoreKind, weightRefusal } from './scoreWords'

const Field = fieldsOf(saveScoreRule)

type Report = (message?: string) => void
type Words = readonly (readonly [value: string | number, label: string])[]

const HUNDRED = 100
const MOST_ITEMS = 20

/** What the parameters of a rule are called: each kind has others, so the document does not list them. */
const words = {
  makeupMethod: [
    ['exam_only_capped', '只看卷面，及格封顶'],
    ['recompute_capped', '按公式重算，及格封顶'],
    ['recompute', '按公式重算'],
  ],
  absentTotal: [
    ['zero', '总评计0分'],
    ['compute', '卷面计0分'],
  ],
  cheatingMakeup: [
    ['none', '不能补考'],
    ['once_before_graduation', '毕业前一次'],
  ],
  homeworkMethod: [
    ['weighted', '加权平均'],
    ['best_n', '最好的若干次'],
    ['ignore_missed', '不计未交'],
  ],
  attendanceSource: [
    ['instruction_total', '面授总成绩'],
    ['instruction_attendance', '面授出勤成绩'],
    ['deduct', '按缺勤扣分'],
    ['import_only', '只用导入值'],
  ],
  missing: [
    ['zero', '计0分'],
    ['redistribute', '按其余项折算'],
    ['block', '不能提交'],
  ],
  gradingMode: [
    ['percent', '百分制'],
    ['five_level', '五级制'],
    ['two_level', '两级制'],
  ],
  gpaScale: [
    ['linear_5', '五分线性'],
    ['band_4', '四分分段'],
  ],
  scale: [
    [0, '整数'],
    [1, '一位小数'],
  ],
} as const satisfies Record<string, Words>

interface ParamProps {
  name: string
  label: string
  help?: string
}

/** A whole number of the parameters. */
const Whole = ({ name, label, help, most = HUNDRED, optional }: ParamProps & { most?: number; optional?: boolean }) => (
  <Form.Item
    field={`params.${name}`}
    label={label}
    extra={help}
    required={!optional}
    rules={optional ? [] : [{ required: true, message: `请输入${label}` }]}
  >
    <InputNumber aria-label={label} min={0} max={most} precision={0} hideControl />
  </Form.Item>
)

const Chosen = ({ name, label, help, of }: ParamProps & { of: Words }) => (
  <Form.Item
    field={`params.${name}`}
    label={label}
    extra={help}
    required
    rules={[{ required: true, message: `请选择${label}` }]}
  >
    <Select aria-label={label} options={of.map(([value, word]) => ({ value, label: word }))} />
  </Form.Item>
)

const Flag = ({ name, label, help }: ParamProps) => (
  <Form.Item field={`params.${name}`} label={label} extra={help} triggerPropName="checked">
    <Switch aria-label={label} />
  </Form.Item>
)

/** 权重之和 beneath the weights; the server's refusal of all of them stands here too. */
const Hundred = ({ fields }: { fields: readonly string[] }) => {
  const { form } = Form.useFormContext()
  Form.useWatch([...fields], form)
  const weights = fields.map((field) => {
    const value = form.getFieldValue(field)
    return typeof value === 'number' ? value : null
  })
  const refusal = weightRefusal(weights)
  return (
    <Form.Item
      field="params.weights_sum"
      noStyle={{ showErrorTip: true }}
      rules={[{ validator: (_, report: Report) => report(refusal) }]}
    >
      <p className="form-hint" aria-live="polite">
        {refusal ?? '权重之和为100'}
      </p>
    </Form.Item>
  )
}

const study = (
  <>
    <Whole name="progressWeight" label="进度权重(%)" />
    <Whole name="minutesWeight" label="时长权重(%)" />
    <Whole name="daysWeight" label="天数权重(%)" />
    <Hundred fields={['params.progressWeight', 'params.minutesWeight', 'params.daysWeight']} />
    <Whole name="fullMinutes" label="满分分钟数" most={100_000} optional help="不填时为在线学时×45" />
    <Whole name="fullDays" label="满分天数" most={366} optional help="天数有权重时必填" />
  </>
)

const homework = (
  <>
    <Chosen name="method" label="计算方法" of={words.homeworkMethod} />
    <Form.Item noStyle shouldUpdate>
      {({ params }: { params?: { method?: string } }) =>
        params?.method === 'best_n' && <Whole name="n" label="取最好的次数" />
      }
    </Form.Item>
  </>
)

const finalExam = (
  <>
    <Whole name="examMinimum" label="卷面最低分" help="卷面低于该分数的总评不及格，0为不限" />
    <Chosen name="makeupMethod" label="补考成绩计算" of={words.makeupMethod} />
    <Whole name="makeupCap" label="补考封顶分" />
    <Whole name="makeupLimit" label="补考次数" most={10} />
    <Whole name="finalMakeupLimit" label="毕业补考次数" most={10} />
    <Chosen name="absentTotal" label="缺考总评" of={words.absentTotal} />
    <Chosen name="cheatingMakeup" label="作弊补考" of={words.cheatingMakeup} />
    <Flag name="violationMakeup" label="违纪可以补考" />
    <Flag name="disqualifiedMakeup" label="取消资格可以补考" />
  </>
)

const attendance = (
  <>
    <Chosen name="source" label="考勤成绩取自" of={words.attendanceSource} help="导入的成绩优先于计算值" />
    <Whole name="base" label="基础分" />
    <Whole name="absentDeduct" label="缺勤扣分" help="每次" />
    <Whole name="lateDeduct" label="迟到扣分" help="每次" />
    <Whole name="leaveDeduct" label="请假扣分" help="每次" />
    <Whole name="floor" label="最低分" />
    <Whole name="absenceFailPercent" label="缺勤计0分比例(%)" help="缺勤达到该比例的计0分" />
  </>
)

const questions = (
  <>
    <Whole name="perQuestion" label="每次提问得分" />
    <Whole name="perAnswer" label="每次回答得分" />
    <Whole name="cap" label="最高分" />
  </>
)

interface Item {
  code?: string
  name?: string
  weight?: number
}

const NO_ITEM: Item = {}

/** 评分项: what is scored by itself, with its weight. */
const Items = () => (
  <>
    <Form.List
      field="params.items"
      rules={[
        {
          validator: (value, report: Report) => {
            const items: Item[] = Array.isArray(value) ? value : []
            report(items.length === 0 ? '请添加评分项' : weightRefusal(items.map(({ weight }) => weight)))
          },
        },
      ]}
    >
      {(fields, { add, remove }) => (
        <div className="score-items">
          {fields.map((item, at) => (
            <div key={item.key} className="score-item">
              <Form.Item field={`${item.field}.code`} label="编码" rules={[{ required: true, message: '请输入编码' }]}>
                <Input aria-label={`第${at + 1}项编码`} maxLength={20} />
              </Form.Item>
              <Form.Item field={`${item.field}.name`} label="名称" rules={[{ required: true, message: '请输入名称' }]}>
                <Input aria-label={`第${at + 1}项名称`} maxLength={20} />
              </Form.Item>
              <Form.Item
                field={`${item.field}.weight`}
                label="权重(%)"
                rules={[{ required: true, message: '请输入权重' }]}
              >
                <InputNumber aria-label={`第${at + 1}项权重`} min={0} max={HUNDRED} precision={0} hideControl />
              </Form.Item>
              <Button type="text" status="danger" aria-label={`删除第${at + 1}项`} onClick={() => remove(at)}>
                删除
              </Button>
            </div>
          ))}
          <Button disabled={fields.length >= MOST_ITEMS} onClick={() => add(NO_ITEM)}>
            添加评分项
          </Button>
        </div>
      )}
    </Form.List>
    <Flag name="itemsRequired" label="须按评分项录入" help="否则可以只录入总分" />
  </>
)

const PARTS = [
  ['study', '学习'],
  ['homework', '作业'],
  ['attendance', '考勤'],
  ['questions', '答疑'],
  ['final_exam', '卷面'],
] as const

const total = (
  <>
    {PARTS.map(([part, label]) => (
      <Whole key={part} name={`weights.${part}`} label={`${label}权重(%)`} />
    ))}
    <Hundred fields={PARTS.map(([part]) => `params.weights.${part}`)} />
    {PARTS.map(([part, label]) => (
      <Chosen key={part} name={`missing.${part}`} label={`缺${label}成绩时`} of={words.missing} />
    ))}
    <Chosen name="scale" label="总评小数" of={words.scale} />
    <Whole name="passLine" label="及格线" />
    <Chosen name="gradingMode" label="记分方式" of={words.gradingMode} />
    <Chosen name="gpaScale" label="绩点算法" of={words.gpaScale} />
  </>
)

const THESIS_PARTS = [
  ['internship', '实习'],
  ['thesis', '论文'],
  ['review', '评阅'],
  ['defense', '答辩'],
] as const

const graduationTotal = (
  <>
    {THESIS_PARTS.map(([part, label]) => (
      <Whole key={part} name={`weights.${part}`} label={`${label}权重(%)`} />
    ))}
    <Hundred fields={THESIS_PARTS.map(([part]) => `params.weights.${part}`)} />
    {THESIS_PARTS.map(([part, label]) => (
      <Whole
        key={part}
        name={`floors.${part}`}
        label={`${label}最低分`}
        optional
        help="低于该分数的总评不及格，不填为不限"
      />
    ))}
    <Chosen name="scale" label="总评小数" of={words.scale} />
    <Whole name="passLine" label="及格线" />
    <Whole name="excellentMaxPercent" label="优秀率上限(%)" help="超过时发布须确认" />
    <Chosen name="gradingMode" label="记分方式" of={words.gradingMode} />
  </>
)

const ParamsOf = ({ kind }: { kind: ScoreKind }) => {
  if (isItems(kind)) return <Items />
  const others: Partial<Record<ScoreKind, typeof study>> = {
    study,
    homework,
    final_exam: finalExam,
    attendance,
    questions,
    total,
    graduation_total: graduationTotal,
  }
  return others[kind] ?? null
}

/** A new rule, an edited one, or one that is made after another. */
export interface RuleWish {
  rule?: Rule
  copy?: boolean
}

/** The sum of the weights is no parameter. */
const withoutSum = (values: object) => {
  const { params, ...rest }: { params?: Record<string, unknown> } = values
  if (!params) return rest
  const { weights_sum: _, ...own } = params
  return { ...rest, params: own }
}

/** 新增, 编辑 and 复制 of a rule. What is saved says how many scores follow it. */
export const RuleForm = ({ kind, record: wish, ...drawer }: DrawerProps<RuleWish> & { kind: ScoreKind }) => {
  const edited = wish?.copy ? undefined : wish?.rule
  const source = wish?.rule
  const fixed = edited?.isDefault
  return (
    <FormDrawer<Partial<Rule>, DataOf<typeof saveScoreRule>>
      {...drawer}
      record={edited}
      width={680}
      title={edited ? '编辑成绩规则' : source ? '复制成绩规则' : '新增成绩规则'}
      initial={initialRule(kind, source)}
      action={() => {
        const done = ({ staleCount }: DataOf<typeof saveScoreRule>) =>
          staleCount > 0 ? `已保存规则，${formatNumber(staleCount)}条未提交的成绩将自动重算` : '已保存规则'
        const save = edited
          ? formAction(editScoreRule, done, { ...edited, kind })
          : formAction(saveScoreRule, done, { kind })
        return { ...save, send: (values: object, request) => save.send(withoutSum(values), request) }
      }}
      reload={async ({ id }, call) => call(viewScoreRule, { query: { id: id ?? 0 } })}
    >
      {fixed ? (
        <p className="form-hint">默认规则适用于没有其他规则的学生，不能改变适用范围。</p>
      ) : (
        <>
          <Field name="gradeId">
            <BasicSelect type="grade" placeholder="全部" known={known(source?.gradeId, source?.gradeName)} />
          </Field>
          <Field name="levelId">
            <BasicSelect type="level" placeholder="全部" known={known(source?.levelId, source?.levelName)} />
          </Field>
          <Field name="majorId">
            <BasicSelect type="major" placeholder="全部" known={known(source?.majorId, source?.majorName)} />
          </Field>
          {mayNameCourse(kind) && (
            <Field name="courseId">
              <CourseSelect type="course" known={known(source?.courseId, source?.courseName)} />
            </Field>
          )}
        </>
      )}
      <ParamsOf kind={kind} />
      {!fixed && <Field name="enabled" />}
      <Field name="remark" />
    </FormDrawer>
  )
}
