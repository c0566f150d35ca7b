import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { TabPanels } from '@/kit/TabList'
import { historyOf } from '@/logs/RecordHistory'
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
      { label: '手机号', value: learner.phone },
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
      { title: '商品', render: (_, { productName, productId }) => productName ?? `编号${productId}` },
      { title: '到期', render: (_, { expiresAt }) => (expiresAt ? formatTime(expiresAt) : '长期有效') },
      { title: '来源', render: (_, { granted }) => (granted ? '后台赠送' : '购买') },
      { title: '获得时间', render: (_, { createdAt }) => formatTime(createdAt) },
    ]}
  />
)

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

/** A learner in full: what they said, what they have, how they came in. */
export const LearnerFile = ({ id }: { id: number }) => {
  const call = useCall()
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
            { title: '登录', content: <SignIns of={learner} /> },
            { title: '操作日志', content: history({ id }), late: true },
          ]}
        />
      )}
    </Loaded>
  )
}
