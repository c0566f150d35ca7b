import { Alert, Button, Empty, Form, Result, Space, Steps, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { openSemesters } from '@/basic_data/choices'
import { InSemester } from '@/course_opening/SemesterFilter'
import { formatNumber } from '@/kit/format'
import { ToJobCentre } from '@/kit/jobCentre'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { momentsOf, withZone } from '@/kit/moments'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { tidied } from '@/kit/rules'
import { Word } from '@/kit/Status'
import { useDraftForm } from '@/kit/useDraftForm'
import { useJob } from '@/kit/useJob'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listCourseHomework, publishHomework, saveHomework, saveHomeworkBatch } from './api'
import { BatchSettings } from './BatchSettings'
import { papersOf, rulesOf } from './choices'
import { type Batch, type Batched, batchWords, type CourseHomework, newHomework } from './homeworkRules'

const TITLE = '批量布置作业'
const COURSES = 0
const SOURCES = 1
const SETTINGS = 2
const PREVIEW = 3
const DONE = 4
/** So many courses a semester has at the most, and a batch takes. */
const MOST = 500

/** What one course is asked, where somebody says so; else the newest paper, else a rule. */
interface Source {
  paper?: Choice
  rule?: Choice
}
type Sources = ReadonlyMap<number, Source>

const small = {
  size: 'small',
  border: { wrapper: true },
  pagination: { pageSize: 20, hideOnSinglePage: true },
} as const

interface CoursesProps {
  semesterId: number | undefined
  ticked: readonly number[]
  onTick: (rows: CourseHomework[]) => void
}

