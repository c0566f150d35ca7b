import { Button, Drawer } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { yuanColumn, yuanOf } from '@/catalogue/courseContent'
import { placeOfOrder } from '@/catalogue/places'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Tone, Word } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { listDistributions, listOrders } from '@/orders/api'
import {
  changeChosenProductStatus,
  deleteChosenProduct,
  deleteChosenProducts,
  editChosenProduct,
  exportChosenProducts,
  listChosenProducts,
  saveChosenProduct,
  viewChosenProduct,
} from './api'
import { ChosenProductForm } from './ChosenProductForm'

type Chosen = RowOf<typeof listChosenProducts>
type Brought = RowOf<typeof listDistributions>

const nameOf = ({ productName, productId }: Chosen) => productName ?? `编号${productId}`

const columns = columnsOf(listChosenProducts, [
  { field: 'productName', width: 220, fixed: 'left', render: (row) => nameOf(row) },
  { field: 'enabled', fixed: 'left' },
  { field: 'productType', width: 100 },
  {
    field: 'priceSale',
    title: '优惠价(元)',
    width: 110,
    render: ({ priceSale }) => (typeof priceSale === 'number' ? yuanOf(priceSale) : '—'),
  },
  { field: 'ratio', width: 100, render: ({ ratio }) => `${Math.round(ratio * 100)}%` },
  { field: 'orderCount', width: 110 },
  {
    field: 'commissionTotal',
    title: '佣金合计(元)',
    width: 120,
    help: '已扣除退款收回的部分',
    render: ({ commissionTotal }) => yuanOf(commissionTotal),
  },
  { field: 'beginsAt', width: 180 },
  { field: 'endsAt', width: 180 },
  { field: 'posterTemplateName', width: 150, hidden: true },
  { field: 'createdAt', hidden: true },
])

const standing: Record<Brought['status'], Tone> = { frozen: 'busy', settled: 'good', cancelled: 'quiet' }

const BroughtRows = ({ of: { productType, productId } }: { of: Chosen }) => (
  <DrawerList
    of={listDistributions}
    filter={{ productType, productId }}
    empty="还没有经推广售出的订单"
    columns={[
      {
        title: '推广人',
        dataIndex: 'promoterName',
        render: (name: string | null, { promoterId, promoterPhone }: Brought) =>
          name ?? <Masked entity="user_ext" id={promoterId} field="phone" label="手机号" value={promoterPhone} />,
      },
      {
        title: '订单号',
        dataIndex: 'orderNo',
        width: 180,
        render: (_: unknown, { orderNo, orderId }: Brought) => (
          <Lead do={listOrders} to={placeOfOrder(orderNo, orderId)}>
            {orderNo}
          </Lead>
        ),
      },
      yuanColumn('实付(元)', 'pricePaid'),
      yuanColumn('佣金(元)', 'amount'),
      yuanColumn('退款收回(元)', 'reversed', 120),
      {
        title: '状态',
        dataIndex: 'status',
        width: 90,
        render: (status: Brought['status']) => (
          <Word tone={standing[status]}>{labelOf(listDistributions, 'status', status)}</Word>
        ),
      },
      { title: '支付时间', dataIndex: 'createdAt', width: 170, render: (at: string) => formatTime(at) },
    ]}
  />
)

/** 推广数据: what was sold through promoters, and what they get of it. */
const BroughtDrawer = ({ record, visible, onClose }: DrawerProps<Chosen>) => {
  const title = `推广数据 ${record ? nameOf(record) : ''}`
  return (
    <Drawer title={title} width={900} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <BroughtRows of={record} />}
    </Drawer>
  )
}

/** 分销商品: products of whose price a part goes to whoever brought the buyer. */
export const ChosenProductsPage = () => {
  const table = useQueryTable(listChosenProducts)
  const form = useDrawer<Chosen>()
  const brought = useDrawer<Chosen>()
  return (
    <Page title="分销商品" help="学员经他人的分享购买时，推广人按比例得到佣金；每个商品设置一次。" personal>
      <FilterBar table={table}>
        <TextFilter of={listChosenProducts} field="productName" />
        <EnumFilter of={listChosenProducts} field="productType" />
        <EnabledFilter of={listChosenProducts} field="enabled" />
        <DateRangeFilter of={listChosenProducts} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveChosenProduct}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增分销商品
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportChosenProducts} table={table} />}
        bulk={[
          bulkStep(deleteChosenProducts, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('分销商品'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewChosenProduct, 'chosen')}
        actionsWidth={240}
        actions={(row) => [
          { label: '编辑', do: editChosenProduct, onClick: () => form.open(row) },
          { label: '推广数据', do: listDistributions, onClick: () => brought.open(row) },
          switching(
            changeChosenProductStatus,
            { ...row, name: nameOf(row) },
            '新订单不再产生佣金；已有的佣金不受影响。',
          ),
          removal(deleteChosenProduct, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有分销商品。点击“新增分销商品”添加第一个。"
      />
      <ChosenProductForm key={form.key} {...form.props} />
      <BroughtDrawer key={`brought-${brought.key}`} {...brought.props} />
    </Page>
  )
}
