import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { useIdentity } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { SchoolFilter } from '@/schools/SchoolFilter'
import {
  cancelMessage,
  deleteMessage,
  editMessage,
  listMessageFailures,
  listMessageReaders,
  listMessages,
  recallMessage,
  saveMessage,
  sendMessage,
  viewMessageStatistics,
} from './api'
import { can } from './messageRules'
import { send } from './send'

type Message = RowOf<typeof listMessages>

/** How often messages that are being sent are looked at again. */
const SENDING_MS = 2000

const words = (message: Message) =>
  message.channels.map((channel) => labelOf(saveMessage, 'channels', channel)).join('、')

const columns = columnsOf(listMessages, [
  { field: 'title', width: 200, fixed: 'left' },
  {
    field: 'status',
    width: 90,
    fixed: 'left',
    tones: { draft: 'quiet', scheduled: 'busy', sending: 'busy', sent: 'good', failed: 'bad', recalled: 'quiet' },
  },
  { field: 'msgType', width: 70 },
  { field: 'channels', width: 120, render: words },
  { field: 'audience', width: 120 },
  {
    field: 'resolvedAt',
    title: '发送时间',
    width: 165,
    render: (message) => formatTime(message.resolvedAt ?? message.sendAt),
  },
  {
    field: 'totalCount',
    title: '总数/成功/失败/已读',
    help: '每人每渠道为一条投递；已读只计站内信',
    width: 190,
    render: ({ totalCount, sentCount, failedCount, readCount }) =>
      [totalCount, sentCount, failedCount, readCount].map(formatNumber).join(' / '),
  },
  { field: 'creatorName', width: 110 },
  { field: 'personCount', hidden: true },
  { field: 'failReason', width: 200, hidden: true },
  { field: 'sceneCode', width: 170, hidden: true },
  { field: 'createdAt', hidden: true },
  { field: 'remark', hidden: true },
])

/** 消息管理: what was and will be told to many, and how it fares. */
export const MessagesPage = () => {
  const table = useQueryTable(listMessages, {
    refetchInterval: (rows) => (rows.some(({ status }) => status === 'sending') ? SENDING_MS : false),
  })
  const navigate = useNavigate()
  const inside = useIdentity((state) => state.account?.area) === 'school'
  const to = (path: string, message: Message) => () => navigate(`${path}?id=${message.id}`)
  const actions = (message: Message): readonly RowAction[] => [
    message.status === 'scheduled'
      ? step(cancelMessage, {
          label: '取消定时',
          with: { query: { id: message.id } },
          confirm: { title: `取消“${message.title}”的定时发送？`, content: '消息回到草稿，可以修改后重新发送。' },
          done: '已取消定时发送',
        })
      : { label: '发送', do: sendMessage, disabled: can.send(message), onClick: () => send(message, sendMessage) },
    { label: '编辑', do: editMessage, disabled: can.edit(message), onClick: to(paths.messageEdit, message) },
    {
      label: '发送统计',
      do: viewMessageStatistics,
      disabled: can.look(message),
      onClick: to(paths.messageStatistics, message),
    },
    ...(inside
      ? [
          {
            label: '查看统计',
            do: listMessageReaders,
            disabled: can.look(message),
            onClick: to(paths.messageReaders, message),
          },
          {
            label: '失败记录',
            do: listMessageFailures,
            disabled: can.look(message),
            onClick: to(paths.messageFailures, message),
          },
        ]
      : []),
    {
      label: '复制',
      do: saveMessage,
      disabled: message.sceneCode ? '场景消息由系统发送，不能复制' : undefined,
      onClick: () => navigate(`${paths.messageAdd}?copy=${message.id}`),
    },
    step(recallMessage, {
      label: '撤回',
      danger: true,
      disabled: can.recall(message),
      with: { query: { id: message.id } },
      confirm: {
        title: `撤回“${message.title}”？`,
        content: '未读的站内信会消失，待发送的取消；已发出的短信和邮件不能撤回。',
      },
      done: `已撤回“${message.title}”`,
    }),
    step(deleteMessage, {
      label: '删除',
      danger: true,
      disabled: can.delete(message),
      with: { query: { id: message.id } },
      confirm: { title: `确定删除“${message.title}”吗？`, content: '投递记录一并删除，不能恢复。' },
      done: `已删除“${message.title}”`,
    }),
  ]
  return (
    <Page
      title="消息管理"
      help={
        inside
          ? '向本校学生发送通知，只会发给您数据范围内的学生。'
          : '向所选院校的全部学生发送通知；按条件发送请进入院校。'
      }
    >
      <FilterBar table={table}>
        <TextFilter of={listMessages} field="title" />
        <EnumFilter of={listMessages} field="msgType" />
        <EnumFilter of={listMessages} field="channel" />
        <EnumFilter of={listMessages} field="status" />
        <DateRangeFilter of={listMessages} from="createdFrom" to="createdTo" label="创建日期" />
        <SelectFilter
          of={listMessages}
          field="automatic"
          label="来源"
          options={[
            { value: 'false', label: '人工发送' },
            { value: 'true', label: '场景自动发送' },
          ]}
        />
        {!inside && <SchoolFilter of={listMessages} field="schoolId" />}
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(message) => message.title}
        actionsWidth={240}
        primary={
          <Can do={saveMessage}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(paths.messageAdd)}>
              新增消息
            </Button>
          </Can>
        }
        actions={actions}
        empty="还没有消息。点击“新增消息”写第一条通知。"
      />
    </Page>
  )
}
