import { Button, Form, InputNumber, Space } from '@arco-design/web-react'
import { tellSuccess } from '@/api/errors'
import type { DataOf, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import type { Saved } from '@/api/types/shared'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { IN_BACKGROUND, type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDialog } from '@/kit/FormDialog'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  deleteScoreComponent,
  editScoreComponent,
  explainAchievement,
  exportScoreComponents,
  fetchScoreComponentImportTemplate,
  importScoreComponents,
  listScoreComponents,
  recomputeScores,
} from './api'
import { ExplainDrawer } from './Explain'
import { detailWords, type ScoreKind } from './scoreWords'

type Component = RowOf<typeof listScoreComponents>
type Kind = Component['kind']

const nameOf = ({ studentName, courseName }: Component) => `${studentName}《${courseName}》`

const columns = columnsOf(listScoreComponents, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  {
    field: 'applicability',
    width: 84,
    fixed: 'left',
    tones: { value: 'good', none: 'warning', not_applicable: 'quiet' },
  },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  {
    field: 'value',
    title: '成绩',
    width: 170,
    render: ({ value, freshValue }) => (
      <>
        {points(value)}{' '}
        {freshValue !== null && freshValue !== undefined && <Word tone="warning">来源已变化 {points(freshValue)}</Word>}
      </>
    ),
  },
  { field: 'source', title: '来源', width: 90 },
  { field: 'detail', title: '输入明细', width: 230, align: 'left', render: ({ detail }) => detailWords(detail) },
  { field: 'frozen', width: 80 },
  { field: 'computedAt', width: 170 },
  { field: 'className', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'gradeName', width: 90, hidden: true },
  { field: 'levelName', width: 100, hidden: true },
  { field: 'majorName', width: 150, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
  { field: 'enteredByName', width: 100, hidden: true },
  { field: 'reason', width: 160, hidden: true },
])

const Edited = fieldsOf(editScoreComponent)

/** 录入 of a component that counts in place of the computed one. */
const EnterForm = ({ record: row, ...drawer }: DrawerProps<Component>) => (
  <FormDrawer<{ value?: number | null; reason?: string }, Saved>
    {...drawer}
    record={undefined}
    initial={{ value: row?.value }}
    title={`录入成绩 ${row ? nameOf(row) : ''}`}
    action={() => formAction(editScoreComponent, '已录入成绩', { courseScoreId: row?.courseScoreId, kind: row?.kind })}
  >
    <p className="form-hint">录入后优先于系统计算的成绩，“恢复计算值”可以取消。</p>
    <Edited name="value">
      <InputNumber min={0} max={100} precision={1} hideControl />
    </Edited>
    <Edited name="reason" />
  </FormDrawer>
)

interface Scope {
  semesterId?: number
  classIds?: number[]
  courseIds?: number[]
}

interface RecomputeProps {
  kind: ScoreKind
  semester: Choice | undefined
  onClose: () => void
}

const some = (ids: number[] | undefined) => (ids && ids.length > 0 ? ids : undefined)

/** 重新计算 of a semester, or of some classes or courses of it, as a job. */
export const RecomputeDialog = ({ kind, semester, onClose }: RecomputeProps) => (
  <FormDialog<Scope, DataOf<typeof recomputeScores>>
    title="重新计算"
    okText="重新计算"
    lead={<p className="dialog-lead">按现在的规则和来源重算未提交的成绩；已提交的不变。</p>}
    action={({ semesterId = semester?.code ?? 0, classIds, courseIds }, call) =>
      call(recomputeScores, { body: { kind, semesterId, classIds: some(classIds), courseIds: some(courseIds) } })
    }
    onDone={async () => {
      onClose()
      await refetchAll()
      tellSuccess(IN_BACKGROUND)
    }}
    onClose={onClose}
  >
    <Form.Item field="semesterId" label="学期" rules={semester ? [] : [{ required: true, message: '请选择学期' }]}>
      <OptionSelect label="学期" placeholder={semester?.desc} {...semesters} />
    </Form.Item>
    <Form.Item field="classIds" label="班级">
      <SeveralOptions label="班级" placeholder="全部" {...classes} />
    </Form.Item>
    <Form.Item field="courseIds" label="课程">
      <SeveralOptions label="课程" placeholder="全部" {...courses} />
    </Form.Item>
  </FormDialog>
)

const isTyped = (kind: Kind) => kind === 'attendance' || kind === 'questions'

/** 成绩明细 of a component: what each student has in each course, and of what it was computed. */
export const ComponentsTab = ({ kind, semester }: { kind: Kind; semester: Choice | undefined }) => {
  const table = useQueryTable(listScoreComponents, { usual: { kind, semesterId: semester?.code } })
  const entry = useDrawer<Component>()
  const explained = useDrawer<{ id: number; name: string }>()
  const recompute = useDrawer<object>()
  const actions = (row: Component): RowAction[] => [
    {
      label: '计算说明',
      do: explainAchievement,
      onClick: () => explained.open({ id: row.courseScoreId, name: nameOf(row) }),
    },
    ...(isTyped(kind)
      ? [
          {
            label: '录入',
            do: editScoreComponent,
            disabled: row.frozen ? '成绩已提交，不能录入' : undefined,
            onClick: () => entry.open(row),
          },
          step(deleteScoreComponent, {
            label: '恢复计算值',
            danger: true,
            disabled: row.frozen ? '成绩已提交，不能恢复' : row.source === 'computed' ? '现在就是计算值' : undefined,
            with: { query: { id: row.id } },
            confirm: { title: `恢复${nameOf(row)}的计算值？`, content: '录入或导入的成绩被清除。' },
            done: '已恢复计算值',
          }),
        ]
      : []),
  ]
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listScoreComponents} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listScoreComponents} field="courseId" {...courses} />
        <OptionFilter of={listScoreComponents} field="classId" {...classes} />
        <TextFilter of={listScoreComponents} field="keyword" label="学号或姓名" />
        <EnumFilter of={listScoreComponents} field="applicability" />
        <EnumFilter of={listScoreComponents} field="source" label="来源" />
        <YesNoFilter of={listScoreComponents} field="changed" />
        <OptionFilter of={listScoreComponents} field="siteId" {...sites} />
        <OptionFilter of={listScoreComponents} field="gradeId" {...grades} />
        <OptionFilter of={listScoreComponents} field="levelId" {...levels} />
        <OptionFilter of={listScoreComponents} field="majorId" {...majors} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={recomputeScores}>
            <Button onClick={() => recompute.open({})}>重新计算</Button>
          </Can>
        }
        tools={
          <Space size={4}>
            {isTyped(kind) && (
              <ImportButton
                do={importScoreComponents}
                template={fetchScoreComponentImportTemplate}
                what={kind === 'attendance' ? '考勤成绩' : '答疑成绩'}
                query={{ kind }}
              />
            )}
            <ExportButton do={exportScoreComponents} table={table} />
          </Space>
        }
        actionsWidth={isTyped(kind) ? 220 : 100}
        actions={actions}
        empty="该学期还没有成绩明细。学生选课后每天03:00计算，也可以“重新计算”。"
      />
      <EnterForm key={entry.key} {...entry.props} />
      <ExplainDrawer key={`explain-${explained.key}`} {...explained.props} />
      {recompute.props.visible && <RecomputeDialog kind={kind} semester={semester} onClose={recompute.props.onClose} />}
    </>
  )
}
