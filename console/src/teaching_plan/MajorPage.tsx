import { Button, Empty, Select, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { TabPanels } from '@/kit/TabList'
import { useTabTitle } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  deletePlanCourse,
  editPlanCourse,
  fetchPlanCourseImportTemplate,
  importPlanCourses,
  listTeachingPlans,
  printTeachingPlan,
  reviseTeachingPlan,
  savePlanCourses,
} from './api'
import { CheckView } from './CheckView'
import { statusWord } from './choices'
import { FillMode, type Mode } from './FillMode'
import { GroupPanel } from './GroupPanel'
import { AddCourses, PlanCourseForm } from './PlanCourseForm'
import { PlanDiff } from './PlanDiff'
import { Rejection } from './PlanFile'
import { PlanMatrix } from './PlanMatrix'
import { isOpen, type PlanContent, type PlanCourse, shownFirst, statusTones } from './planRules'
import { askRevision, REVISED, stepsOf } from './steps'
import { usePlan, usePlanDesk } from './usePlan'
import { usePrinting } from './usePrinting'
import '@/kit/figures.css'
import './teachingPlan.css'

const TITLE = '按专业查看计划'
/** No grade and major has more versions. */
const MOST_VERSIONS = 100

/** What the page is about stands in its address: a plan, or a grade and a major. */
const useAsked = () => {
  const [search, change] = useAddress()
  const of = (name: string) => Number(search.get(name)) || undefined
  const set = (asked: Record<string, number | undefined>) =>
    change(() => {
      const after = new URLSearchParams()
      for (const [name, id] of Object.entries(asked)) if (id !== undefined) after.set(name, String(id))
      return after
    })
  return { planId: of('planId'), gradeId: of('gradeId'), majorId: of('majorId'), set }
}
type Asked = ReturnType<typeof useAsked>

interface ChoiceProps {
  asked: Asked
  /** The plan that is shown. */
  content?: PlanContent
}

/** Grade, major and version. */
const Choice = ({ asked, content }: ChoiceProps) => {
  const plan = content?.plan
  const gradeId = asked.gradeId ?? plan?.gradeId
  const majorId = asked.majorId ?? plan?.majorId
  return (
    <div className="filters plan-choice">
      <div className="filter">
        <span className="filter-label">年级</span>
        <BasicSelect
          type="grade"
          label="年级"
          value={gradeId}
          known={known(plan?.gradeId, plan?.gradeName)}
          onChange={(id) => asked.set({ gradeId: id, majorId })}
        />
      </div>
      <div className="filter">
        <span className="filter-label">专业</span>
        <BasicSelect
          type="major"
          label="专业"
          value={majorId}
          known={known(plan?.majorId, plan?.majorName)}
          onChange={(id) => asked.set({ gradeId, majorId: id })}
        />
      </div>
      {plan && (
        <div className="filter">
          <span className="filter-label">版本</span>
          <Select
            aria-label="版本"
            value={plan.id}
            onChange={(planId: number) => asked.set({ planId })}
            options={plan.versions.map(({ id, versionNo, status }) => ({
              value: id,
              label: `V${versionNo} ${statusWord(status)}`,
            }))}
          />
        </div>
      )}
    </div>
  )
}

const ImportCourses = ({ planId }: { planId: number }) => {
  const [mode, setMode] = useState<Mode>('append')
  return (
    <ImportButton
      do={importPlanCourses}
      template={fetchPlanCourseImportTemplate}
      what="计划课程"
      label="导入课程"
      fields={{ planId: String(planId), mode }}
      first={<FillMode value={mode} onChange={setMode} />}
    />
  )
}

interface ToolsProps {
  content: PlanContent
  changes: boolean
  onAdd: () => void
  /** Goes on with the draft of the next version. */
  onRevised: (planId: number) => void
}

/** What may be done with the plan as a whole. */
const Tools = ({ content, changes, onAdd, onRevised }: ToolsProps) => {
  const { plan, courses } = content
  const printing = usePrinting()
  const revising = useAction(reviseTeachingPlan, { done: REVISED, onDone: ({ id }) => onRevised(id) })
  const revise: RowAction = {
    label: '修订',
    do: reviseTeachingPlan,
    onClick: async () => {
      if (await confirm({ ...askRevision(plan), okText: '修订' })) revising.mutate({ body: { id: plan.id } })
    },
  }
  const steps = plan.status === 'effective' ? [revise] : stepsOf(plan)
  const print: RowAction = {
    label: '打印',
    do: printTeachingPlan,
    disabled: courses.length === 0 ? '教学计划还没有课程' : undefined,
    onClick: () => printing.mutate(plan),
  }
  return (
    <div className="toolbar">
      {changes && (
        <Can do={savePlanCourses}>
          <Button type="primary" icon={<IconPlus />} onClick={onAdd}>
            添加课程
          </Button>
        </Can>
      )}
      <span>
        <Word tone={statusTones[plan.status]}>{statusWord(plan.status)}</Word> {plan.name}
      </span>
      <div className="toolbar-right">
        <Space size={4}>
          {changes && <ImportCourses planId={plan.id} />}
          <RowActions actions={[...steps, print]} />
        </Space>
      </div>
    </div>
  )
}

