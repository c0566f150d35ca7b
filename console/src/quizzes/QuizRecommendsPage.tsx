import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useCall } from '@/api/schoolContext'
import { bulkStep, type RowAction } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
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

const isBeside = (one: Row, other: Row) => one.position === other.position && one.categoryId === other.categoryId

/** 推荐试卷: what the site shows before others, by position. */
export const QuizRecommendsPage = () => {
  const table = useQueryTable(listQuizRecommends)
  const call = useCall()
  const form = useDrawer<QuizRecommendDraft>()
  const rows = table.rows
  const move = useMutation({
    mutationFn: ({ ids }: { ids: number[]; name: string }) => call(sortQuizRecommends, { body: { ids } }),
    onSuccess: (_, { name }) => tellSuccess(`已移动“${name}”`),
    onSettled: refetchAll,
  })
  const moving = (row: Row, label: '上移' | '下移'): RowAction => {
    const beside = rows.filter((each) => isBeside(each, row))
    const at = beside.findIndex(({ id }) => id === row.id)
    const to = at + (label === '上移' ? -1 : 1)
    const other = beside[to]
    const ids = beside.map(({ id }) => id)
    return {
      label,
      do: sortQuizRecommends,
      disabled: other ? undefined : label === '上移' ? '已在本页此位置的最前面' : '已在本页此位置的最后面',
      onClick: () => {
        if (!other) return
        ids[at] = other.id
        ids[to] = row.id
        move.mutate({ ids, name: row.examName })
      },
    }
  }
  return (
    <Page
      title="推荐试卷"
      help="在首页、分类页和试卷详情页优先展示的试卷；试卷下架或停用后此处为已失效，网站不再展示。"
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
        nameOf={(row) => row.examName}
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
          moving(row, '上移'),
          moving(row, '下移'),
          switching(changeQuizRecommendStatus, { ...row, name: row.examName }, '网站不再展示该推荐。'),
          removal(deleteQuizRecommend, { id: row.id, name: row.examName }),
        ]}
        empty="还没有推荐试卷。新增推荐后，网站会优先展示它。"
      />
      <QuizRecommendForm key={form.key} {...form.props} />
    </Page>
  )
}
