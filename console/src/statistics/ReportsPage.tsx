import { Space } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BodyOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import type { StatRow, StatTable } from '@/api/types/statistics'
import { grades, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateFilter, EnumFilter, NumberFilter, OptionFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { Printable } from '@/kit/Printable'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { filterOf } from '@/kit/useFileOf'
import { FIRST_PAGE, noFilters, useQueryTable } from '@/kit/useQueryTable'
import { chartStatReport, exportStatReport, listStatReport, summarizeStatReport } from './api'
import { graduationBatches, preRegistrationBatches } from './choices'
import { Rebuild } from './Rebuild'
import { RefreshFigures, StatBar, StatTabs } from './RefreshFigures'
import { StatCards, StatDrawings } from './StatFigures'
import { asks, cellWords, type Report, reports, rowsOf } from './statRules'
import { TABLE, useShown } from './useShown'
import { useStatColumns } from './useStatColumns'

type Asked = BodyOf<typeof listStatReport>

const USUAL: Report = 'overview'
/** What schools publish; the others are told of one school. */
const ofSchools: readonly Report[] = ['overview', 'status']
/** Rows of a report are few: all of them stand on one sheet. */
const ALL = 500

const CHARTS = 'charts'
const PRINT = 'print'
const views = [
  [TABLE, '表格'],
  [CHARTS, '汇总图表'],
  [PRINT, '打印'],
] as const

const useTold = (body: Asked, overAll: boolean, view: string) => {
  const request = useRequest()
  const filter: Asked = filterOf(body)
  const table = useQuery({
    queryKey: [listStatReport.path, body],
    queryFn: ({ signal }) => request(listStatReport, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  // Of one school alone.
  const cards = useQuery({
    queryKey: [summarizeStatReport.path, filter],
    queryFn: ({ signal }) => request(summarizeStatReport, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !overAll && view === CHARTS,
  })
  const charts = useQuery({
    queryKey: [chartStatReport.path, filter],
    queryFn: ({ signal }) => request(chartStatReport, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: !overAll && view === CHARTS,
  })
  const sheet = useQuery({
    queryKey: [listStatReport.path, 'sheet', filter],
    queryFn: ({ signal }) =>
      request(listStatReport, { body: { ...filter, pageCurrent: FIRST_PAGE, pageSize: ALL } }, { signal }),
    enabled: !overAll && view === PRINT,
  })
  return { table, cards, charts, sheet }
}

const NAME_SHARE = 2

/** The report on A4 across, as it is handed in. */
const Sheet = ({ title, told }: { title: string; told: StatTable }) => {
  const width = (parts: number) => `${(100 * parts) / (told.columns.length + NAME_SHARE)}%`
  const rows = rowsOf(told, false)
  return (
    <Printable<StatRow>
      title={title}
      about={[['数据截至', formatTime(told.dataUntil)]]}
      columns={[
        { title: told.nameTitle, width: width(NAME_SHARE), of: ({ name }) => name },
        ...told.columns.map((column, at) => ({
          title: column.title,
          width: width(1),
          of: ({ cells }: StatRow) => cellWords(column, cells[at]),
        })),
      ]}
      rows={rows}
      keyOf={(row) => rows.indexOf(row)}
      signed={['填表人', '审核人']}
      note="按A4横向打印；列较多时请在打印设置中缩放到页宽"
      empty="没有可打印的数据"
    />
  )
}

const Reports = () => {
  const overAll = isOverAll(useSchoolContext())
  const table = useQueryTable(listStatReport, { usual: { report: USUAL } })
  const [chosen, setView] = useShown(views)
  const view = overAll ? TABLE : chosen
  const { report: asked, ...filters } = table.filters
  const report = reports.find((each) => each === asked) ?? USUAL
  const told = useTold(table.body, overAll, view)
  const columns = useStatColumns(told.table.data, overAll, () => undefined)
  const title = labelOf(listStatReport, 'report', report)
  const offered = overAll ? ofSchools : reports
  const has = (field: string) => !overAll && asks(report, field)
  const choose = (next: Report) => {
    const gone = Object.keys(filters).filter((field) => !asks(next, field))
    table.setFilters({
      ...Object.fromEntries(gone.map((field) => [field, undefined])),
      report: next === USUAL ? undefined : next,
    })
  }
  const bar = {
    operation: listStatReport,
    filters,
    setFilters: table.setFilters,
    reset: () => table.setFilters(noFilters(filters)),
  }
  return (
    <>
      <StatTabs>
        <TabList
          label="统计报表"
          tabs={offered.map((each) => [each, labelOf(listStatReport, 'report', each)] as const)}
          value={report}
          onChange={choose}
        />
        {!overAll && <TabList label="显示方式" tabs={views} value={view} onChange={setView} />}
      </StatTabs>
      <FilterBar key={report} table={bar}>
        {asks(report, 'date') && <DateFilter of={listStatReport} field="date" />}
        {asks(report, 'year') && !overAll && <NumberFilter of={listStatReport} field="year" />}
        {has('semesterId') && <OptionFilter of={listStatReport} field="semesterId" label="学期" {...semesters} />}
        {has('courseId') && <OptionFilter of={listStatReport} field="courseId" label="课程" {...courses} />}
        {has('graduationBatchId') && (
          <OptionFilter of={listStatReport} field="graduationBatchId" {...graduationBatches} />
        )}
        {has('gradeId') && <OptionFilter of={listStatReport} field="gradeId" {...grades} />}
        {has('preRegistrationBatchId') && (
          <OptionFilter of={listStatReport} field="preRegistrationBatchId" {...preRegistrationBatches} />
        )}
        {has('dimension') && <EnumFilter of={listStatReport} field="dimension" />}
        {has('siteId') && <OptionFilter of={listStatReport} field="siteId" {...sites} />}
      </FilterBar>
      {view === CHARTS && (
        <>
          <StatBar screen="statistics" told={told.charts.data} />
          {report !== 'yearly' && <StatCards query={told.cards} />}
          <StatDrawings query={told.charts} />
        </>
      )}
      {view === PRINT && (
        <Loaded query={told.sheet} rows={10}>
          {(sheet) => <Sheet title={title} told={sheet} />}
        </Loaded>
      )}
      {view === TABLE && (
        <QueryTable
          table={{
            ...table,
            ...bar,
            isFiltered: Object.keys(filters).length > 0,
            rows: rowsOf(told.table.data, overAll),
          }}
          columns={columns}
          nameOf={({ name }) => name}
          tools={
            <Space size={4}>
              <Rebuild />
              <RefreshFigures screen="statistics" told={told.table.data} />
              <ExportButton do={exportStatReport} table={{ body: table.body, total: table.total }} />
            </Space>
          }
          empty="还没有可统计的数据。有学生和业务记录后在这里显示。"
        />
      )}
    </>
  )
}

/** 综合统计: the reports of a school; over schools what each publishes (05 A6). */
export const ReportsPage = () => (
  <Page title="综合统计" help="概况、招生、学籍、教学、成绩、毕业和年报；指标口径见列标题上的说明。">
    <Reports />
  </Page>
)
