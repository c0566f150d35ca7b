import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useCall, useRequest } from '@/api/schoolContext'
import { coursesOf } from '@/catalogue/CourseSelect'
import { placeOfProduct } from '@/catalogue/places'
import { formatPercent, formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { Loaded } from '@/kit/Loaded'
import { Masked } from '@/kit/Masked'
import { TabPanels } from '@/kit/TabList'
import { historyOf } from '@/logs/RecordHistory'
import { listHeldCoupons } from '@/marketing/api'
import { HeldCoupons } from '@/marketing/HeldCoupons'
import { listOf } from '@/marketing/products'
import { listOrders } from '@/orders/api'
import { OrderRows } from '@/orders/OrderRows'
import { listSiteProgress } from '@/site_study/api'
import { listLearners, viewLearner } from './api'
import { rateOf } from './rate'

type Detail = RowOf<typeof viewLearner>

/** The words of an enumeration of the list. */
const wordOf = (field: 'gender' | 'source' | 'memberState', value: string) =>
  listLearners.columns[field]?.options?.find(([word]) => word === value)?.[1] ?? value

const Profile = ({ of: learner }: { of: Detail }) => (
  <Descriptions
    column={1}
    data={[
      { label: '昵称', value: learner.nickname ?? '—' },
      {
        label: '手机号',
        value: <Masked entity="user_ext" id={learner.id} field="phone" label="手机号" value={learner.phone} />,
      },
      { label: '性别', value: wordOf('gender', learner.gender) },
      { label: '生日', value: learner.birthday ?? '—' },
      { label: '注册来源', value: wordOf('source', learner.source) },
      { label: '注册时间', value: formatTime(learner.createdAt) },
      { label: '登录密码', value: learner.hasPassword ? '已设置' : '未设置，用短信验证码登录' },
      { label: '讲师', value: learner.isLecturer ? '是' : '否' },
      { label: '博主', value: learner.isBlogger ? '是' : '否' },
      {
        label: '关联学生',
        value: learner.linkedSchoolName
          ? [learner.linkedSchoolName, learner.linkedStudentNo, learner.linkedStudentName].filter(Boolean).join(' ')
          : '—',
      },
    ]}
  />
)

const Memberships = ({ of: learner }: { of: Detail }) => (
  <>
    <p>
      {wordOf('memberState', learner.memberState)}
      {learner.vipExpiresAt && `，到期：${formatTime(learner.vipExpiresAt)}`}
      {typeof learner.vipDiscountRate === 'number' && `，按${rateOf(learner.vipDiscountRate)}付款`}
    </p>
    <Table
      size="small"
      rowKey="id"
      data={learner.memberships}
      pagination={false}
      noDataElement={<Empty description="还没有开通过会员" />}
      columns={[
        { title: '会员设置', dataIndex: 'setName' },
        { title: '开始', render: (_, { fromAt }) => formatTime(fromAt) },
        { title: '结束', render: (_, { toAt }) => formatTime(toAt) },
        { title: '来源', render: (_, { granted }) => (granted ? '后台开通' : '购买') },
      ]}
    />
  </>
)

const Rights = ({ of: learner }: { of: Detail }) => (
  <Table
    size="small"
    rowKey="id"
    data={learner.rights}
    pagination={false}
    noDataElement={<Empty description="还没有权益" />}
    columns={[
      {
        title: '商品',
        render: (_, { productType, productId, productName }) =>
          productName ? (
            <Lead do={listOf(productType)} to={placeOfProduct(productType, productId, productName)}>
              {productName}
            </Lead>
          ) : (
            `编号${productId}`
          ),
      },
      { title: '到期', render: (_, { expiresAt }) => (expiresAt ? formatTime(expiresAt) : '长期有效') },
      { title: '来源', render: (_, { granted }) => (granted ? '后台赠送' : '购买') },
      { title: '获得时间', render: (_, { createdAt }) => formatTime(createdAt) },
    ]}
  />
)

const figures = { align: 'right', className: 'numeric' } as const

/** So many courses are shown; the rest stands in 学习进度. */
const STUDIED = 50

const Studied = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [listSiteProgress.path, 'learner', id],
    queryFn: ({ signal }) => request(listSiteProgress, { body: { learnerId: id, pageSize: STUDIED } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {({ list }) => (
        <Table
          size="small"
          rowKey="id"
          data={list}
          pagination={{ pageSize: 10, hideOnSinglePage: true }}
          noDataElement={<Empty description="还没有学习过课程" />}
          columns={[
            {
              title: '课程',
              render: (_, { courseType, courseId, courseName }) => (
                <Lead do={coursesOf[courseType]} to={placeOfProduct(courseType, courseId, courseName)}>
                  {courseName}
                </Lead>
              ),
            },
            {
              title: '已学/总课时',
              ...figures,
              render: (_, { finished, periodTotal }) => `${finished}/${periodTotal}`,
            },
            { title: '进度', ...figures, render: (_, { progress }) => formatPercent(progress) },
            {
              title: '学习时长',
              ...figures,
              render: (_, { watchedSeconds }) => `${Math.floor(watchedSeconds / 60)}分钟`,
            },
            { title: '最近学习', render: (_, { lastAt }) => formatTime(lastAt) },
          ]}
        />
      )}
    </Loaded>
  )
}

const SignIns = ({ of: learner }: { of: Detail }) => (
  <Table
    size="small"
    rowKey="id"
    data={learner.signIns}
    pagination={{ pageSize: 10, hideOnSinglePage: true }}
    noDataElement={<Empty description="还没有登录过" />}
    columns={[
      { title: '时间', render: (_, { at }) => formatTime(at) },
      { title: '结果', dataIndex: 'result' },
      { title: 'IP地址', dataIndex: 'ip' },
      { title: '设备', dataIndex: 'device' },
    ]}
  />
)

const history = historyOf(viewLearner, 'user_ext')

/** A learner in full: what they said, bought and have, how they came in. */
export const LearnerFile = ({ id }: { id: number }) => {
  const call = useCall()
  const allowed = useAllowed()
  const query = useQuery({
    queryKey: [listLearners.path, viewLearner.path, id],
    queryFn: () => call(viewLearner, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {(learner) => (
        <TabPanels
          label="学员"
          panels={[
            { title: '资料', content: <Profile of={learner} /> },
            { title: '会员', content: <Memberships of={learner} /> },
            { title: '权益', content: <Rights of={learner} /> },
            ...(allowed(listSiteProgress) ? [{ title: '学习', content: <Studied id={id} />, late: true }] : []),
            ...(allowed(listOrders)
              ? [{ title: '订单', content: <OrderRows of={{ learnerId: id }} />, late: true }]
              : []),
            ...(allowed(listHeldCoupons)
              ? [{ title: '优惠券', content: <HeldCoupons of={{ learnerId: id }} />, late: true }]
              : []),
            { title: '登录', content: <SignIns of={learner} /> },
            { title: '操作日志', content: history({ id }), late: true },
          ]}
        />
      )}
    </Loaded>
  )
}
