import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeVipSetStatus,
  deleteVipSet,
  deleteVipSets,
  editVipSet,
  exportVipSets,
  listVipSets,
  saveVipSet,
  viewVipSet,
} from './api'
import { rateOf } from './rate'
import { VipSetForm } from './VipSetForm'

type VipSet = RowOf<typeof listVipSets>

const columns = columnsOf(listVipSets, [
  { field: 'setName', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'months', width: 80 },
  { field: 'priceOriginal', title: '原价(元)', width: 100, render: ({ priceOriginal }) => yuanOf(priceOriginal) },
  { field: 'price', title: '售价(元)', width: 100, render: ({ price }) => yuanOf(price) },
  { field: 'discountRate', width: 100, help: '会员购买其他商品时按此付款', render: ({ discountRate }) => rateOf(discountRate) },
  { field: 'memberCount', width: 90 },
  { field: 'sort', width: 80 },
  { field: 'benefits', width: 260 },
  { field: 'createdAt', hidden: true },
])

/** 会员设置: what membership is sold as. */
export const VipSetsPage = () => {
  const table = useQueryTable(listVipSets)
  const form = useDrawer<VipSet>()
  return (
    <Page title="会员设置" help="会员的期限、价格和折扣；停用后不再出售，现有会员不受影响。">
      <FilterBar table={table}>
        <TextFilter of={listVipSets} field="setName" />
        <EnabledFilter of={listVipSets} field="enabled" />
        <DateRangeFilter of={listVipSets} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.setName}
        primary={
          <Can do={saveVipSet}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增会员设置
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportVipSets} table={table} />}
        bulk={[
          bulkStep(deleteVipSets, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('会员设置'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewVipSet, 'vip_set')}
        actions={(row) => [
          { label: '编辑', do: editVipSet, onClick: () => form.open(row) },
          switching(changeVipSetStatus, { ...row, name: row.setName }, '不再出售，也不能再开通；现有会员不受影响。'),
          removal(deleteVipSet, { id: row.id, name: row.setName }),
        ]}
        empty="还没有会员设置。新增后即可为学员开通会员。"
      />
      <VipSetForm key={form.key} {...form.props} />
    </Page>
  )
}
