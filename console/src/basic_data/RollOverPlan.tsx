import { Button, Empty, Table, type TableColumnProps } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import type { RollOverState } from '@/api/types/basic_data'
import { formatNumber } from '@/kit/format'
import { type Tone, Word } from '@/kit/Status'
import { listEnumeration } from '@/settings/api'
import type { previewRollOver } from './api'

type Plan = RowOf<typeof previewRollOver>
type Semester = Plan['semesters'][number]
type Class = Plan['classes'][number]
type State = RollOverState
type Grade = Plan['grade'] & { sourceId: number; sourceName: string }

/** The rows of a plan that are to be made, by their sources; they belong to the plan of this digest. */
export interface Ticks {
  digest: string
  grade: boolean
  semesterIds: number[]
  classIds: number[]
}

const tones: Record<State, Tone> = { new: 'good', exists: 'quiet', blocked: 'warning' }

/** The states' words, as the server has them. */
const useStateWords = () => {
  const call = useCall()
  const { data } = useQuery({
    queryKey: [listEnumeration.path, 'rollOverState'],
    queryFn: () => call(listEnumeration, { query: { type: 'rollOverState' } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (state: State) => data?.find(({ code }) => code === state)?.desc ?? ''
}

interface Row {
  sourceId: number
  sourceName: string
  name: string
  state: State
  reason?: string | null
}

interface RowsProps<Each extends Row> {
  title: string
  rows: readonly Each[]
  wordOf: (state: State) => string
  ticked: readonly number[]
  onTick: (sourceIds: number[]) => void
  columns: readonly TableColumnProps<Each>[]
  empty?: string
  /** Beside the heading. */
  children?: ReactNode
}

/** The rows of one kind; only what can be made can be ticked. */
const Rows = <Each extends Row>({ title, rows, wordOf, ticked, onTick, columns, empty, children }: RowsProps<Each>) => (
  <section aria-label={title}>
    <h3>
      {title} {children}
    </h3>
    <Table<Each>
      className="form-lead"
      rowKey="sourceId"
      size="small"
      border={{ wrapper: true }}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      data={[...rows]}
      noDataElement={<Empty description={empty} />}
      rowSelection={{
        type: 'checkbox',
        selectedRowKeys: [...ticked],
        onChange: (keys) => onTick(keys.map(Number)),
        checkboxProps: (row) => ({
          'aria-label': `选择${row.name || row.sourceName}`,
          disabled: row.state !== 'new',
        }),
      }}
      columns={[
        { title: '来源', dataIndex: 'sourceName' },
        { title: '名称', dataIndex: 'name', render: (name: string) => name || <span className="nothing">—</span> },
        ...columns,
        {
          title: '情况',
          dataIndex: 'state',
          width: 200,
          render: (_: unknown, { state, reason }: Each) => (
            <>
              <Word tone={tones[state]}>{wordOf(state)}</Word> {reason}
            </>
          ),
        },
      ]}
    />
  </section>
)

const gradeColumns: readonly TableColumnProps<Grade>[] = [
  { title: '编码', dataIndex: 'code', width: 90 },
  { title: '入学年份', dataIndex: 'entryYear', width: 100, align: 'right' },
]

const semesterColumns: readonly TableColumnProps<Semester>[] = [
  { title: '编码', dataIndex: 'code', width: 90 },
  { title: '开始日期', dataIndex: 'startsOn', width: 115 },
  { title: '结束日期', dataIndex: 'endsOn', width: 115 },
]

const classColumns: readonly TableColumnProps<Class>[] = [
  { title: '编码', dataIndex: 'code', width: 150 },
  { title: '容量', dataIndex: 'capacity', width: 70, align: 'right' },
  {
    title: '来源人数',
    dataIndex: 'studentCount',
    width: 90,
    align: 'right',
    render: (count: number) => formatNumber(count),
  },
]

interface RollOverPlanProps {
  plan: Plan
  ticks: Ticks
  onTick: (ticks: Ticks) => void
}

/** What would become of a year, row by row, each with its tick. */
export const RollOverPlan = ({ plan, ticks, onTick }: RollOverPlanProps) => {
  const wordOf = useStateWords()
  const grade: Grade = { ...plan.grade, sourceId: plan.gradeId, sourceName: plan.gradeName }
  const withStudents = plan.classes.filter(({ state, studentCount }) => state === 'new' && studentCount > 0)
  // A class needs its grade: with the one goes the other.
  const newGrade = plan.grade.state === 'new'
  const tickClasses = (classIds: number[]) =>
    onTick({ ...ticks, classIds, grade: ticks.grade || (newGrade && classIds.length > 0) })
  const tickGrade = (on: boolean) => onTick({ ...ticks, grade: on, classIds: on ? ticks.classIds : [] })
  return (
    <>
      <Rows
        title="年级"
        rows={[grade]}
        wordOf={wordOf}
        ticked={ticks.grade ? [grade.sourceId] : []}
        onTick={(ids) => tickGrade(ids.length > 0)}
        columns={gradeColumns}
      />
      <Rows
        title="学期"
        rows={plan.semesters}
        wordOf={wordOf}
        ticked={ticks.semesterIds}
        onTick={(semesterIds) => onTick({ ...ticks, semesterIds })}
        columns={semesterColumns}
        empty={`${plan.fromYear}年没有学期。`}
      />
      <Rows
        title="班级"
        rows={plan.classes}
        wordOf={wordOf}
        ticked={ticks.classIds}
        onTick={tickClasses}
        columns={classColumns}
        empty={`${plan.gradeName}没有班级。`}
      >
        {withStudents.length > 0 && (
          <Button type="text" size="small" onClick={() => tickClasses(withStudents.map(({ sourceId }) => sourceId))}>
            只选有学生的班级
          </Button>
        )}
      </Rows>
    </>
  )
}
