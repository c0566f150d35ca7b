import { Form, InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { RightGrant, VipGrant } from '@/api/types/learners'
import { type CourseKind, CourseSelect, coursesOf } from '@/catalogue/CourseSelect'
import { yuanOf } from '@/catalogue/courseContent'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { grantLearnerRight, grantLearnerVip, type listLearners, listVipSets, viewLearner } from './api'
import { rateOf } from './rate'

type Learner = RowOf<typeof listLearners>

/** So many are offered. */
const OFFERED = 50

interface ChoiceProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

const RightField = fieldsOf(grantLearnerRight)

interface RightDraft extends Omit<RightGrant, 'productId'> {
  version: number
  productId?: number
}

const isCourse = (kind: string | undefined): kind is CourseKind => kind !== undefined && kind in coursesOf

/** What can be granted here: courses; membership has a form of its own. */
const kinds = (grantLearnerRight.fields.productType?.options ?? [])
  .filter(([kind]) => isCourse(kind))
  .map(([value, label]) => ({ value, label }))

/** 赠送权益: days of a product, behind what the learner has of it. */
export const RightForm = ({ record, ...drawer }: DrawerProps<Learner>) => {
  const allowed = useAllowed()
  return (
    <FormDrawer<RightDraft, { id: number }>
      {...drawer}
      record={record && { id: record.id, version: record.version, productType: 'record', days: 30 }}
      title={`赠送权益 ${record?.nickname ?? record?.phone ?? ''}`}
      okText="赠送"
      action={(draft) => formAction(grantLearnerRight, '已赠送权益', draft)}
      reload={async (draft, call) => {
        const { version } = await call(viewLearner, { query: { id: draft.id } })
        return { ...draft, version }
      }}
    >
      <RightField name="productType">
        <Select options={kinds} />
      </RightField>
      <Form.Item noStyle shouldUpdate>
        {({ productType }: Partial<RightDraft>) =>
          isCourse(productType) && allowed(coursesOf[productType]) ? (
            <RightField name="productId" label="课程">
              <CourseSelect key={productType} kind={productType} />
            </RightField>
          ) : (
            <RightField name="productId" help="在商品列表中查看编号">
              <InputNumber min={1} precision={0} hideControl />
            </RightField>
          )
        }
      </Form.Item>
      <RightField name="days" />
    </FormDrawer>
  )
}

const VipField = fieldsOf(grantLearnerVip)

/** The memberships that are sold. */
const VipSetSelect = ({ value, onChange, ...named }: ChoiceProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const found = useQuery({
    queryKey: [listVipSets.path, 'choices'],
    queryFn: ({ signal }) => request(listVipSets, { body: { enabled: true, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listVipSets),
  })
  const none = allowed(listVipSets)
    ? '还没有会员设置，请先在“会员设置”中新增'
    : '您没有“会员设置列表”权限，请联系管理员开通'
  return (
    <Select
      {...named}
      placeholder="请选择会员设置"
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      notFoundContent={found.isError ? messageOf(found.error) : none}
      options={(found.data?.list ?? []).map((set) => ({
        value: set.id,
        label: `${set.setName}（${set.months}个月，${yuanOf(set.price)}元，按${rateOf(set.discountRate)}付款）`,
      }))}
    />
  )
}

interface VipDraft extends Omit<VipGrant, 'vipSetId'> {
  version: number
  vipSetId?: number
}

/** 开通会员: the months of a set, behind what runs. */
export const VipForm = ({ record, ...drawer }: DrawerProps<Learner>) => (
  <FormDrawer<VipDraft, { id: number }>
    {...drawer}
    record={record && { id: record.id, version: record.version }}
    title={`开通会员 ${record?.nickname ?? record?.phone ?? ''}`}
    okText="开通"
    action={(draft) => formAction(grantLearnerVip, '已开通会员', draft)}
    reload={async (draft, call) => {
      const { version } = await call(viewLearner, { query: { id: draft.id } })
      return { ...draft, version }
    }}
  >
    <VipField name="vipSetId" help="已是会员的，在到期日之后顺延">
      <VipSetSelect />
    </VipField>
  </FormDrawer>
)
