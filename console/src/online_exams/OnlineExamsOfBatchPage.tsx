import { Alert, Button, Checkbox, Empty, Form, Space, Steps, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { fieldErrors, messageOf, tellSuccess } from '@/api/errors'
import { listOptions } from '@/api/infra'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { batches, papersOf } from '@/exams/choices'
import { type Offered, OfferedFilters } from '@/exams/OfferedFilters'
import { type OfferedCourse, useOfferedCourses, useSetCourses } from '@/exams/offeredCourses'
import { nothingOffered } from '@/exams/offeredRules'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { withZone } from '@/kit/moments'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { tidied } from '@/kit/rules'
import { Word } from '@/kit/Status'
import { useDraftForm } from '@/kit/useDraftForm'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listPapers } from '@/question_bank/api'
import { listOnlineSetups, saveOnlineSetup, saveOnlineSetups } from './api'
import { AntiCheat } from './ExamFields'
import { type ExamBody, newExam } from './onlineRules'

const COURSES = 0
const COMMON = 1
const LINES = 2
const MOST = 200

const titles = ['选择课程', '共同设置', '试卷和时间'] as const

/** What is chosen for one course. */
interface Line {
  paper?: number
  startsAt?: string
  endsAt?: string
}

const Field = fieldsOf(saveOnlineSetup)

const small = {
  size: 'small',
  border: { wrapper: true },
  pagination: { pageSize: 20, hideOnSinglePage: true },
} as const

interface CoursesProps {
  asked: Offered
  batchId: number | undefined
  ticked: readonly number[]
  onTick: (rows: OfferedCourse[]) => void
}

const Courses = ({ asked, batchId, ticked, onTick }: CoursesProps) => {
  const offered = useOfferedCourses(asked)
  const set = useSetCourses(listOnlineSetups, batchId)
  const isSet = ({ courseId }: OfferedCourse) => set.has(courseId)
  if (asked.semesterId === undefined || batchId === undefined) return <p className="form-hint">请先选择批次和学期。</p>
  return (
    <Loaded query={offered} rows={6}>
      {(list) => (
        <Table
          {...small}
          rowKey="courseId"
          data={list}
          noDataElement={<Empty description={nothingOffered(asked, false)} />}
          rowSelection={{
            type: 'checkbox',
            selectedRowKeys: [...ticked],
            preserveSelectedRowKeys: true,
            onChange: (keys) => onTick(list.filter(({ courseId }) => keys.includes(courseId))),
            checkboxProps: (row) => ({ 'aria-label': `选择${row.courseName}`, disabled: isSet(row) }),
          }}
          columns={[
            { title: '课程', render: (_: unknown, row: OfferedCourse) => `${row.courseName}（${row.courseCode}）` },
            {
              title: '班级数',
              width: 90,
              align: 'right',
              render: (_: unknown, row: OfferedCourse) => formatNumber(row.classIds.length),
            },
            {
              title: '学生数',
              width: 90,
              align: 'right',
              render: (_: unknown, row: OfferedCourse) => formatNumber(row.studentCount),
            },
            {
              title: '本批次',
              width: 100,
              render: (_: unknown, row: OfferedCourse) =>
                isSet(row) ? <Word>已设置</Word> : <Word tone="good">未设置</Word>,
            },
          ]}
        />
      )}
    </Loaded>
  )
}

interface LinesProps {
  courses: readonly OfferedCourse[]
  lines: ReadonlyMap<number, Line>
  errors: ReadonlyMap<number, string>
  onChange: (lines: ReadonlyMap<number, Line>) => void
}

