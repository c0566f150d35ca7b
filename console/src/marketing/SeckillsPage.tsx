import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
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
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeSeckillStatus,
  deleteSeckill,
  deleteSeckills,
  editSeckill,
  exportSeckills,
  listSeckills,
  saveSeckill,
  viewSeckill,
} from './api'
import { SeckillForm } from './SeckillForm'

type Seckill = RowOf<typeof listSeckills>

const columns = columnsOf(listSeckills, [
  { field: 'activityName', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'state', width: 90, fixed: 'left', tones: { waiting: 'busy', running: 'good', ended: 'quiet' } },
  { field: 'productName', width: 220, render: ({ productName }) => productName ?? '商品已删除' },
  { field: 'seckillPrice', title: '秒杀价(元)', width: 110, render: ({ seckillPrice }) => yuanOf(seckillPrice) },
  { field: 'stockTotal', width: 80 },
  { field: 'stockSold', width: 80 },
  { field: 'stockLocked', width: 80, help: '已下单、尚未付款；15分钟未付款时释放' },
  { field: 'productType', width: 100 },
  {
    field: 'priceSale',
    title: '优惠价(元)',
    width: 110,
    render: ({ priceSale }) => (typeof priceSale === 'number' ? yuanOf(priceSale) : '—'),
  },
  { field: 'beginsAt', width: 180 },
  { field: 'endsAt', width: 180 },
  { field: 'perLimit', width: 100, hidden: true },
  { field: 'createdAt', hidden: true },
])

const nameOf = ({ activityName }: Seckill) => activityName

/** 秒杀活动: products at a lower price while their stock lasts. */
export const SeckillsPage = () => {
  const table = useQueryTable(listSeckills)
  const form = useDrawer<Seckill>()
  return (
    <Page title="秒杀活动" help="秒杀价不与会员折扣和优惠券同享；进行中的活动只能延长时间和增加库存。">
      <FilterBar table={table}>
        <TextFilter of={listSeckills} field="activityName" />
        <EnumFilter of={listSeckills} field="productType" />
        <EnumFilter of={listSeckills} field="state" />
        <EnabledFilter of={listSeckills} field="enabled" />
        <DateRangeFilter of={listSeckills} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveSeckill}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增秒杀活动
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSeckills} table={table} />}
        bulk={[
          bulkStep(deleteSeckills, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('秒杀活动'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewSeckill, 'seckill')}
        actions={(row) => [
          {
            label: '编辑',
            do: editSeckill,
            disabled: row.state === 'ended' ? '活动已结束，不能修改' : undefined,
            onClick: () => form.open(row),
          },
          switching(changeSeckillStatus, { ...row, name: nameOf(row) }, '不能再以秒杀价下单；已下的订单不受影响。'),
          removal(deleteSeckill, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有秒杀活动。点击“新增秒杀活动”添加第一个。"
      />
      <SeckillForm key={form.key} {...form.props} />
    </Page>
  )
}
