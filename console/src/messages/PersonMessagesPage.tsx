import { bulkStep, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { deletePersonMessage, listPersonMessages, resendPersonMessages } from './api'

const columns = columnsOf(listPersonMessages, [
  { field: 'recipientName', width: 120, fixed: 'left' },
  { field: 'recipientNo', width: 130 },
  { field: 'title', width: 220 },
  { field: 'channel', width: 90 },
  { field: 'address', width: 150 },
  {
    field: 'status',
    width: 90,
    tones: {
      queued: 'busy',
      delivering: 'busy',
      sent: 'good',
      delivered: 'good',
      failed: 'bad',
      cancelled: 'quiet',
      recalled: 'quiet',
    },
  },
  { field: 'failCode', width: 120 },
  { field: 'attempts', width: 70, hidden: true },
  { field: 'createdAt' },
  { field: 'sentAt' },
  { field: 'readAt', hidden: true },
])

/** 用户消息: what single persons of the platform were told. */
export const PersonMessagesPage = () => {
  const table = useQueryTable(listPersonMessages)
  return (
    <Page
      title="用户消息"
      help="平台人员收到的消息，一人一渠道一条；不选日期时为近30天。学生收到的消息请进入院校查看。"
    >
      <FilterBar table={table}>
        <TextFilter of={listPersonMessages} field="keyword" />
        <EnumFilter of={listPersonMessages} field="channel" />
        <EnumFilter of={listPersonMessages} field="status" />
        <DateRangeFilter of={listPersonMessages} from="startsOn" to="endsOn" label="日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(message) => `${message.recipientName} ${message.title}`}
        actionsWidth={110}
        actions={(message) => [
          step(resendPersonMessages, {
            label: '重发',
            disabled: message.status === 'failed' ? undefined : '只有失败的消息可以重发',
            with: { body: { ids: [message.id] } },
            done: `已重新发送给${message.recipientName}`,
          }),
          step(deletePersonMessage, {
            label: '删除',
            danger: true,
            disabled: ['queued', 'delivering'].includes(message.status) ? '发送结束后才能删除' : undefined,
            with: { query: { id: message.id } },
            confirm: {
              title: `确定删除发给${message.recipientName}的“${message.title}”吗？`,
              content: '删除后不能恢复。',
            },
            done: '已删除',
          }),
        ]}
        bulk={[
          bulkStep(resendPersonMessages, {
            label: '批量重发',
            confirm: (count) => ({ title: `重新发送${count}条？`, content: '次数从头计算；缺少联系方式的不会发送。' }),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        empty="近30天没有发给平台人员的消息。"
      />
    </Page>
  )
}
