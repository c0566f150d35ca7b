import { useQuery } from '@tanstack/react-query'
import { useCall } from '@/api/schoolContext'
import { coursesOf } from '@/catalogue/CourseSelect'
import { placeOfProduct } from '@/catalogue/places'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { Facts } from '@/kit/Facts'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, NumberFilter, TextFilter } from '@/kit/filters'
import { formatPercent, formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Loaded } from '@/kit/Loaded'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportSiteProgress, listSiteProgress, viewSiteProgress } from './api'
import { minutesOf } from './minutes'

const columns = columnsOf(listSiteProgress, [
  { field: 'learnerName', width: 120, fixed: 'left' },
  { field: 'progress', title: '进度', width: 90, fixed: 'left', render: ({ progress }) => formatPercent(progress) },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="siteProgress" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  {
    field: 'courseName',
    width: 220,
    render: ({ courseType, courseId, courseName }) => (
      <Lead do={coursesOf[courseType]} to={placeOfProduct(courseType, courseId, courseName)}>
        {courseName}
      </Lead>
    ),
  },
  {
    field: 'finished',
    title: '已学/总课时',
    width: 110,
    render: ({ finished, periodTotal }) => `${finished}/${periodTotal}`,
  },
  {
    field: 'watchedSeconds',
    title: '学习时长',
    width: 110,
    render: ({ watchedSeconds }) => minutesOf(watchedSeconds),
  },
  'lastAt',
  { field: 'startedAt', hidden: true },
  { field: 'courseType', hidden: true },
])

/** 明细: every lesson of the course. */
const ProgressFile = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listSiteProgress.path, viewSiteProgress.path, id],
    queryFn: () => call(viewSiteProgress, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {({ periods }) => (
        <table className="log-changes">
          <caption>课时明细</caption>
          <thead>
            <tr>
              <th scope="col">章节</th>
              <th scope="col">课时</th>
              <th scope="col">学习时长</th>
              <th scope="col">完成时间</th>
            </tr>
          </thead>
          <tbody>
            {periods.map((period) => (
              <tr key={period.periodId}>
                <td>{period.chapterName}</td>
                <td>{period.periodName}</td>
                <td>{minutesOf(period.watchedSeconds)}</td>
                <td>{period.finishedAt ? formatTime(period.finishedAt) : '未完成'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Loaded>
  )
}

/** 学习进度: how far learners are with courses. */
export const ProgressPage = () => {
  const table = useQueryTable(listSiteProgress)
  return (
    <Page title="学习进度" help="课时学到95%为完成；进度为已完成课时占全部课时的比例。" personal>
      <FilterBar table={table}>
        <TextFilter of={listSiteProgress} field="courseName" />
        <TextFilter of={listSiteProgress} field="keyword" />
        <NumberFilter of={listSiteProgress} field="progressFrom" />
        <NumberFilter of={listSiteProgress} field="progressTo" />
        <DateRangeFilter of={listSiteProgress} from="lastFrom" to="lastTo" label="最近学习" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.learnerName}
        tools={<ExportButton do={exportSiteProgress} table={table} />}
        file={(row) => (
          <>
            <Facts key={row.id} row={row} columns={columns} />
            <ProgressFile id={row.id} />
          </>
        )}
        empty="还没有学员学习课程。学员在网站学习课时后出现在这里。"
      />
    </Page>
  )
}
