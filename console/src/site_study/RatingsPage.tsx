import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, NumberFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTenths } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { removal } from '@/kit/steps'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { deleteCourseRating, exportCourseRatings, listCourseRatings } from './api'
import './siteStudy.css'

const columns = columnsOf(listCourseRatings, [
  { field: 'courseName', width: 240, fixed: 'left' },
  { field: 'score', width: 80, fixed: 'left' },
  { field: 'courseType', width: 110 },
  { field: 'learnerName', width: 120 },
  { field: 'content', width: 320 },
  'createdAt',
])

/** 课程评分: how buyers score courses, with the average and how many gave what. */
export const RatingsPage = () => {
  const table = useQueryTable(listCourseRatings)
  const request = useRequest()
  const head = useQuery({
    queryKey: [listCourseRatings.path, 'spread', table.body],
    queryFn: ({ signal }) =>
      request(listCourseRatings, { body: { ...filterOf(table.body), pageCurrent: 1, pageSize: 1 } }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="课程评分" help="购买课程的学员可评分一次；删除评分后课程平均分随之重算。">
      <FilterBar table={table}>
        <TextFilter of={listCourseRatings} field="courseName" />
        <TextFilter of={listCourseRatings} field="learnerName" />
        <NumberFilter of={listCourseRatings} field="score" />
        <DateRangeFilter of={listCourseRatings} from="createdFrom" to="createdTo" label="评分日期" />
      </FilterBar>
      <Loaded query={head} rows={1}>
        {({ average, distribution }) => (
          <p className="rating-spread">
            <strong>平均分 {average == null ? '—' : formatTenths(average)}</strong>
            {distribution.map(({ score, count }) => (
              <span key={score}>
                {score}分：
                <button
                  type="button"
                  className="row-name"
                  aria-label={`${formatNumber(count)}人，查看${score}分的评分`}
                  onClick={() => table.setFilters({ score: String(score) })}
                >
                  {formatNumber(count)}人
                </button>
              </span>
            ))}
          </p>
        )}
      </Loaded>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => `${row.learnerName}的评分`}
        tools={<ExportButton do={exportCourseRatings} table={table} />}
        actionsWidth={90}
        actions={(row) => [removal(deleteCourseRating, { id: row.id, name: `${row.learnerName}的评分` })]}
        empty="还没有课程评分。购买课程的学员在网站评分后出现在这里。"
      />
    </Page>
  )
}
