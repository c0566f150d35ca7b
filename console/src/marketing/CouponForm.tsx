import { Form, InputNumber } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { Yuan } from '@/catalogue/courseFields'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editCoupon, saveCoupon, viewCoupon } from './api'
import { CategoriesSelect } from './CategoriesSelect'
import { ProductsSelect } from './ProductSelect'

type Coupon = RowOf<typeof viewCoupon>

const Field = fieldsOf(saveCoupon)

interface RateProps {
  value?: number | null
  onChange?: (rate: number | undefined) => void
  'aria-label'?: string
}

const Rate = ({ value, onChange, ...named }: RateProps) => (
  <InputNumber
    {...named}
    min={0.01}
    max={0.99}
    step={0.05}
    precision={2}
    value={value ?? undefined}
    onChange={onChange}
  />
)

/** What a kind of coupon asks for. */
const Terms = ({ couponType }: Partial<Coupon>) => (
  <>
    {couponType === 'full_reduction' && (
      <Field name="threshold" label="使用门槛" required help="商品的应付金额达到门槛才能使用">
        <Yuan />
      </Field>
    )}
    {(couponType === 'full_reduction' || couponType === 'direct') && (
      <Field name="amount" label="优惠金额" required help="">
        <Yuan />
      </Field>
    )}
    {couponType === 'discount' && (
      <>
        <Field name="rate" required help="0.90即按90%付款">
          <Rate />
        </Field>
        <Field name="maxDiscount" label="最多优惠" help="不填为不限">
          <Yuan />
        </Field>
      </>
    )}
  </>
)

/** What it may be used for already, by name. */
const scopeOf = (coupon: Coupon | undefined) =>
  (coupon?.scopeIds ?? []).map((id, at) => ({ id, name: coupon?.scopeNames[at] ?? `编号${id}` }))

/** What it may be used for. */
const Scope = ({ of: coupon, known }: { of: Partial<Coupon>; known: Coupon | undefined }) => (
  <>
    {coupon.scopeType === 'category' && (
      <Field name="scopeIds" label="适用分类" required help="包括其下级分类">
        <CategoriesSelect known={known?.scopeType === 'category' ? scopeOf(known) : []} />
      </Field>
    )}
    {coupon.scopeType === 'product' && (
      <>
        <Field name="scopeProductType" required help="">
          <ClearingSelect options={saveCoupon.fields.scopeProductType?.options} clears={['scopeIds']} />
        </Field>
        <Field name="scopeIds" label="适用商品" required help="">
          <ProductsSelect
            kind={coupon.scopeProductType ?? undefined}
            known={known?.scopeType === 'product' ? scopeOf(known) : []}
          />
        </Field>
      </>
    )}
  </>
)

const Validity = ({ validType }: Partial<Coupon>) =>
  validType === 'fixed' ? (
    <>
      <Field name="validFrom" required help="" />
      <Field name="validTo" required help="">
        <DateTimeInput dayEnd />
      </Field>
    </>
  ) : (
    <Field name="validDays" required help="从领取时起" />
  )

/** 新增 and 编辑 of a coupon. What somebody received keeps its terms: then name, number and end are all that is asked. */
export const CouponForm = ({ record, ...drawer }: DrawerProps<Coupon>) => {
  const received = (record?.receivedCount ?? 0) > 0
  return (
    <FormDrawer<Coupon, { id: number }>
      {...drawer}
      record={record}
      title={record ? `编辑优惠券 ${record.couponName}` : '新增优惠券'}
      initial={{ couponType: 'full_reduction', scopeType: 'all', validType: 'days', validDays: 30, perLimit: 1 }}
      action={(coupon) =>
        coupon ? formAction(editCoupon, '已保存优惠券', coupon) : formAction(saveCoupon, '已新增优惠券')
      }
      reload={(coupon, call) => call(viewCoupon, { query: { id: coupon.id } })}
    >
      <Field name="couponName" />
      {!received && <Field name="couponType" />}
      {!received && (
        <Form.Item noStyle shouldUpdate>
          {(coupon: Partial<Coupon>) => <Terms {...coupon} />}
        </Form.Item>
      )}
      {!received && (
        <Field name="scopeType">
          <ClearingSelect options={saveCoupon.fields.scopeType?.options} clears={['scopeIds']} />
        </Field>
      )}
      {!received && (
        <Form.Item noStyle shouldUpdate>
          {(coupon: Partial<Coupon>) => <Scope of={coupon} known={record} />}
        </Form.Item>
      )}
      <Field name="totalCount" help={received ? `已领取${record?.receivedCount}张，不能低于该数量` : undefined} />
      {!received && <Field name="perLimit" help="" />}
      {!received && <Field name="receiveBeginsAt" />}
      <Field name="receiveEndsAt">
        <DateTimeInput dayEnd />
      </Field>
      {!received && <Field name="validType" />}
      {!received && (
        <Form.Item noStyle shouldUpdate>
          {(coupon: Partial<Coupon>) => <Validity {...coupon} />}
        </Form.Item>
      )}
    </FormDrawer>
  )
}
