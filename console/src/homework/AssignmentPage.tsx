import { Alert, Checkbox, Form } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation } from 'react-router'
import { messageOf, tellError } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { openSemesters } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { InSemester } from '@/course_opening/SemesterFilter'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { TabPanels } from '@/kit/TabList'
import { useTabTitle } from '@/kit/tab'
import { usePlaces } from '@/kit/usePlaces'
import { UploadInput } from '@/question_bank/AnswerInput'
import { ContentInput } from '@/question_bank/ContentInput'
import { anyUpload, MOST_CHARACTERS } from '@/question_bank/questionRules'
import { editHomework, publishHomework, saveHomework, viewHomework } from './api'
import { chaptersOf, papersOf, rulesOf } from './choices'
import { bodyOf, type HomeworkBody, type HomeworkView, isOpen, newHomework, type Target } from './homeworkRules'
import { type MarkerDraft, MarkersInput } from './MarkersInput'
import { TargetsInput } from './TargetsInput'
import { WeightMoves } from './WeightMoves'
import './homework.css'

/** What the form holds: the homework, and whether it is given out at once. */
interface Draft extends Omit<Partial<HomeworkBody>, 'markers' | 'targets'> {
  id?: number
  version?: number
  markers?: MarkerDraft[] | null
  targets?: Target[]
  publishNow?: boolean
}

const Field = fieldsOf(saveHomework)

type Report = (message?: string) => void

interface PartProps {
  before: Draft
  view?: HomeworkView
  semester?: Choice
}

const useTyped = <Name extends keyof Draft>(name: Name, before: Draft): Draft[Name] => {
  const { form } = Form.useFormContext()
  return Form.useWatch(name, form) ?? before[name]
}

const chosen = (id: number | undefined, name: string | null | undefined): Choice | undefined =>
  id && name ? { code: id, desc: name } : undefined

/** 基本信息: of which course, what it is called, when. */
const Basics = ({ before, view, semester }: PartProps) => {
  const open = isOpen(view?.status)
  const closed = view?.status === 'closed'
  const purpose = useTyped('purpose', before)
  const courseId = useTyped('courseId', before)
  return (
    <>
      <Field name="semesterId" disabled={!open}>
        <OptionSelect
          label="学期"
          {...openSemesters}
          known={chosen(view?.semesterId, view?.semesterName) ?? semester}
          disabled={!open}
        />
      </Field>
      <Field name="courseId" disabled={!open}>
        <OptionSelect label="课程" {...courses} known={chosen(view?.courseId, view?.courseName)} disabled={!open} />
      </Field>
      <Field name="title" />
      <Field name="purpose" disabled={!open} help="章节测验不计入作业成绩，用于学习监控" />
      {purpose === 'chapter_test' && (
        <Field name="chapterId" required disabled={!open}>
          <OptionSelect
            label="章节"
            {...chaptersOf(courseId)}
            known={chosen(view?.form.chapterId ?? undefined, view?.chapterTitle)}
            disabled={!open}
          />
        </Field>
      )}
      <Field name="startsAt" disabled={!open} />
      <Field name="endsAt" help={closed ? '已截止的请先重新开放' : open ? undefined : '发布后只能延长'}>
        <DateTimeInput dayEnd disabled={closed} />
      </Field>
      <Field name="lateUntil" help="在此之前可以补交，按迟交扣分计算得分">
        <DateTimeInput dayEnd disabled={closed} />
      </Field>
      <Field name="latePenalty" disabled={!open} help="补交的得分扣除该比例" />
    </>
  )
}