/** A plan in its matrix; in a draft its courses are put in their place. */
const Desk = ({ content, asked }: { content: PlanContent; asked: Asked }) => {
  const { plan, check } = content
  const desk = usePlanDesk(content)
  const changes = useAllowed()(editPlanCourse) && isOpen(plan)
  const adding = useDrawer<true>()
  const form = useDrawer<PlanCourse>()
  const actionsOf = (course: PlanCourse): RowAction[] => [
    { label: '编辑', do: editPlanCourse, onClick: () => form.open(course) },
    step(deletePlanCourse, {
      label: '移除',
      danger: true,
      with: { query: { id: course.id, version: plan.version } },
      confirm: { title: `从计划中移除“${course.courseName}”？`, content: '只移出这份草稿，课程本身保持不变。' },
      done: `已移除“${course.courseName}”`,
    }),
  ]
  return (
    <>
      <Rejection plan={plan} />
      <Tools
        content={content}
        changes={changes}
        onAdd={() => adding.open(true)}
        onRevised={(planId) => asked.set({ planId })}
      />
      <div className="plan-desk">
        <div className="plan-desk-main">
          <TabPanels
            label={TITLE}
            panels={[
              {
                title: '课程表',
                content: (
                  <PlanMatrix
                    content={content}
                    desk={changes ? desk : undefined}
                    actions={changes ? actionsOf : undefined}
                  />
                ),
              },
              { title: '版本差异', content: <PlanDiff key={plan.id} plan={plan} />, late: true },
            ]}
          />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the screen is scrolled by the keyboard too */}
        <aside className="plan-desk-side" aria-label="校验和选修组" tabIndex={0}>
          <h3>校验</h3>
          <CheckView check={check} />
          <GroupPanel content={content} changes={changes} />
        </aside>
      </div>
      <AddCourses key={`adding-${adding.key}`} {...adding.props} content={content} />
      <PlanCourseForm key={form.key} {...form.props} content={content} />
    </>
  )
}

const OfPlan = ({ planId, asked }: { planId: number; asked: Asked }) => {
  const query = usePlan(planId)
  useTabTitle(query.data?.plan.name)
  return (
    <>
      <Choice asked={asked} content={query.data} />
      <Loaded query={query}>{(content) => <Desk key={content.plan.id} content={content} asked={asked} />}</Loaded>
    </>
  )
}

/** Of a grade and major the version in effect, else the newest. */
const OfMajor = ({ gradeId, majorId, asked }: { gradeId: number; majorId: number; asked: Asked }) => {
  const request = useRequest()
  const body = { gradeId, majorId, latestOnly: false, pageCurrent: FIRST_PAGE, pageSize: MOST_VERSIONS }
  const query = useQuery({
    queryKey: [listTeachingPlans.path, body],
    queryFn: ({ signal }) => request(listTeachingPlans, { body }, { signal }),
  })
  const planId = shownFirst(query.data?.list ?? [])
  if (planId !== undefined) return <OfPlan planId={planId} asked={asked} />
  return (
    <>
      <Choice asked={asked} />
      <Loaded query={query}>
        {() => (
          <Empty
            description={
              <>
                该年级专业还没有教学计划，请到
                <Link className="overview-link" to={paths.teachingPlans}>
                  教学计划
                </Link>
                新增或复制
              </>
            }
          />
        )}
      </Loaded>
    </>
  )
}

/** 按专业查看计划 (03 B1): `?planId`, or `?gradeId&majorId`. */
export const MajorPage = () => {
  const asked = useAsked()
  const { planId, gradeId, majorId } = asked
  return (
    <Page title={TITLE} help="课程按类型排列，学分写在开课的学期下；草稿可以直接调整。">
      {planId !== undefined && <OfPlan key={planId} planId={planId} asked={asked} />}
      {planId === undefined && gradeId !== undefined && majorId !== undefined && (
        <OfMajor key={`${gradeId}-${majorId}`} gradeId={gradeId} majorId={majorId} asked={asked} />
      )}
      {planId === undefined && (gradeId === undefined || majorId === undefined) && (
        <>
          <Choice asked={asked} />
          <Empty description="请选择年级和专业" />
        </>
      )}
    </Page>
  )
}
