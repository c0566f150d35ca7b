import { Form, InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { nothingFound } from '@/kit/nothingFound'
import type { DrawerProps } from '@/kit/useDrawer'
import { listPosterTemplates } from '@/site_content/api'
import { editChosenProduct, saveChosenProduct, viewChosenProduct } from './api'
import { ProductSelect } from './ProductSelect'

type Chosen = RowOf<typeof viewChosenProduct>

const Field = fieldsOf(saveChosenProduct)

interface NumberProps {
  value?: number | null
  onChange?: (value: number | undefined) => void
  'aria-label'?: string
}

const Ratio = ({ value, onChange, ...named }: NumberProps) => (
  <InputNumber
    {...named}
    min={0.01}
    max={0.5}
    step={0.01}
    precision={2}
    value={value ?? undefined}
    onChange={onChange}
  />
)

/** So many are offered. */
const OFFERED = 50

const PosterSelect = ({ known, value, onChange, ...named }: NumberProps & { known: Chosen | undefined }) => {
  const request = useRequest()
  const mayList = useAllowed()(listPosterTemplates)
  const found = useQuery({
    queryKey: [listPosterTemplates.path, 'choices'],
    queryFn: ({ signal }) => request(listPosterTemplates, { body: { enabled: true, pageSize: OFFERED } }, { signal }),
    enabled: mayList,
  })
  const posters = (found.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const id = known?.posterTemplateId
  const all =
    typeof id === 'number' && !posters.some((each) => each.value === id)
      ? [{ value: id, label: known?.posterTemplateName ?? `编号${id}` }, ...posters]
      : posters
  return (
    <Select
      {...named}
      allowClear
      placeholder="不使用海报"
      loading={found.isFetching}
      value={value ?? undefined}
      onChange={onChange}
      notFoundContent={nothingFound(
        listPosterTemplates,
        mayList,
        found.error,
        '还没有海报模板，请先在“分享海报”中新增',
      )}
      options={all}
    />
  )
}

/** 新增 and 编辑 of a product of whose price promoters get a part. */
export const ChosenProductForm = ({ record, ...drawer }: DrawerProps<Chosen>) => (
  <FormDrawer<Chosen, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑分销商品 ${record.productName ?? ''}` : '新增分销商品'}
    initial={{ productType: 'record', ratio: 0.1 }}
    action={(chosen) =>
      chosen ? formAction(editChosenProduct, '已保存分销商品', chosen) : formAction(saveChosenProduct, '已新增分销商品')
    }
    reload={(chosen, call) => call(viewChosenProduct, { query: { id: chosen.id } })}
    keep={['productType', 'ratio', 'beginsAt', 'endsAt', 'posterTemplateId']}
  >
    <Field name="productType">
      <ClearingSelect options={saveChosenProduct.fields.productType?.options} clears={['productId']} />
    </Field>
    <Form.Item noStyle shouldUpdate>
      {({ productType }: Partial<Chosen>) => (
        <Field name="productId" label="商品">
          <ProductSelect
            kind={productType}
            known={record && { id: record.productId, name: record.productName ?? `编号${record.productId}` }}
          />
        </Field>
      )}
    </Form.Item>
    <Field name="ratio" help="0.01至0.50，0.10即实付的10%；修改后对新订单生效">
      <Ratio />
    </Field>
    <Field name="beginsAt" />
    <Field name="endsAt">
      <DateTimeInput dayEnd />
    </Field>
    <Field name="posterTemplateId">
      <PosterSelect known={record} />
    </Field>
  </FormDrawer>
)
