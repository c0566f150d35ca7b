import { Space } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import type { StatRow } from '@/api/types/statistics'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { InSemester, SemesterFilter } from '@/course_opening/SemesterFilter'
import type { RowAction } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import type { Choice } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { filterOf } from '@/kit/useFileOf'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { Watermark } from '@/kit/Watermark'
import type { chartVideoStatistics, exportVideoStatistics, listVideoStatistics, summarizeVideoStatistics } from './api'
import { RefreshFigures, type Screen, StatBar, StatTabs } from './RefreshFigures'
import { StatCards, StatDrawings } from './StatFigures'
import { below, isTotal, type Level, rowsOf } from './statRules'
import { TABLE, useShown } from './useShown'
import { useStatColumns } from './useStatColumns'

export type StatList = typeof listVideoStatistics

export interface StatScreenProps {
  title: string
  help: string
  screen: Screen
  list: StatList
  summary: typeof summarizeVideoStatistics
  chart: typeof chartVideoStatistics
  exports: typeof exportVideoStatistics
  /** As the screen offers them, its own first. */
  levels: readonly [Level, ...Level[]]
  /** Which level is below which. */
  next: Partial<Record<Level, Level>>
  /** Filters beside those that all screens have. */
  filters?: (level: Level) => readonly ReactElement[]
  actions?: (row: StatRow, level: Level) => readonly RowAction[]
}

const CHARTS = 'charts'
const views = [
  [TABLE, '表格'],
  [CHARTS, '汇总图表'],
] as const

const useTold = (
  { list, summary, chart }: Pick<StatScreenProps, 'list' | 'summary' | 'chart'>,
  body: BodyOf<StatList>,
  drawn: boolean,
) => {
  const request = useRequest()
  const filter: BodyOf<StatList> = filterOf(body)
  // The list itself, which has more to tell than its rows.
  const table = useQuery({
    queryKey: [list.path, body],
    queryFn: ({ signal }) => request(list, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const cards = useQuery({
    queryKey: [summary.path, filter],
    queryFn: ({ signal }) => request(summary, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: drawn,
  })
  const charts = useQuery({
    queryKey: [chart.path, filter],
    queryFn: ({ signal }) => request(chart, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: drawn,
  })
  return { table, cards, charts }
}

const Figures = ({ semester, ...props }: StatScreenProps & { semester: Choice | undefined }) => {
  const { screen, list, exports, next, filters: further, actions } = props
  const context = useSchoolContext()
  const overAll = isOverAll(context)
  const [first] = props.levels
  // Who a student is is told inside the school alone.
  const own = props.levels.filter((each) => each !== 'student' || context.area === 'school')
  const table = useQueryTable(list, { usual: { semesterId: semester?.code } })
  const [chosen, setView] = useShown(views)
  // Cards and charts belong to the other list of the pair.
  const drawn = useAllowed()(props.chart)
  const view = drawn ? chosen : TABLE
  const { level: asked, ...filters } = table.filters
  const level = own.find((each) => each === asked) ?? first
  const told = useTold(props, table.body, view === CHARTS)
  const deeper = own.find((each) => each === next[level])
  const columns = useStatColumns(told.table.data, overAll, below(level, deeper))
  const levelWords = new Map(list.fields.level?.options ?? [])
  const bar = {
    operation: list,
    filters,
    setFilters: table.setFilters,
    reset: () => table.setFilters(noFilters(filters)),
  }
  const choices = (
    <StatTabs>
      {!overAll && (
        <TabList
          label="统计层级"
          tabs={own.map((each) => [each, levelWords.get(each) ?? each] as const)}
          value={level}
          onChange={(chosen) => table.setFilters({ level: chosen === first ? undefined : chosen })}
        />
      )}
      {drawn && <TabList label="显示方式" tabs={views} value={view} onChange={setView} />}
    </StatTabs>
  )
  return (
    <>
      {choices}
      <FilterBar table={bar}>
        <SemesterFilter of={list} field="semesterId" {...semesters} usual={semester} />
        {!overAll && level === 'student' && <TextFilter of={list} field="keyword" label="姓名或号码" />}
        {own.includes('course') && <OptionFilter of={list} field="courseId" {...courses} />}
        <OptionFilter of={list} field="siteId" {...sites} />
        {own.includes('class') && <OptionFilter of={list} field="classId" {...classes} />}
        <OptionFilter of={list} field="gradeId" {...grades} />
        <OptionFilter of={list} field="levelId" {...levels} />
        <OptionFilter of={list} field="majorId" {...majors} />
        {!overAll && <EnumFilter of={list} field="studyForm" />}
        {!overAll && further?.(level)}
      </FilterBar>
      {view === CHARTS ? (
        <>
          <StatBar screen={screen} told={told.charts.data} />
          <StatCards query={told.cards} />
          <StatDrawings query={told.charts} />
        </>
      ) : (
        <QueryTable
          table={{
            ...table,
            ...bar,
            isFiltered: Object.keys(filters).length > 0,
            rows: rowsOf(told.table.data, overAll),
          }}
          columns={columns}
          nameOf={({ name }) => name}
          actionsWidth={150}
          actions={actions && ((row) => (isTotal(row) ? [] : actions(row, level)))}
          tools={
            <Space size={4}>
              <RefreshFigures screen={screen} told={told.table.data} />
              <ExportButton do={exports} table={{ body: { ...table.body, level }, total: table.total }} />
            </Space>
          }
          empty="没有符合条件的数据。开课并有学生选课后，在这里显示统计。"
        />
      )}
      {level === 'student' && <Watermark />}
    </>
  )
}

/** A statistic: filters, sums, charts and a table whose counts lead on to what they count (05 §0, A5). */
export const StatScreen = (props: StatScreenProps) => (
  <Page title={props.title} help={props.help}>
    <InSemester>{(semester) => <Figures key={semester?.code} semester={semester} {...props} />}</InSemester>
  </Page>
)
