import { Space } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { isOverAll, useRequest, useSchoolContext } from '@/api/schoolContext'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, YesNoFilter } from '@/kit/filters'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { filterOf } from '@/kit/useFileOf'
import { usePageTab } from '@/kit/usePageTab'
import { noFilters, useQueryTable } from '@/kit/useQueryTable'
import { DictionaryFilter } from '@/settings/DictionaryFilter'
import { chartSourceStatistics, exportSourceStatistics, listPromotionLinks, listSourceStatistics } from './api'
import { PromotionLinks } from './PromotionLinks'
import { RefreshFigures, StatBar, StatTabs } from './RefreshFigures'
import { StatDrawings } from './StatFigures'
import { rowsOf } from './statRules'
import { TABLE, useShown } from './useShown'
import { useStatColumns } from './useStatColumns'

type Asked = BodyOf<typeof listSourceStatistics>

const SOURCE = 'source'
const LINKS = 'links'

const CHARTS = 'charts'
const views = [
  [TABLE, '表格'],
  [CHARTS, '汇总图表'],
] as const

const Sources = () => {
  const overAll = isOverAll(useSchoolContext())
  const request = useRequest()
  const table = useQueryTable(listSourceStatistics)
  const [view, setView] = useShown(views)
  const { tab: _tab, ...filters } = table.filters
  // Of the operators' own site there are sources as of a school.
  const ofSchools = overAll && filters.own !== 'true'
  const body: Asked = table.body
  const filter: Asked = filterOf(table.body)
  const told = useQuery({
    queryKey: [listSourceStatistics.path, table.body],
    queryFn: ({ signal }) => request(listSourceStatistics, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const charts = useQuery({
    queryKey: [chartSourceStatistics.path, filter],
    queryFn: ({ signal }) => request(chartSourceStatistics, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
    enabled: view === CHARTS,
  })
  const columns = useStatColumns(told.data, ofSchools, () => undefined)
  const bar = {
    operation: listSourceStatistics,
    filters,
    setFilters: table.setFilters,
    reset: () => table.setFilters(noFilters(filters)),
  }
  return (
    <>
      <StatTabs>
        <TabList label="显示方式" tabs={views} value={view} onChange={setView} />
      </StatTabs>
      <FilterBar table={bar}>
        <DateRangeFilter of={listSourceStatistics} from="from" to="to" label="日期" />
        <DictionaryFilter of={listSourceStatistics} field="channel" type="source_channel" />
        <EnumFilter of={listSourceStatistics} field="terminal" />
        {!ofSchools && <EnumFilter of={listSourceStatistics} field="page" />}
        {overAll && <YesNoFilter of={listSourceStatistics} field="own" />}
      </FilterBar>
      {view === CHARTS ? (
        <>
          <StatBar screen="from_statistics" told={charts.data} />
          {ofSchools && <p className="form-hint">统计图为平台官网的访问；选定院校后显示该院校的。</p>}
          <StatDrawings query={charts} />
        </>
      ) : (
        <QueryTable
          table={{ ...table, ...bar, isFiltered: Object.keys(filters).length > 0, rows: rowsOf(told.data, ofSchools) }}
          columns={columns}
          nameOf={({ name }) => name}
          tools={
            <Space size={4}>
              <RefreshFigures screen="from_statistics" told={told.data} />
              <ExportButton do={exportSourceStatistics} table={table} />
            </Space>
          }
          empty="这段时间没有访问；默认显示最近30天。"
        />
      )}
    </>
  )
}

/** 来源统计: where visitors of the public pages came from, and by which link (05 A5). */
export const SourcesPage = () => {
  const context = useSchoolContext()
  const allowed = useAllowed()
  const [asked, setTab] = usePageTab()
  // A school keeps its own links, the operators those of their own site.
  const hasLinks = (context.area === 'school' || isOverAll(context)) && allowed(listPromotionLinks)
  const tabs = [
    ...['source', 'domain'].map((each) => [each, labelOf(listSourceStatistics, 'tab', each)] as const),
    ...(hasLinks ? [[LINKS, '推广链接'] as const] : []),
  ]
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? SOURCE
  return (
    <Page title="来源统计" help="公开页面的访问来源和转化；推广链接说明访客由哪张海报或哪位代理带来。">
      <div className="list-tabs">
        <TabList
          label="来源统计"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === SOURCE ? undefined : next)}
        />
      </div>
      {tab === LINKS ? <PromotionLinks /> : <Sources key={tab} />}
    </Page>
  )
}
