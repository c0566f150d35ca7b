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
  changeCommunityRecommendStatus,
  deleteCommunityRecommend,
  deleteCommunityRecommends,
  editCommunityRecommend,
  exportCommunityRecommends,
  listCommunityRecommends,
  saveCommunityRecommend,
  sortCommunityRecommends,
  viewCommunityRecommend,
} from './api'
import { CommunityRecommendForm } from './CommunityRecommendForm'

type Recommend = RowOf<typeof listCommunityRecommends>

const columns = columnsOf(listCommunityRecommends, [
  { field: 'name', width: 260, fixed: 'left' },
  { field: 'state', width: 90, fixed: 'left', tones: { shown: 'good', lost: 'bad' } },
  { field: 'enabled', fixed: 'left' },
  { field: 'refType', width: 100 },
  { field: 'position', width: 90 },
  'sort',
  'createdAt',
])

const nameOf = ({ name }: Recommend) => name

/** 社区推荐: what the community shows before others, by place. */
export const CommunityRecommendsPage = () => {
  const table = useQueryTable(listCommunityRecommends)
  const form = useDrawer<Recommend>()
  const order = useListOrder({
    sort: sortCommunityRecommends,
    rows: table.rows,
    nameOf,
    listOf: ({ position }) => position,
  })
  return (
    <Page title="社区推荐" help="社区首页和侧栏优先展示的博客、问答和博主；网站上不再显示的内容在此处为已失效。">
      <FilterBar table={table}>
        <TextFilter of={listCommunityRecommends} field="name" />
        <EnumFilter of={listCommunityRecommends} field="refType" />
        <EnumFilter of={listCommunityRecommends} field="position" />
        <EnabledFilter of={listCommunityRecommends} field="enabled" />
        <DateRangeFilter of={listCommunityRecommends} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveCommunityRecommend}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增推荐
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportCommunityRecommends} table={table} />}
        bulk={[
          bulkStep(deleteCommunityRecommends, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('推荐'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCommunityRecommend, 'community_recommend')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editCommunityRecommend, onClick: () => form.open(row) },
          switching(changeCommunityRecommendStatus, { ...row, name: nameOf(row) }, '网站上不再显示该推荐。'),
          ...order.actions(row),
          removal(deleteCommunityRecommend, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有推荐。点击“新增推荐”选择要展示的内容。"
      />
      <CommunityRecommendForm key={form.key} {...form.props} />
    </Page>
  )
}