/** 试卷, or what is to be handed in. */
const Content = ({ before, view }: PartProps) => {
  const open = isOpen(view?.status)
  const kind = useTyped('kind', before)
  const mode = useTyped('paperMode', before)
  const courseId = useTyped('courseId', before)
  const known = (view?.papers ?? []).map(({ id, code, name }): Choice => ({ code: id, desc: `${name}（${code}）` }))
  return (
    <>
      <Field name="kind" disabled={!open} />
      {kind === 'paper' && <Field name="paperMode" required disabled={!open} />}
      {kind === 'paper' && mode !== 'random_rule' && (
        <Field
          name="paperIds"
          required
          disabled={!open}
          help={mode === 'random_pool' ? '2至10份总分相同的试卷，每名学生随机一份' : '选择1份审核通过的作业试卷'}
        >
          <SeveralOptions label="试卷" placeholder="请选择" {...papersOf(courseId)} known={known} />
        </Field>
      )}
      {kind === 'paper' && mode === 'random_rule' && (
        <Field name="ruleId" required disabled={!open} help="为每名学生单独抽题">
          <OptionSelect
            label="组卷策略"
            {...rulesOf(courseId)}
            known={chosen(view?.form.ruleId ?? undefined, view?.ruleName)}
            disabled={!open}
          />
        </Field>
      )}
      {kind === 'upload' && (
        <>
          <Form.Item
            field="instruction"
            label="作业要求"
            required
            rules={[
              {
                validator: (value, report: Report) =>
                  report(
                    String(value ?? '')
                      .replace(/<[^>]*>/g, '')
                      .trim()
                      ? undefined
                      : '请填写作业要求',
                  ),
              },
            ]}
          >
            <ContentInput aria-label="作业要求" most={MOST_CHARACTERS} disabled={!open} />
          </Form.Item>
          <Form.Item field="upload" label="附件要求" required disabled={!open}>
            <UploadInput />
          </Form.Item>
          <Field name="totalScore" required disabled={!open} help="0.5至1000" />
        </>
      )}
      <Field name="passScore" disabled={!open} help="不填为总分的60%" />
    </>
  )
}

/** 规则: attempts, order, answers, what must have been studied. */
const Rules = ({ before, view }: PartProps) => {
  const open = isOpen(view?.status)
  const attempts = useTyped('maxAttempts', before)
  const weight = useTyped('weight', before)
  const was = before.weight
  return (
    <>
      <Field name="durationMinutes" disabled={!open} help="从开始作答计时，到时自动提交；不填为不限时" />
      <Field name="maxAttempts" disabled={!open} />
      {Number(attempts) > 1 && <Field name="attemptScoring" disabled={!open} />}
      {Number(attempts) > 1 && <Field name="minIntervalMinutes" disabled={!open} />}
      <Field name="shuffleQuestions" disabled={!open} />
      <Field name="shuffleOptions" disabled={!open} />
      <Field name="showAnswer" help="允许多次作答时，不能在提交后立即可见" />
      <Field name="requiredProgress" disabled={!open} help="学习进度达到后才能作答；不填为开课在线教学的要求" />
      <Field name="weight" help="合成作业成绩时的权重" />
      {view && !open && typeof was === 'number' && typeof weight === 'number' && (
        <WeightMoves id={view.id} was={was} weight={weight} />
      )}
    </>
  )
}

const Whom = ({ before, view }: PartProps) => {
  const semesterId = useTyped('semesterId', before)
  const courseId = useTyped('courseId', before)
  return (
    <Form.Item
      field="targets"
      label="对象"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(Array.isArray(value) && value.length > 0 ? undefined : '请选择开课或班级'),
        },
      ]}
    >
      <TargetsInput semesterId={semesterId} courseId={courseId} disabled={!isOpen(view?.status)} />
    </Form.Item>
  )
}

const Marking = ({ view }: PartProps) => (
  <>
    <Form.Item
      field="markers"
      label="批阅教师"
      extra="不填时按任课安排的批阅教师分配，没有批阅教师的由主讲教师批阅"
      rules={[
        {
          validator: (value, report: Report) =>
            report(
              Array.isArray(value) && value.some((marker: MarkerDraft) => !marker.teacherId)
                ? '请选择批阅教师，或删除空行'
                : undefined,
            ),
        },
      ]}
    >
      <MarkersInput known={view?.markers} />
    </Form.Item>
    <Field name="markDueAt" help="超过后提醒批阅教师">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="similarityThreshold" help="30至100；不填为不检测" />
  </>
)

interface FormProps {
  view?: HomeworkView
  /** The current one, by its name. */
  semester?: Choice
  begun: Partial<HomeworkBody>
}

