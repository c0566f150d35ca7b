import { Space } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BodyOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import type { StatRow } from '@/api/types/statistics'
import { classes, grades, levels, majors, sites } from '@/basic_data/choices'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateFilter, DateRangeFilter, EnumFilter, NumberFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { filterOf } from '@/kit/useFileOf'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { chartLoginStatistics, exportLoginStatistics, listLoginStatistics } from './api'
import { RefreshFigures, StatBar, StatTabs } from './RefreshFigures'
import { StatDrawings } from './StatFigures'
import { type Below, isTotal, rowsOf } from './statRules'
import { urging } from './urging'
import { TABLE, useShown } from './useShown'
import { useStatColumns } from './useStatColumns'

type Asked = BodyOf<typeof listLoginStatistics>

const tabs = ['site', 'class', 'student', 'day'] as const
type Tab = (typeof tabs)[number]

const CHARTS = 'charts'
const views = [
  [TABLE, '表格'],
  [CHARTS, '汇总图表'],
] as const

/** From a site to its classes, from a class to its people. */
const deeper: Record<Tab, Below> = {
  site: ({ id }) => (id > 0 ? { tab: 'class', siteId: String(id) } : undefined),
  class: ({ id }) => (id > 0 ? { tab: 'student', classId: String(id) } : undefined),
  student: () => undefined,
  day: ({ name }) => ({ tab: 'student', from: name, to: name, standing: 'signed_in' }),
}

const Logins = () => {
  const overAll = isOverAll(useSchoolContext())
  const request = useRequest()
  const table = useQueryTable(listLoginStatistics)
  const [chosen, setView] = useShown(views)
  const view = overAll ? TABLE : chosen
  const { tab: asked, ...filters } = table.filters
  const tab = tabs.find((each) => each === asked) ?? 'site'
  const body: Asked = table.body
  const filter: Asked = filterOf(table.body)
  const told = useQuery({
    queryKey: [listLoginStatistics.path, table.body],
    queryFn: ({ signal }) => request(listLoginStatistics, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const charts = useQuery({
    queryKey: [chartLoginStatistics.path, filter],
    queryFn: ({ signal }) => request(chartLoginStatistics, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: view === CHARTS,
  })
  const columns = useStatColumns(told.data, overAll, deeper[tab])
  const bar = {
    operation: listLoginStatistics,
    filters,
    setFilters: table.setFilters,
    reset: () => table.setFilters(noFilters(filters)),
  }
  const actions = (row: StatRow) => (tab === 'student' && !isTotal(row) ? urging(row) : [])
  const choices = overAll ? undefined : (
    <StatTabs>
      <TabList
        label="统计方式"
        tabs={tabs.map((each) => [each, labelOf(listLoginStatistics, 'tab', each)] as const)}
        value={tab}
        onChange={(next) => table.setFilters({ tab: next === 'site' ? undefined : next })}
      />
      <TabList label="显示方式" tabs={views} value={view} onChange={setView} />
    </StatTabs>
  )
  return (
    <>
      {choices}
      <FilterBar table={bar}>
        {overAll ? (
          <DateFilter of={listLoginStatistics} field="month" />
        ) : (
          <DateRangeFilter of={listLoginStatistics} from="from" to="to" label="日期" />
        )}
        {!overAll && tab === 'student' && <TextFilter of={listLoginStatistics} field="keyword" label="姓名或号码" />}
        <OptionFilter of={listLoginStatistics} field="siteId" {...sites} />
        <OptionFilter of={listLoginStatistics} field="classId" {...classes} />
        <OptionFilter of={listLoginStatistics} field="gradeId" {...grades} />
        <OptionFilter of={listLoginStatistics} field="levelId" {...levels} />
        <OptionFilter of={listLoginStatistics} field="majorId" {...majors} />
        {!overAll && <EnumFilter of={listLoginStatistics} field="studyForm" />}
        {!overAll && tab === 'student' && <EnumFilter of={listLoginStatistics} field="standing" />}
        {!overAll && tab === 'student' && <NumberFilter of={listLoginStatistics} field="silentDays" />}
      </FilterBar>
      {view === CHARTS ? (
        <>
          <StatBar screen="student_login_statistics" told={charts.data} />
          <StatDrawings query={charts} />
        </>
      ) : (
        <QueryTable
          table={{ ...table, ...bar, isFiltered: Object.keys(filters).length > 0, rows: rowsOf(told.data, overAll) }}
          columns={columns}
          nameOf={({ name }) => name}
          actionsWidth={90}
          actions={actions}
          tools={
            <Space size={4}>
              <RefreshFigures screen="student_login_statistics" told={told.data} />
              <ExportButton do={exportLoginStatistics} table={table} />
            </Space>
          }
          empty="还没有学生。学生建档后在这里显示登录情况，默认为最近30天。"
        />
      )}
    </>
  )
}

/** 学生登录统计: who signs in, how often, and who does not (05 A5). */
export const LoginsPage = () => (
  <Page title="学生登录统计" help="学生登录客户端的人数、次数和在线时长，默认最近30天；不同的人不能跨天相加。" personal>
    <Logins />
  </Page>
)