/** 选择课程, with what there is of each. */
const Courses = ({ semesterId, ticked, onTick }: CoursesProps) => {
  const request = useRequest()
  const body = { semesterId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const found = useQuery({
    queryKey: [listCourseHomework.path, 'batch', body],
    queryFn: ({ signal }) => request(listCourseHomework, { body }, { signal }),
    enabled: semesterId !== undefined,
  })
  if (semesterId === undefined) return <p className="form-hint">请先选择学期。</p>
  return (
    <Loaded query={found} rows={6}>
      {({ list }) => (
        <Table
          {...small}
          rowKey="courseId"
          data={list}
          noDataElement={<Empty description="该学期还没有已开课的课程" />}
          rowSelection={{
            type: 'checkbox',
            selectedRowKeys: [...ticked],
            preserveSelectedRowKeys: true,
            onChange: (keys) => onTick(list.filter(({ courseId }) => keys.includes(courseId))),
            checkboxProps: ({ courseName }) => ({ 'aria-label': `选择${courseName}` }),
          }}
          columns={[
            {
              title: '课程',
              render: (_: unknown, row: CourseHomework) => `${row.courseName}（${row.courseCode}）`,
            },
            ...(['studentCount', 'paperCount', 'ruleCount', 'homeworkCount'] as const).map((field) => ({
              title: fieldOf(listCourseHomework, field).label,
              width: 130,
              align: 'right' as const,
              render: (_: unknown, row: CourseHomework) => formatNumber(row[field]),
            })),
          ]}
        />
      )}
    </Loaded>
  )
}

interface SourcesProps {
  courses: readonly CourseHomework[]
  sources: Sources
  onChange: (sources: Sources) => void
}

/** 试卷或策略 of each course; what is left open is matched. */
const SourceTable = ({ courses, sources, onChange }: SourcesProps) => {
  const set = (course: number, source: Source) => onChange(new Map([...sources, [course, source]]))
  return (
    <>
      <p className="form-hint">不选择时自动匹配：最新的审核通过的作业试卷，没有试卷时用启用的作业组卷策略。</p>
      <Table
        {...small}
        rowKey="courseId"
        data={[...courses]}
        columns={[
          { title: '课程', dataIndex: 'courseName' },
          {
            title: '试卷',
            width: 320,
            render: (_: unknown, { courseId, courseName }: CourseHomework) => (
              <OptionSelect
                label={`${courseName}的试卷`}
                placeholder="自动匹配"
                {...papersOf(courseId)}
                value={sources.get(courseId)?.paper?.code}
                known={sources.get(courseId)?.paper}
                onChange={(_, paper) => set(courseId, { paper })}
              />
            ),
          },
          {
            title: '组卷策略',
            width: 320,
            render: (_: unknown, { courseId, courseName }: CourseHomework) => (
              <OptionSelect
                label={`${courseName}的组卷策略`}
                placeholder="自动匹配"
                {...rulesOf(courseId)}
                value={sources.get(courseId)?.rule?.code}
                known={sources.get(courseId)?.rule}
                onChange={(_, rule) => set(courseId, { rule })}
              />
            ),
          },
        ]}
      />
    </>
  )
}

type Line = Batched['rows'][number]

const Lines = ({ rows }: { rows: readonly Line[] }) => (
  <Table
    {...small}
    rowKey="courseId"
    data={[...rows]}
    columns={[
      { title: '课程', dataIndex: 'courseName', width: 200 },
      { title: '作业名称', render: (_: unknown, row: Line) => row.title ?? '—' },
      { title: '试卷或策略', render: (_: unknown, row: Line) => row.source ?? '—' },
      {
        title: '学生数',
        width: 90,
        align: 'right',
        render: (_: unknown, row: Line) => formatNumber(row.studentCount),
      },
      {
        title: '结果',
        width: 300,
        render: (_: unknown, row: Line) =>
          row.message ? <Word tone="bad">{row.message}</Word> : <Word tone="good">可以布置</Word>,
      },
    ]}
  />
)

/** What became of it, or goes on as a job. */
const Told = ({ told, onShow }: { told: Batched; onShow: () => void }) => {
  const job = useJob(told.jobId).data
  if (told.jobId && (!job || job.state === 'queued' || job.state === 'running'))
    return (
      <Result
        status="success"
        title="正在批量布置作业"
        subTitle="可以去做别的事，进度和结果在任务中心查看。"
        extra={<ToJobCentre onLeave={onShow} />}
      />
    )
  return (
    <>
      <Result
        status={told.jobId || told.created > 0 ? 'success' : 'warning'}
        title={job?.message ?? batchWords(told, false)}
        extra={<Button onClick={onShow}>查看作业</Button>}
      />
      {told.rows.length > 0 && <Lines rows={told.rows} />}
    </>
  )
}

const Wizard = ({ current }: { current: Choice | undefined }) => {
  const request = useRequest()
  const navigate = useNavigate()
  const mayPublish = useAllowed()(publishHomework)
  const [step, setStep] = useState(COURSES)
  const [semester, setSemester] = useState(current)
  const [courses, setCourses] = useState<readonly CourseHomework[]>([])
  const [sources, setSources] = useState<Sources>(new Map())
  const draft = useDraftForm(true, { ...newHomework(new Date()), titlePattern: '{课程名}作业{序号}', publish: false })
  const [settings, setSettings] = useState<Pick<Batch, 'settings' | 'titlePattern' | 'publish'>>()
  const run = useMutation({
    mutationFn: (body: Batch) => request(saveHomeworkBatch, { body }),
    onSuccess: async (_, { dryRun }) => {
      setStep(dryRun ? PREVIEW : DONE)
      if (dryRun) return
      draft.settled()
      await refetchAll()
    },
    onError: (error) => draft.showErrors(error),
  })
  const start = (asked: Pick<Batch, 'settings' | 'titlePattern' | 'publish'>, dryRun: boolean) => {
    if (!semester) return
    const items = courses.map(({ courseId }) => {
      const { paper, rule } = sources.get(courseId) ?? {}
      return { courseId, paperIds: paper ? [paper.code] : null, ruleId: rule ? rule.code : null }
    })
    run.mutate({ semesterId: semester.code, items, ...asked, dryRun })
  }
  const preview = async () => {
    const values = await draft.validated<Record<string, unknown>>()
    if (!values) return
    const { titlePattern, publish, ...own } = tidied(values)
    const asked = {
      settings: withZone(own, momentsOf(saveHomework)) as Batch['settings'],
      titlePattern: String(titlePattern ?? ''),
      publish: publish === true,
    }
    setSettings(asked)
    start(asked, true)
  }
  const onward = { [COURSES]: courses.length > 0, [SOURCES]: true }
  return (
    <div className="form-page" ref={draft.wrapper}>
      <Steps current={step + 1} size="small" className="form-lead">
        {['学期和课程', '试卷或策略', '统一设置', '预览', '完成'].map((title) => (
          <Steps.Step key={title} title={title} />
        ))}
      </Steps>
      {step === COURSES && (
        <>
          <Form.Item label="学期" required layout="vertical">
            <OptionSelect
              label="学期"
              {...openSemesters}
              value={semester?.code}
              known={current}
              onChange={(_, choice) => {
                setSemester(choice)
                setCourses([])
              }}
            />
          </Form.Item>
          <Courses semesterId={semester?.code} ticked={courses.map(({ courseId }) => courseId)} onTick={setCourses} />
        </>
      )}
      {step === SOURCES && <SourceTable courses={courses} sources={sources} onChange={setSources} />}
      <div hidden={step !== SETTINGS}>
        <Form {...draft.formProps} className="form-grid">
          <BatchSettings mayPublish={mayPublish} />
        </Form>
      </div>
      {step === PREVIEW && run.data && (
        <>
          <Alert
            className="form-lead"
            type={run.data.ready > 0 ? 'info' : 'warning'}
            content={batchWords(run.data, true)}
          />
          <Lines rows={run.data.rows} />
        </>
      )}
      {step === DONE && run.data && <Told told={run.data} onShow={() => navigate(paths.homework)} />}
      <Space className="form-page-foot">
        {step > COURSES && step < DONE && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
        {step < SETTINGS && (
          <Button type="primary" disabled={!onward[step as keyof typeof onward]} onClick={() => setStep(step + 1)}>
            下一步
          </Button>
        )}
        {step === SETTINGS && (
          <Button type="primary" loading={run.isPending} onClick={preview}>
            预览
          </Button>
        )}
        {step === PREVIEW && (
          <Button
            type="primary"
            loading={run.isPending}
            disabled={!run.data || run.data.ready === 0 || !settings}
            onClick={() => settings && start(settings, false)}
          >
            {settings?.publish ? '布置并发布' : '布置'}
            {formatNumber(run.data?.ready ?? 0)}个作业
          </Button>
        )}
        {step === COURSES && <Button onClick={() => navigate(paths.homework)}>返回列表</Button>}
      </Space>
    </div>
  )
}

/** 批量布置作业: courses, their papers, what is the same of all, a preview, and what became of it (03 B6). */
export const BatchPage = () => (
  <Page title={TITLE} help={`为一个学期的多门课程一次布置作业；${fieldOf(saveHomework, 'title').label}按格式生成。`}>
    <InSemester>{(semester) => <Wizard key={semester?.code} current={semester} />}</InSemester>
  </Page>
)
