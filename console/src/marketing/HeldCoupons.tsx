import type { RowOf } from '@/api/operation'
import { placeOfLearner, placeOfOrder } from '@/catalogue/places'
import { DrawerList } from '@/kit/DrawerList'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { type Tone, Word } from '@/kit/Status'
import { listLearners } from '@/learners/api'
import { listOrders } from '@/orders/api'
import { listHeldCoupons } from './api'

type Held = RowOf<typeof listHeldCoupons>

const tones: Record<Held['status'], Tone> = { unused: 'good', locked: 'busy', used: 'quiet', expired: 'quiet' }

interface HeldCouponsProps {
  /** Those of one coupon, or of one learner. */
  of: { couponId: number } | { learnerId: number }
}

/** 领取记录: who has a coupon, or which coupons somebody has. */
export const HeldCoupons = ({ of }: HeldCouponsProps) => {
  const whose =
    'couponId' in of
      ? [
          {
            title: '学员',
            dataIndex: 'nickname',
            render: (_: unknown, { nickname, learnerId }: Held) => (
              <Lead do={listLearners} to={placeOfLearner(learnerId, nickname)}>
                {nickname ?? `编号${learnerId}`}
              </Lead>
            ),
          },
          {
            title: '手机号',
            dataIndex: 'phone',
            width: 160,
            render: (_: unknown, { phone, learnerId }: Held) => (
              <Masked entity="user_ext" id={learnerId} field="phone" label="手机号" value={phone} />
            ),
          },
        ]
      : [
          { title: '优惠券', dataIndex: 'couponName' },
          { title: '优惠内容', dataIndex: 'words' },
        ]
  return (
    <DrawerList
      of={listHeldCoupons}
      filter={of}
      empty={'couponId' in of ? '还没有人领取' : '还没有优惠券'}
      columns={[
        ...whose,
        {
          title: '状态',
          dataIndex: 'status',
          width: 90,
          render: (_: unknown, { status }: Held) => (
            <Word tone={tones[status]}>{labelOf(listHeldCoupons, 'status', status)}</Word>
          ),
        },
        {
          title: '来源',
          dataIndex: 'granted',
          width: 90,
          render: (granted: boolean) => (granted ? '后台发放' : '自行领取'),
        },
        { title: '有效期至', dataIndex: 'validTo', width: 170, render: (at: string) => formatTime(at) },
        {
          title: '订单号',
          dataIndex: 'orderNo',
          width: 180,
          render: (number?: string | null) =>
            number ? (
              <Lead do={listOrders} to={placeOfOrder(number)}>
                {number}
              </Lead>
            ) : (
              '—'
            ),
        },
        { title: '领取时间', dataIndex: 'createdAt', width: 170, render: (at: string) => formatTime(at) },
      ]}
    />
  )
}