/** 试卷 and 时间 of each course. */
const Lines = ({ courses, lines, errors, onChange }: LinesProps) => {
  const set = (course: number, next: Partial<Line>) =>
    onChange(new Map([...lines, [course, { ...lines.get(course), ...next }]]))
  return (
    <Table
      {...small}
      rowKey="courseId"
      data={[...courses]}
      columns={[
        { title: '课程', dataIndex: 'courseName', width: 180 },
        {
          title: '试卷',
          width: 280,
          render: (_: unknown, { courseId, courseName }: OfferedCourse) => (
            <OptionSelect
              label={`${courseName}的试卷`}
              {...papersOf(courseId)}
              value={lines.get(courseId)?.paper}
              onChange={(paper) => set(courseId, { paper })}
            />
          ),
        },
        {
          title: '开始时间',
          width: 200,
          render: (_: unknown, { courseId, courseName }: OfferedCourse) => (
            <DateTimeInput
              aria-label={`${courseName}的开始时间`}
              value={lines.get(courseId)?.startsAt}
              onChange={(startsAt) => set(courseId, { startsAt })}
            />
          ),
        },
        {
          title: '结束时间',
          width: 200,
          render: (_: unknown, { courseId, courseName }: OfferedCourse) => (
            <DateTimeInput
              aria-label={`${courseName}的结束时间`}
              dayEnd
              value={lines.get(courseId)?.endsAt}
              onChange={(endsAt) => set(courseId, { endsAt })}
            />
          ),
        },
        {
          title: '结果',
          render: (_: unknown, { courseId }: OfferedCourse) =>
            errors.has(courseId) ? <Word tone="bad">{errors.get(courseId)}</Word> : '—',
        },
      ]}
    />
  )
}

