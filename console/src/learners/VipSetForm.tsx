import { InputNumber } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fenOf } from '@/catalogue/courseContent'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editVipSet, saveVipSet, viewVipSet } from './api'

type VipSet = RowOf<typeof viewVipSet>

const Field = fieldsOf(saveVipSet)

interface NumberProps {
  value?: number
  onChange?: (value: number | undefined) => void
  'aria-label'?: string
}

/** An amount that is typed in 元 and kept in 分. */
const Yuan = ({ value, onChange, ...named }: NumberProps) => (
  <InputNumber
    {...named}
    min={0}
    max={999_999.99}
    precision={2}
    hideControl
    suffix="元"
    value={value === undefined ? undefined : value / 100}
    onChange={(yuan?: number) => onChange?.(typeof yuan === 'number' ? fenOf(yuan) : undefined)}
  />
)

const Rate = ({ value, onChange, ...named }: NumberProps) => (
  <InputNumber {...named} min={0.1} max={1} step={0.05} precision={2} value={value} onChange={onChange} />
)

/** 新增 and 编辑 of a membership that is sold (01 §9.6). */
export const VipSetForm = ({ record, ...drawer }: DrawerProps<VipSet>) => (
  <FormDrawer<VipSet, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑会员设置 ${record.setName}` : '新增会员设置'}
    action={(set) => (set ? formAction(editVipSet, '已保存会员设置', set) : formAction(saveVipSet, '已新增会员设置'))}
    reload={(set, call) => call(viewVipSet, { query: { id: set.id } })}
  >
    <Field name="setName" />
    <Field name="months" help="1至60；购买后在到期日之后顺延" />
    <Field name="priceOriginal" label="原价">
      <Yuan />
    </Field>
    <Field name="price" label="售价" help="不高于原价">
      <Yuan />
    </Field>
    <Field name="discountRate" help="0.10至1.00，0.85即按85%付款；修改后对现有会员同样生效">
      <Rate />
    </Field>
    <Field name="benefits" />
    <Field name="sort" />
  </FormDrawer>
)