const Assignment = ({ view, semester, begun }: FormProps) => {
  const places = usePlaces()
  const allowed = useAllowed()
  /** What is said of a homework that is given out at once. */
  const given = useRef<string>(undefined)
  const before: Draft = view
    ? { ...view.form, id: view.id, version: view.version }
    : { ...newHomework(new Date(), begun), upload: anyUpload() }
  const mayPublish = isOpen(view?.status) && allowed(publishHomework)
  useTabTitle(view?.title)
  return (
    <MediaOf>
      <FormPage<Draft, Saved>
        title={view ? `编辑作业 ${view.title}` : '布置作业'}
        help="先填写基本信息和试卷，再选择对象；发布后试卷定稿，只能延长时间或调整批阅设置。"
        record={view && before}
        initial={before}
        list={places('homework')}
        action={(held) => {
          const save = held
            ? formAction(editHomework, () => given.current ?? '已保存作业', { id: held.id, version: held.version })
            : formAction(saveHomework, () => given.current ?? '已保存为草稿')
          return {
            ...save,
            send: async (values, request) => {
              const { publishNow, ...typed }: Draft = { ...before, ...values }
              given.current = undefined
              const { id, version, ...own } = typed
              const told = await save.send(bodyOf({ ...own, markers: own.markers?.flatMap(whole) }), request)
              if (publishNow) {
                try {
                  const { version: now } = await request(viewHomework, { query: { id: told.id } })
                  const answer = await request(publishHomework, { body: { items: [{ id: told.id, version: now }] } })
                  const [refused] = answer.failed
                  if (refused) tellError(`已保存，发布没有成功：${refused.msg}`)
                  else given.current = answer.jobId ? '已保存，正在为学生抽题，进度在任务中心查看' : '已发布作业'
                } catch (error) {
                  tellError(`已保存，发布没有成功：${messageOf(error)}`)
                }
              }
              return told
            },
          }
        }}
        reload={async (held, call) => {
          const now = await call(viewHomework, { query: { id: held.id ?? 0 } })
          return { ...now.form, id: now.id, version: now.version }
        }}
      >
        {!isOpen(view?.status) && (
          <Alert
            className="form-lead"
            type="info"
            content={
              view?.status === 'closed'
                ? '作业已截止，只能调整批阅设置；要延长时间请先重新开放'
                : '作业已发布，只能延长时间或调整批阅设置'
            }
          />
        )}
        <TabPanels
          label="作业设置"
          panels={[
            {
              title: '基本信息',
              content: (
                <div className="form-grid">
                  <Basics before={before} view={view} semester={semester} />
                </div>
              ),
            },
            {
              title: '试卷',
              content: (
                <div className="form-grid">
                  <Content before={before} view={view} />
                </div>
              ),
            },
            { title: '对象', content: <Whom before={before} view={view} /> },
            {
              title: '规则',
              content: (
                <div className="form-grid">
                  <Rules before={before} view={view} />
                </div>
              ),
            },
            { title: '批阅', content: <Marking before={before} view={view} /> },
          ]}
        />
        {mayPublish && (
          <Form.Item field="publishNow" triggerPropName="checked">
            <Checkbox>保存后立即发布</Checkbox>
          </Form.Item>
        )}
      </FormPage>
    </MediaOf>
  )
}

/** A line without a teacher is no marker. */
const whole = ({ teacherId, ...marker }: MarkerDraft) => (teacherId ? [{ ...marker, teacherId }] : [])

const numberIn = (search: URLSearchParams, name: string) => Number(search.get(name)) || undefined

const Asked = () => {
  const request = useRequest()
  const search = new URLSearchParams(useLocation().search)
  const id = numberIn(search, 'id')
  const query = useQuery({
    queryKey: [viewHomework.path, id, 'form'],
    queryFn: ({ signal }) => request(viewHomework, { query: { id } }, { signal }),
    enabled: id !== undefined,
  })
  if (id !== undefined) return <Loaded query={query}>{(view) => <Assignment key={id} view={view} begun={{}} />}</Loaded>
  return (
    <InSemester>
      {(semester) => (
        <Assignment
          semester={semester}
          begun={{
            semesterId: numberIn(search, 'semesterId') ?? semester?.code,
            courseId: numberIn(search, 'courseId'),
          }}
        />
      )}
    </InSemester>
  )
}

/** 布置作业: `?id=` of one that is changed, else `?semesterId=&courseId=` for a new one (03 B6). */
export const AssignmentPage = () => (
  <SchoolFirst title="布置作业">
    <Asked />
  </SchoolFirst>
)
