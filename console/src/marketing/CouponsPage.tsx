import { Button, Drawer } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeCouponStatus,
  deleteCoupon,
  deleteCoupons,
  editCoupon,
  exportCoupons,
  grantCoupon,
  listCoupons,
  listHeldCoupons,
  saveCoupon,
  stopCoupon,
  viewCoupon,
} from './api'
import { CouponForm } from './CouponForm'
import { termsOf } from './couponTerms'
import { GrantCoupon } from './GrantCoupon'
import { HeldCoupons } from './HeldCoupons'

type Coupon = RowOf<typeof listCoupons>

const columns = columnsOf(listCoupons, [
  { field: 'couponName', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'couponType', width: 80 },
  { field: 'threshold', title: '优惠内容', width: 230, align: 'left', render: (row) => termsOf(row) },
  { field: 'totalCount', width: 100 },
  { field: 'receivedCount', width: 90 },
  { field: 'usedCount', width: 90 },
  { field: 'scopeType', width: 100 },
  { field: 'receiveBeginsAt', width: 180 },
  { field: 'receiveEndsAt', width: 180 },
  { field: 'scopeNames', width: 240, hidden: true },
  { field: 'perLimit', width: 100, hidden: true },
  { field: 'validFrom', width: 180, hidden: true },
  { field: 'validTo', width: 180, hidden: true },
  { field: 'validDays', width: 100, hidden: true },
  { field: 'createdAt', hidden: true },
])

const Held = ({ record, visible, onClose }: DrawerProps<Coupon>) => {
  const title = `领取记录 ${record?.couponName ?? ''}`
  return (
    <Drawer title={title} width={1080} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <HeldCoupons of={{ couponId: record.id }} />}
    </Drawer>
  )
}

const nameOf = ({ couponName }: Coupon) => couponName

/** Why nobody has to be stopped from receiving one. */
const whyNotStop = ({ receiveBeginsAt, receiveEndsAt }: Coupon, now: Date) => {
  if (new Date(receiveEndsAt) <= now) return '领取已截止'
  return new Date(receiveBeginsAt) >= now ? '尚未开始领取，请直接停用' : undefined
}

/** 优惠券: what learners pay less with. */
export const CouponsPage = () => {
  const table = useQueryTable(listCoupons)
  const form = useDrawer<Coupon>()
  const grant = useDrawer<Coupon>()
  const held = useDrawer<Coupon>()
  return (
    <Page title="优惠券" help="每单可用一张；有人领取后只能修改名称、发放总量和领取截止时间。" personal>
      <FilterBar table={table}>
        <TextFilter of={listCoupons} field="couponName" />
        <EnumFilter of={listCoupons} field="couponType" />
        <EnabledFilter of={listCoupons} field="enabled" />
        <DateRangeFilter of={listCoupons} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveCoupon}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增优惠券
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportCoupons} table={table} />}
        bulk={[
          bulkStep(deleteCoupons, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('优惠券'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCoupon, 'coupon')}
        actionsWidth={240}
        actions={(row) => [
          { label: '编辑', do: editCoupon, onClick: () => form.open(row) },
          {
            label: '发放',
            do: grantCoupon,
            disabled: row.enabled ? undefined : '优惠券已停用，不能发放',
            onClick: () => grant.open(row),
          },
          { label: '领取记录', do: listHeldCoupons, onClick: () => held.open(row) },
          step(stopCoupon, {
            label: '停止领取',
            disabled: whyNotStop(row, new Date()),
            with: { body: { id: row.id, version: row.version } },
            confirm: { title: `停止领取“${nameOf(row)}”？`, content: '学员不能再领取；已领取的仍可使用。' },
            done: `已停止领取“${nameOf(row)}”`,
          }),
          switching(changeCouponStatus, { ...row, name: nameOf(row) }, '不能再领取和发放；已领取的仍可使用。'),
          removal(deleteCoupon, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有优惠券。点击“新增优惠券”添加第一张。"
      />
      <CouponForm key={form.key} {...form.props} />
      <GrantCoupon key={`grant-${grant.key}`} {...grant.props} />
      <Held key={`held-${held.key}`} {...held.props} />
    </Page>
  )
}
