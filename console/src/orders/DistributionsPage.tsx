import type { RowOf } from '@/api/operation'
import { yuanOf } from '@/catalogue/courseContent'
import { placeOfOrder } from '@/catalogue/places'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Lead } from '@/kit/Lead'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { exportDistributions, listDistributions, listOrders, viewDistribution } from './api'

type Distribution = RowOf<typeof listDistributions>

const columns = columnsOf(listDistributions, [
  {
    field: 'promoterName',
    title: '推广人',
    width: 140,
    fixed: 'left',
    render: ({ promoterName, promoterId }) => promoterName ?? `编号${promoterId}`,
  },
  { field: 'status', width: 90, fixed: 'left', tones: { frozen: 'busy', settled: 'good', cancelled: 'quiet' } },
  { field: 'amount', title: '佣金(元)', width: 100, render: ({ amount }) => yuanOf(amount) },
  {
    field: 'orderNo',
    width: 190,
    render: ({ orderNo, orderId }) => (
      <Lead do={listOrders} to={placeOfOrder(orderNo, orderId)}>
        {orderNo}
      </Lead>
    ),
  },
  { field: 'productName', width: 200 },
  { field: 'pricePaid', title: '实付(元)', width: 100, render: ({ pricePaid }) => yuanOf(pricePaid) },
  { field: 'ratio', width: 100, render: ({ ratio }) => `${Math.round(ratio * 100)}%` },
  {
    field: 'promoterPhone',
    width: 160,
    render: ({ promoterId, promoterPhone }) => (
      <Masked entity="user_ext" id={promoterId} field="phone" label="推广人手机号" value={promoterPhone} />
    ),
  },
  { field: 'productType', width: 100 },
  { field: 'buyerName', title: '购买人', width: 120 },
  { field: 'reversed', title: '退款收回(元)', width: 120, render: ({ reversed }) => yuanOf(reversed) },
  { field: 'createdAt', width: 180 },
  { field: 'settledAt', width: 180 },
])

const nameOf = ({ orderNo }: Distribution) => orderNo

/** 分销记录: what promoters get of orders. */
export const DistributionsPage = () => {
  const table = useQueryTable(listDistributions)
  return (
    <Page title="分销记录" help="佣金在订单结算前冻结；退款按比例收回，全额退款时取消。" personal>
      <FilterBar table={table}>
        <TextFilter of={listDistributions} field="orderNo" />
        <TextFilter of={listDistributions} field="promoterPhone" />
        <EnumFilter of={listDistributions} field="productType" />
        <EnumFilter of={listDistributions} field="status" />
        <DateRangeFilter of={listDistributions} from="createdFrom" to="createdTo" label="支付日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={<ExportButton do={exportDistributions} table={table} />}
        detail={historyOf(viewDistribution, 'distribution')}
        empty="没有分销记录。学员经他人的分享购买分销商品后产生。"
      />
    </Page>
  )
}
