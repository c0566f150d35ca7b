import { Form, InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { RightGrant, VipGrant } from '@/api/types/learners'
import { listRecordCourses } from '@/catalogue/api'
import { yuanOf } from '@/catalogue/courseContent'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { grantLearnerRight, grantLearnerVip, listLearners, listVipSets, viewLearner } from './api'
import { rateOf } from './rate'

type Learner = RowOf<typeof listLearners>

/** So many are offered; others are found by their names. */
const OFFERED = 50

interface ChoiceProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** A recorded course by part of its name. */
const CourseSelect = ({ value, onChange, ...named }: ChoiceProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const courseName = useSettled(text) || undefined
  const found = useQuery({
    queryKey: [listRecordCourses.path, 'choices', courseName],
    queryFn: ({ signal }) => request(listRecordCourses, { body: { courseName, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listRecordCourses),
  })
  return (
    <Select
      {...named}
      placeholder="请选择课程"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到课程'}
      options={(found.data?.list ?? []).map((course) => ({ value: course.id, label: course.courseName }))}
    />
  )
}

const RightField = fieldsOf(grantLearnerRight)

interface RightDraft extends Omit<RightGrant, 'productId'> {
  version: number
  productId?: number
}

/** 赠送权益: days of a product, behind what the learner has of it. */
export const RightForm = ({ record, ...drawer }: DrawerProps<Learner>) => {
  const mayList = useAllowed()(listRecordCourses)
  return (
    <FormDrawer<RightDraft, { id: number }>
      {...drawer}
      record={record && { id: record.id, version: record.version, productType: 'record', days: 30 }}
      title={`赠送权益 ${record?.nickname ?? record?.phone ?? ''}`}
      action={(draft) => formAction(grantLearnerRight, '已赠送权益', draft)}
      reload={async (draft, call) => {
        const { version } = await call(viewLearner, { query: { id: draft.id } })
        return { ...draft, version }
      }}
    >
      <RightField name="productType" />
      <Form.Item noStyle shouldUpdate>
        {({ productType }: Partial<RightDraft>) =>
          productType === 'record' && mayList ? (
            <RightField name="productId" label="课程">
              <CourseSelect />
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
  return (
    <Select
      {...named}
      placeholder="请选择会员设置"
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      notFoundContent={found.isError ? messageOf(found.error) : '还没有会员设置，请先在“会员设置”中新增'}
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
