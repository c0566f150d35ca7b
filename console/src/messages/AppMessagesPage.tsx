import { Button, Form, Input } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { SchoolFilter } from '@/schools/SchoolFilter'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import {
  cancelAppMessage,
  deleteAppMessage,
  editAppMessage,
  listAppMessages,
  recallAppMessage,
  saveAppMessage,
  sendAppMessage,
  viewAppMessage,
} from './api'
import { htmlOf, textOf } from './content'
import { can } from './messageRules'
import { send } from './send'

type Message = RowOf<typeof listAppMessages>

/** How often messages that are being sent are looked at again. */
const SENDING_MS = 2000

const columns = columnsOf(listAppMessages, [
  { field: 'title', width: 220, fixed: 'left' },
  {
    field: 'status',
    width: 90,
    fixed: 'left',
    tones: { draft: 'quiet', scheduled: 'busy', sending: 'busy', sent: 'good', failed: 'bad', recalled: 'quiet' },
  },
  { field: 'msgType', width: 70 },
  { field: 'schoolIds', title: '院校', width: 90, render: ({ schoolIds }) => `${formatNumber(schoolIds.length)}所` },
  { field: 'jumpType', width: 90 },
  { field: 'jumpTarget', width: 160, hidden: true },
  {
    field: 'resolvedAt',
    title: '发送时间',
    width: 165,
    render: (message) => formatTime(message.resolvedAt ?? message.sendAt),
  },
  {
    field: 'totalCount',
    title: '总数/成功/失败',
    width: 150,
    render: ({ totalCount, sentCount, failedCount }) =>
      [totalCount, sentCount, failedCount].map(formatNumber).join(' / '),
  },
  { field: 'creatorName', width: 110 },
  { field: 'createdAt', hidden: true },
  { field: 'remark', hidden: true },
])

/** App消息: what is pushed to the app, and where a tap leads. */
export const AppMessagesPage = () => {
  const table = useQueryTable(listAppMessages, {
    refetchInterval: (rows) => (rows.some(({ status }) => status === 'sending') ? SENDING_MS : false),
  })
  const form = useDrawer<Message>()
  return (
    <Page title="App消息" help="推送到所选院校学生的App，点击后打开所设的页面。没有配置推送服务商时只作记录。">
      <FilterBar table={table}>
        <TextFilter of={listAppMessages} field="title" />
        <EnumFilter of={listAppMessages} field="msgType" />
        <EnumFilter of={listAppMessages} field="status" />
        <SchoolFilter of={listAppMessages} field="schoolId" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(message) => message.title}
        primary={
          <Can do={saveAppMessage}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增App消息
            </Button>
          </Can>
        }
        actionsWidth={190}
        actions={(message) => [
          message.status === 'scheduled'
            ? step(cancelAppMessage, {
                label: '取消定时',
                with: { query: { id: message.id } },
                confirm: { title: `取消“${message.title}”的定时发送？`, content: '消息回到草稿，可以修改后重新发送。' },
                done: '已取消定时发送',
              })
            : {
                label: '发送',
                do: sendAppMessage,
                disabled: can.send(message),
                onClick: () => send(message, sendAppMessage),
              },
          { label: '编辑', do: editAppMessage, disabled: can.edit(message), onClick: () => form.open(message) },
          step(recallAppMessage, {
            label: '撤回',
            danger: true,
            disabled: can.recall(message),
            with: { query: { id: message.id } },
            confirm: { title: `撤回“${message.title}”？`, content: '待发送的取消；已经推送的不能撤回。' },
            done: `已撤回“${message.title}”`,
          }),
          step(deleteAppMessage, {
            label: '删除',
            danger: true,
            disabled: can.delete(message),
            with: { query: { id: message.id } },
            confirm: { title: `确定删除“${message.title}”吗？`, content: '投递记录一并删除，不能恢复。' },
            done: `已删除“${message.title}”`,
          }),
        ]}
        empty="还没有App消息。点击“新增App消息”写第一条推送。"
      />
      <AppMessageForm key={form.key} {...form.props} />
    </Page>
  )
}

const Field = fieldsOf(saveAppMessage)

/** Where a tap leads and when it goes out, as far as it is asked. */
const WhereAndWhen = () => {
  const { form } = Form.useFormContext()
  const jump: string | undefined = Form.useWatch('jumpType', form)
  const mode: string | undefined = Form.useWatch('sendMode', form)
  return (
    <>
      {jump !== undefined && jump !== 'none' && <Field name="jumpTarget" required />}
      <Field name="sendMode" />
      {mode === 'timed' && <Field name="sendAt" required />}
    </>
  )
}

const typed = (message: Message) => ({ ...message, content: textOf(message.content) })

const AppMessageForm = ({ record, ...drawer }: DrawerProps<Message>) => {
  const body = (values: Partial<Message>) => ({ ...values, content: htmlOf(values.content ?? '') })
  return (
    <FormDrawer
      {...drawer}
      record={record && typed(record)}
      title={record ? `编辑App消息 ${record.title}` : '新增App消息'}
      initial={{ msgType: 'system', jumpType: 'none', sendMode: 'now' }}
      action={(message) => {
        const save = message
          ? formAction(editAppMessage, '已保存App消息', message)
          : formAction(saveAppMessage, '已保存草稿')
        return { ...save, send: (values, request) => save.send(body(values), request) }
      }}
      reload={async (message) => typed(await call(viewAppMessage, { query: { id: message.id } }))}
    >
      <Field name="title" />
      <Form.Item label="内容" field="content" required rules={[{ required: true, message: '内容不能为空' }]}>
        <Input.TextArea
          aria-label="内容"
          maxLength={500}
          showWordLimit
          autoSize={{ minRows: 4, maxRows: 10 }}
          placeholder="每行一段"
        />
      </Form.Item>
      <Field name="msgType" />
      <Field name="schoolIds" help="发给所选院校的全部在学学生">
        <SchoolsSelect />
      </Field>
      <Field name="jumpType" />
      <WhereAndWhen />
      <Field name="remark" />
    </FormDrawer>
  )
}
