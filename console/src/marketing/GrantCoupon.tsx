import { Alert, Button, Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { DataOf, RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { ImportButton } from '@/kit/ImportWizard'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { fetchCouponGrantTemplate, grantCoupon, importCouponGrants, listCoupons, viewCoupon } from './api'
import { LearnersSelect } from './LearnerSelect'
import './marketing.css'

type Coupon = RowOf<typeof listCoupons>

const Grant = ({ coupon }: { coupon: Coupon }) => {
  const call = useCall()
  const allowed = useAllowed()
  // Those that were given from here are gone, too.
  const fresh = useQuery({
    queryKey: [listCoupons.path, viewCoupon.path, coupon.id],
    queryFn: () => call(viewCoupon, { query: { id: coupon.id } }),
    enabled: allowed(viewCoupon),
  })
  const { totalCount, receivedCount, perLimit } = fresh.data ?? coupon
  const [chosen, setChosen] = useState<number[]>([])
  const [told, setTold] = useState<DataOf<typeof grantCoupon>>()
  const grant = useAction(grantCoupon, {
    done: ({ done }) => (done > 0 ? `已发放${done}张` : undefined),
    onDone: (answer) => {
      setTold(answer)
      setChosen(answer.failed.map(({ id }) => id))
    },
  })
  return (
    <>
      <p>
        剩余{totalCount - receivedCount}张，每人最多{perLimit}张；不在领取时间内也可以发放。
      </p>
      <div className="grant-choice">
        <LearnersSelect aria-label="学员" value={chosen} onChange={setChosen} />
        <Button
          type="primary"
          disabled={chosen.length === 0}
          loading={grant.isPending}
          onClick={() => grant.mutate({ body: { id: coupon.id, learnerIds: chosen } })}
        >
          发放
        </Button>
      </div>
      {told && told.failed.length > 0 && (
        <Alert
          type="warning"
          title={`${told.failed.length}名学员没有发放`}
          content={told.failed.map(({ id, name, msg }) => (
            <p key={id}>
              {name || `编号${id}`}：{msg}
            </p>
          ))}
        />
      )}
      <p>也可以按手机号名单发放，名单中任何一行有误时都不发放：</p>
      <ImportButton
        do={importCouponGrants}
        template={fetchCouponGrantTemplate}
        query={{ id: coupon.id }}
        what="优惠券发放名单"
        label="按名单发放"
      />
    </>
  )
}

/** 发放: one for each learner who is chosen, or stands in a sheet. */
export const GrantCoupon = ({ record, visible, onClose }: DrawerProps<Coupon>) => {
  const title = `发放优惠券 ${record?.couponName ?? ''}`
  return (
    <Drawer title={title} width={560} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Grant coupon={record} />}
    </Drawer>
  )
}
