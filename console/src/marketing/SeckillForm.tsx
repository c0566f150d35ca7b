import { Form } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { Yuan } from '@/catalogue/courseFields'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editSeckill, saveSeckill, viewSeckill } from './api'
import { ProductSelect } from './ProductSelect'

type Seckill = RowOf<typeof viewSeckill>

const Field = fieldsOf(saveSeckill)

/** 新增 and 编辑 of a seckill. Of one that runs its end and a larger stock are all that may be typed. */
export const SeckillForm = ({ record, ...drawer }: DrawerProps<Seckill>) => {
  const runs = record?.state === 'running'
  const known = record && { id: record.productId, name: record.productName ?? `编号${record.productId}` }
  return (
    <FormDrawer<Seckill, { id: number }>
      {...drawer}
      record={record}
      title={record ? `编辑秒杀活动 ${record.activityName}` : '新增秒杀活动'}
      initial={{ productType: 'record', perLimit: 1 }}
      action={(seckill) =>
        seckill ? formAction(editSeckill, '已保存秒杀活动', seckill) : formAction(saveSeckill, '已新增秒杀活动')
      }
      reload={(seckill, call) => call(viewSeckill, { query: { id: seckill.id } })}
      keep={['productType', 'perLimit', 'beginsAt', 'endsAt']}
    >
      {!runs && (
        <>
          <Field name="activityName" />
          <Field name="productType">
            <ClearingSelect options={saveSeckill.fields.productType?.options} clears={['productId']} />
          </Field>
          <Form.Item noStyle shouldUpdate>
            {({ productType }: Partial<Seckill>) => (
              <Field name="productId" label="商品">
                <ProductSelect kind={productType} known={known} />
              </Field>
            )}
          </Form.Item>
          <Field name="seckillPrice" label="秒杀价" help="须低于商品的优惠价">
            <Yuan />
          </Field>
          <Field name="perLimit" help="" />
          <Field name="beginsAt" />
        </>
      )}
      <Field name="stockTotal" help={runs ? '活动进行中，库存只能增加' : undefined} />
      <Field name="endsAt" help="同一商品的活动时间不能重叠">
        <DateTimeInput dayEnd />
      </Field>
    </FormDrawer>
  )
}
