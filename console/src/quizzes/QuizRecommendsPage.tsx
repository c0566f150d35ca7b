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
  changeQuizRecommendStatus,
  deleteQuizRecommend,
  deleteQuizRecommends,
  editQuizRecommend,
  exportQuizRecommends,
  listQuizRecommends,
  saveQuizRecommend,
  sortQuizRecommends,
  viewQuizRecommend,
} from './api'
import { type QuizRecommendDraft, QuizRecommendForm } from './QuizRecommendForm'

type Row = RowOf<typeof listQuizRecommends>

const columns = columnsOf(listQuizRecommends, [
  { field: 'examName', width: 240, fixed: 'left' },
  {
    field: 'standing',
    width: 100,
    fixed: 'left',
    tones: { shown: 'good', waiting: 'busy', ended: 'quiet', hidden: 'bad', disabled: 'quiet' },
  },
  { field: 'enabled', fixed: 'left' },
  { field: 'position', width: 120 },
  { field: 'categoryName', title: '分类', width: 120 },
  { field: 'sort', width: 80 },
  'beginsAt',
  'endsAt',
  { field: 'createdAt', hidden: true },
])

const nameOf = ({ examName }: Row) => examName

/** Recommendations of one position stand in one order; each category is a position of its own. */
const placeOf = ({ position, categoryId }: Row) => `${position}/${categoryId ?? ''}`

/** 推荐试卷: what the site shows before others, by position. */
export const QuizRecommendsPage = () => {
  const table = useQueryTable(listQuizRecommends)
  const form = useDrawer<QuizRecommendDraft>()
  const order = useListOrder({ sort: sortQuizRecommends, rows: table.rows, nameOf, listOf: placeOf })
  return (
    <Page
      title="推荐试卷"
      help="在首页、分类页和试卷详情页优先展示的试卷；试卷下架或停用后此处为已失效，网站不再展示。拖动一行可在同一位置中调整顺序。"
    >
      <FilterBar table={table}>
        <TextFilter of={listQuizRecommends} field="examName" />
        <EnumFilter of={listQuizRecommends} field="position" />
        <EnabledFilter of={listQuizRecommends} field="enabled" />
        <DateRangeFilter of={listQuizRecommends} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveQuizRecommend}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
              新增推荐
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportQuizRecommends} table={table} />}
        bulk={[
          bulkStep(deleteQuizRecommends, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('推荐'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewQuizRecommend, 'exam_recommend')}
        actionsWidth={220}
        actions={(row) => [
          { label: '编辑', do: editQuizRecommend, onClick: () => form.open({ recommend: row }) },
          ...order.actions(row),
          switching(changeQuizRecommendStatus, { ...row, name: row.examName }, '网站不再展示该推荐。'),
          removal(deleteQuizRecommend, { id: row.id, name: row.examName }),
        ]}
        empty="还没有推荐试卷。新增推荐后，网站会优先展示它。"
      />
      <QuizRecommendForm key={form.key} {...form.props} />
    </Page>
  )
}
