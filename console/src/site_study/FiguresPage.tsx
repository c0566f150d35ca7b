import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { listLiveCategories, listResourceCategories } from '@/catalogue/api'
import { flat, useCategories, useLecturers } from '@/catalogue/choices'
import { yuanOf } from '@/catalogue/courseContent'
import { Chart } from '@/kit/Chart'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, SelectFilter } from '@/kit/filters'
import { formatPercent } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { chartSiteFigures, exportSiteFigures, listSiteFigures } from './api'
import { minutesOf } from './minutes'
import './siteStudy.css'

const columns = columnsOf(listSiteFigures, [
  { field: 'courseName', width: 240, fixed: 'left' },
  { field: 'courseType', width: 110 },
  { field: 'categoryName', title: '分类', width: 120 },
  { field: 'lecturerName', title: '讲师', width: 100 },
  { field: 'countBuy', width: 90 },
  { field: 'income', title: '收入(元)', width: 110, help: '实付减已退', render: ({ income }) => yuanOf(income) },
  { field: 'learners', width: 100 },
  {
    field: 'studiedSeconds',
    title: '学习时长',
    width: 110,
    render: ({ studiedSeconds }) => minutesOf(studiedSeconds),
  },
  { field: 'finishedRate', title: '完课率', width: 100, render: ({ finishedRate }) => formatPercent(finishedRate) },
  {
    field: 'averageProgress',
    title: '平均进度',
    width: 100,
    render: ({ averageProgress }) => formatPercent(averageProgress),
  },
  { field: 'scoreAvg', width: 80 },
])

/** Study and buys of the last thirty days, and what most bought. */
const Charts = ({ body }: { body: BodyOf<typeof chartSiteFigures> }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [chartSiteFigures.path, body],
    queryFn: ({ signal }) => request(chartSiteFigures, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  const days = useMemo(
    () => query.data?.days.map(({ day, minutes }) => ({ name: day, value: minutes })) ?? [],
    [query.data],
  )
  const buys = useMemo(() => query.data?.days.map(({ day, buys }) => ({ name: day, value: buys })) ?? [], [query.data])
  const top = useMemo(
    () => query.data?.top.map(({ courseName, countBuy }) => ({ name: courseName, value: countBuy })) ?? [],
    [query.data],
  )
  const studied = useMemo(
    () =>
      ({ title: '近30天学习时长', kind: 'line', unit: '分钟', series: [{ name: '学习时长', points: days }] }) as const,
    [days],
  )
  const bought = useMemo(
    () => ({ title: '购买最多的课程', kind: 'bar', unit: '次', series: [{ name: '购买数', points: top }] }) as const,
    [top],
  )
  const sold = useMemo(
    () => ({ title: '近30天购买', kind: 'line', unit: '次', series: [{ name: '购买数', points: buys }] }) as const,
    [buys],
  )
  return (
    <Loaded query={query}>
      {() => (
        <div className="site-charts">
          {[studied, sold, bought].map((data) => (
            <section key={data.title} aria-label={data.title}>
              <h3>{data.title}</h3>
              <Chart data={data} />
            </section>
          ))}
        </div>
      )}
    </Loaded>
  )
}

/** 课程统计: who bought, studied and finished each course. */
export const FiguresPage = () => {
  const table = useQueryTable(listSiteFigures)
  const allowed = useAllowed()
  const kinds = [
    ['录播', useCategories()],
    ['直播', useCategories(listLiveCategories)],
    ['文库', useCategories(listResourceCategories)],
  ] as const
  const categories = kinds.flatMap(([kind, { data }]) => flat(data ?? [], `${kind} / `))
  const lecturers = useLecturers()
  return (
    <Page title="课程统计" help="完课率为学完全部课时的人数占开始学习人数的比例；学习日期影响学习时长和收入。">
      <FilterBar table={table}>
        <EnumFilter of={listSiteFigures} field="courseType" />
        <SelectFilter of={listSiteFigures} field="categoryId" label="分类" options={categories} />
        <SelectFilter
          of={listSiteFigures}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <DateRangeFilter of={listSiteFigures} from="studiedFrom" to="studiedTo" label="学习日期" />
      </FilterBar>
      {allowed(chartSiteFigures) && <Charts body={filterOf(table.body)} />}
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.courseName}
        tools={<ExportButton do={exportSiteFigures} table={table} />}
        empty="还没有课程。在“录播课程”“直播课程”“文库资源”中新增后出现在这里。"
      />
    </Page>
  )
}