const Wizard = () => {
  const request = useRequest()
  const navigate = useNavigate()
  const search = new URLSearchParams(useLocation().search)
  const [step, setStep] = useState(COURSES)
  const [batchId, setBatch] = useState(Number(search.get('batchId')) || undefined)
  const [asked, setAsked] = useState<Offered>({ semesterId: Number(search.get('semesterId')) || undefined })
  const [courses, setCourses] = useState<readonly OfferedCourse[]>([])
  const [lines, setLines] = useState<ReadonlyMap<number, Line>>(new Map())
  const [errors, setErrors] = useState<ReadonlyMap<number, string>>(new Map())
  const [same, setSame] = useState(false)
  const [common, setCommon] = useState<Partial<ExamBody>>()
  const [begun] = useState(() => newExam({}))
  const draft = useDraftForm(true, begun)
  /** 自动匹配试卷: the newest approved paper of the kind that the batch asks for. */
  const match = useMutation({
    mutationFn: async () => {
      const known = await request(listOptions, { query: batches.query('') })
      const kind = known.find(({ code }) => code === batchId)?.testBatchKind
      const first = common?.round ? common.round === 'first' : kind === 'final'
      const found = new Map(lines)
      for (const { courseId } of courses) {
        if (found.get(courseId)?.paper) continue
        const body = {
          courseId,
          kind: first ? 'exam' : 'makeup',
          status: 'approved',
          pageCurrent: FIRST_PAGE,
          pageSize: 1,
        } as const
        const { list } = await request(listPapers, { body })
        const [paper] = list
        if (paper) found.set(courseId, { ...found.get(courseId), paper: paper.id })
      }
      return found
    },
    onSuccess: (found) => {
      setLines(found)
      const left = courses.filter(({ courseId }) => !found.get(courseId)?.paper).length
      tellSuccess(left > 0 ? `已匹配试卷，${formatNumber(left)}门课程没有审核通过的试卷` : '已匹配全部课程的试卷')
    },
  })
  const saving = useMutation({
    mutationFn: () => {
      const rows = courses.map(({ courseId, classIds }) => {
        const { paper, startsAt, endsAt } = lines.get(courseId) ?? {}
        const line = {
          courseId,
          semesterId: asked.semesterId,
          classIds,
          papers: paper ? [paper] : [],
          startsAt,
          endsAt,
        }
        return withZone(line, ['startsAt', 'endsAt'])
      })
      // What each row says for itself stands in the common part too, because a form of one has it.
      const own = { ...common, ...rows[0], batchId, classIds: [], papers: [] }
      const body = { batchId, common: own, rows, confirmSamePaper: same }
      return request(saveOnlineSetups, { body }, { quiet: (refusal) => fieldErrors(refusal).length > 0 })
    },
    onMutate: () => setErrors(new Map()),
    onSuccess: async ({ ids }) => {
      draft.settled()
      await refetchAll()
      tellSuccess(`已新增${formatNumber(ids.length)}场考试，请刷新考生名单后发布`)
      navigate(`${paths.onlineExams}?batchId=${batchId}`)
    },
    onError: (error) => {
      const told = new Map<number, string>()
      for (const { field, message } of fieldErrors(error)) {
        const at = Number(/^rows\[(\d+)\]/.exec(field)?.[1] ?? -1)
        const course = courses[at]
        if (course) told.set(course.courseId, message)
      }
      setErrors(told)
      draft.showErrors(error)
    },
  })
  const keep = async () => {
    const values = await draft.validated<Record<string, unknown>>()
    if (!values) return
    setCommon({ ...begun, ...tidied(values) })
    setStep(LINES)
  }
  const unset = courses.filter(({ courseId }) => {
    const { paper, startsAt, endsAt } = lines.get(courseId) ?? {}
    return !startsAt || !endsAt || (!paper && common?.paperMode !== 'random_rule')
  }).length
  const copyTimes = () => {
    const first = courses.map(({ courseId }) => lines.get(courseId)).find((line) => line?.startsAt && line.endsAt)
    if (!first) return
    const { startsAt, endsAt } = first
    setLines(new Map(courses.map(({ courseId }) => [courseId, { startsAt, endsAt, ...lines.get(courseId) }])))
  }
  return (
    <div className="form-page" ref={draft.wrapper}>
      <Steps current={step + 1} size="small" className="form-lead">
        {titles.map((title) => (
          <Steps.Step key={title} title={title} />
        ))}
      </Steps>
      {step === COURSES && (
        <>
          <Form.Item label="批次" required layout="vertical">
            <OptionSelect label="批次" {...batches} value={batchId} onChange={setBatch} />
          </Form.Item>
          <OfferedFilters
            value={asked}
            onChange={(next) => {
              setAsked(next)
              setCourses([])
            }}
          />
          <Courses
            asked={asked}
            batchId={batchId}
            ticked={courses.map(({ courseId }) => courseId)}
            onTick={setCourses}
          />
        </>
      )}
      <div hidden={step !== COMMON}>
        <Form {...draft.formProps}>
          <div className="form-grid">
            <Field name="round" placeholder="按批次的类型" />
            <Field name="durationMinutes" help="10至300" />
            <Field name="markingMode" />
            <Field name="showScore" />
            <Field name="showAnswer" />
            <Field name="shuffleQuestions" />
            <Field name="shuffleOptions" />
            <Field name="anonymousMarking" />
            <Field name="requireFee" />
            <Field name="includeDeferred" />
          </div>
          <AntiCheat />
        </Form>
      </div>
      {step === LINES && (
        <>
          {saving.isError && <Alert className="form-lead" type="error" content={messageOf(saving.error)} />}
          <Space className="form-lead">
            <Button loading={match.isPending} onClick={() => match.mutate()}>
              自动匹配试卷
            </Button>
            <Button onClick={copyTimes}>把已填的时间用于其余课程</Button>
            <Checkbox checked={same} onChange={setSame}>
              补考可以使用正考的试卷
            </Checkbox>
          </Space>
          <Lines courses={courses} lines={lines} errors={errors} onChange={setLines} />
        </>
      )}
      <Space className="form-page-foot">
        {step > COURSES && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
        {step === COURSES && (
          <Button
            type="primary"
            disabled={courses.length === 0 || courses.length > MOST || batchId === undefined}
            title={courses.length > MOST ? `一次最多${MOST}门课程` : undefined}
            onClick={() => setStep(COMMON)}
          >
            下一步
          </Button>
        )}
        {step === COMMON && (
          <Button type="primary" onClick={keep}>
            下一步
          </Button>
        )}
        {step === LINES && (
          <Button
            type="primary"
            loading={saving.isPending}
            disabled={unset > 0}
            title={unset > 0 ? `还有${unset}门课程没有试卷或时间` : undefined}
            onClick={() => saving.mutate()}
          >
            新增{formatNumber(courses.length)}场考试
          </Button>
        )}
        <Button onClick={() => navigate(paths.onlineExams)}>返回列表</Button>
      </Space>
    </div>
  )
}

/** 批量新增考试: courses of a semester, what is the same of all, and the paper and time of each (04 §2.4). */
export const OnlineExamsOfBatchPage = () => (
  <Page title="批量新增考试" help="为一个批次的多门课程一次新增在线考试；有一行不正确时全部不保存。">
    <Wizard />
  </Page>
)
