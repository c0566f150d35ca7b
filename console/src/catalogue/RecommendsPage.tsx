import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeRecommendStatus,
  deleteRecommend,
  deleteRecommends,
  editRecommend,
  exportRecommends,
  listRecommends,
  saveRecommend,
  sortRecommends,
  viewRecommend,
} from './api'
import { type RecommendDraft, RecommendForm } from './RecommendForm'

type Row = RowOf<typeof listRecommends>

const columns = columnsOf(listRecommends, [
  { field: 'courseName', width: 240, fixed: 'left' },
  {
    field: 'standing',
    width: 100,
    fixed: 'left',
    tones: { shown: 'good', waiting: 'busy', ended: 'quiet', hidden: 'bad', disabled: 'quiet' },
  },
  { field: 'enabled', fixed: 'left' },
  { field: 'courseType', width: 110 },
  { field: 'position', width: 120 },
  { field: 'categoryName', title: '分类', width: 120 },
  { field: 'sort', width: 80 },
  'beginsAt',
  'endsAt',
  { field: 'createdAt', hidden: true },
])

const nameOf = ({ courseName }: Row) => courseName

/** Recommendations of one position stand in one order; each category is a position of its own. */
const placeOf = ({ position, categoryId }: Row) => `${position}/${categoryId ?? ''}`

/** 推荐课程: what the site shows before others, by position. */
export const RecommendsPage = () => {
  const table = useQueryTable(listRecommends)
  const form = useDrawer<RecommendDraft>()
  const order = useListOrder({ sort: sortRecommends, rows: table.rows, nameOf, listOf: placeOf })
  return (
    <Page
      title="推荐课程"
      help="在首页、分类页和课程详情页优先展示的课程；课程下架或停用后此处为已失效，网站不再展示。拖动一行可在同一位置中调整顺序。"
    >
      <FilterBar table={table}>
        <TextFilter of={listRecommends} field="courseName" />
        <EnumFilter of={listRecommends} field="courseType" />
        <EnumFilter of={listRecommends} field="position" />
        <EnabledFilter of={listRecommends} field="enabled" />
        <DateRangeFilter of={listRecommends} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveRecommend}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
              新增推荐
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportRecommends} table={table} />}
        bulk={[
          bulkStep(deleteRecommends, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('推荐'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewRecommend, 'course_recommend')}
        actionsWidth={220}
        actions={(row) => [
          { label: '编辑', do: editRecommend, onClick: () => form.open({ recommend: row }) },
          ...order.actions(row),
          switching(changeRecommendStatus, { ...row, name: row.courseName }, '网站不再展示该推荐。'),
          removal(deleteRecommend, { id: row.id, name: row.courseName }),
        ]}
        empty="还没有推荐课程。新增推荐后，网站会优先展示它。"
      />
      <RecommendForm key={form.key} {...form.props} />
    </Page>
  )
}
